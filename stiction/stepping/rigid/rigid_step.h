#pragma once

#include "stiction/solvers/anderson_acceleration.h"
#include "stiction/stepping/rigid/free_step.h"
#include "stiction/stepping/rigid/rigid_solver.h"
#include "stiction/stepping/rigid/step_problem.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// What all parts of a step work on: one island at a time.
struct IslandWork {
  explicit IslandWork(const RigidModel& of);
  const RigidModel& model;
  StepRows rows;
  ContactTracker tracker;
  FreeStep free;
  RigidSolver solver;
  Kinematics kinematics;  ///< of the last problem posed
  Jam jam;
  ContactAudit audit;  ///< of the part of the step that is being taken

  void begin(const Island& island, const IslandState& start, const State& whole, const Kinematics& at_start,
             const std::vector<double>& reach, const Sleeping& sleeping);
  void note(const RigidSolver::Result& result);
  /// u after the impulses, which methods that smooth leave on contacts that open: negligible ones are removed.
  void calc_end_velocities(const VecX& u_free, const VecX& q, SolvedContacts& solved);
};

/// One (sub)step of (1) and (2) in formulation.h, without locating impacts: free velocity, rows, impulses, positions.
class RigidStep {
 public:
  explicit RigidStep(IslandWork& work);
  /// A new (sub)step begins: a warm start comes from the step before, not from the last solve.
  void begin();
  /// From a state to `to`, h later. The impulses are in solved(), their rows in IslandWork::rows.
  void take(const IslandState& from, double h, const Formulation& formulation, IslandState& to);
  SolvedContacts& solved() { return problem_.solved(); }
  /// Mean of the velocities before and after.
  const VecX& mean_velocity() const { return v_mean_; }
  /// Did the warm start of the first solve fail by rounding alone?
  bool had_good_start() const { return had_good_start_; }

 private:
  using Step = FreeStep::Step;
  StepProblem::Place make_place(const Step& step, double t_s);
  void solve_at(const Step& step, double t_s);
  void solve_again(const Step& step);
  void solve_active(const Step& step, double t_s);
  void keep_constraints(const Step& step, double t_s);
  void iterate_s(const Step& step);
  void extrapolate_s();
  void note_guesses();
  bool has_excessive_impulses(double h);
  void tolerate_gaps(double h, RigidSolver::Result& result);
  void move(const Step& step, IslandState& to);
  void fly_by_mean(const Step& step);
  void rebound_in_time(double h);

  IslandWork& work_;
  const RigidModel& model_;
  StepProblem problem_;
  VecX q_s_, v_linear_, v_kept_, v_end_, v_mean_, displacement_, acceleration_;
  VecX start_r_, tolerant_q_;
  AndersonWindow window_{4};    ///< Anderson acceleration of the iteration of s
  MatX f_changes_, v_changes_;  ///< its columns
  VecX f_, f_before_, v_before_, v_next_;
  std::vector<double> start_speed_, cluster_impact_;
  std::vector<char> pushed_;    ///< clusters of the island on which impulses act
  int unconverged_before_ = 0;  ///< ContactAudit::unconverged when the (sub)step began
  double solved_h_ = 0;         ///< h of a solve whose impulses are not among the guesses yet
  bool had_good_start_ = false;
};

}  // namespace stiction
