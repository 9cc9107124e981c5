#pragma once

#include "stiction/solvers/anderson_acceleration.h"
#include "stiction/stepping/rigid/contact_solve.h"
#include "stiction/stepping/rigid/end_newton.h"
#include "stiction/stepping/rigid/position_update.h"

namespace stiction {

/// One (sub)step of (1) and (2) in formulation.h, without locating impacts. The formulation calls the parts in its own
/// order (Formulation::take).
class RigidStep {
 public:
  explicit RigidStep(IslandWork& work);
  /// A new (sub)step begins: a warm start comes from the step before, not from the last solve.
  void begin() { solve_.begin(); }
  /// From a state to `to`, h later. The impulses are in solved(), their rows in IslandWork::rows.
  void take(const IslandState& from, double h, bool locating, IslandState& to);
  SolvedContacts& solved() { return solve_.problem().solved(); }
  /// Mean of the velocities before and after.
  const VecX& mean_velocity() const { return v_mean_; }
  bool had_good_start() const { return solve_.had_good_start(); }

  // Parts, for formulations:
  /// v_free of (1) (free_step.h).
  void find_free_velocity(const StepTask& step);
  /// (2) at s = q + geometry h v: impulses and v+.
  void solve_predicted(const StepTask& step);
  /// Forces that depend on velocities, and (2) at the same s with them, until they are those of v+ (FreeStep::correct).
  void correct_forces(const StepTask& step);
  /// s becomes the configuration that the last solution leads to, until the velocities change by no more than
  /// method.nonlinear_tolerance: (2) has the gap gap(s) + h (u_n+ - u_n(v_linear)), forces and M are those of the end.
  /// Where the iteration is slow to end, as on surfaces with little curvature, over which contacts run fast, Newton's
  /// method goes on with the cone (end_newton.h), and Anderson acceleration where that does not help; the end is
  /// verified by an iteration in any case.
  void iterate_s(const StepTask& step, int iterations);
  /// q+ of (1) (position_update.h), and the work of forces.
  void move(const StepTask& step, IslandState& to);

 private:
  /// Of the step that is being taken, for EndNewton.
  struct PosedEnd final : EndOfStep {
    PosedEnd(RigidStep& of, const StepTask& taken) : self(of), step(taken) {}
    void pose_at(const VecX& v) override;
    RigidStep& self;
    const StepTask& step;
  };
  StepProblem::Place make_place(const StepTask& step, double t_s);
  void configure(const StepTask& step, double t_s);
  void solve_at(const StepTask& step, double t_s);
  void keep_constraints(const StepTask& step, double t_s);
  void lead_to_s(const StepTask& step, const VecX& v);
  double solve_by_newton(const StepTask& step);

  IslandWork& work_;
  const RigidModel& model_;
  ContactSolve solve_;
  PositionUpdate positions_;
  AndersonAcceleration acceleration_of_s_;
  EndNewton newton_;
  VecX q_s_, v_linear_, v_kept_, v_end_, v_mean_, v_next_, linear_before_, end_before_, displacement_, acceleration_;
  int unconverged_before_ = 0;  ///< ContactAudit::unconverged when the (sub)step began
};

}  // namespace stiction
