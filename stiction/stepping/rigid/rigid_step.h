#pragma once

#include "stiction/solvers/anderson_acceleration.h"
#include "stiction/stepping/rigid/contact_solve.h"
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
  /// An iteration that is slow to end, as on surfaces with little curvature, over which contacts run fast, is
  /// accelerated.
  void iterate_s(const StepTask& step, int iterations);
  /// q+ of (1) (position_update.h), and the work of forces.
  void move(const StepTask& step, IslandState& to);

 private:
  StepProblem::Place make_place(const StepTask& step, double t_s);
  void solve_at(const StepTask& step, double t_s);
  void keep_constraints(const StepTask& step, double t_s);

  IslandWork& work_;
  const RigidModel& model_;
  ContactSolve solve_;
  PositionUpdate positions_;
  AndersonAcceleration acceleration_of_s_;
  VecX q_s_, v_linear_, v_kept_, v_end_, v_mean_, v_next_, displacement_, acceleration_;
  int unconverged_before_ = 0;  ///< ContactAudit::unconverged when the (sub)step began
};

}  // namespace stiction
