#pragma once

#include "stiction/stepping/rigid/island_work.h"

namespace stiction {

/// The impulses of (2) in formulation.h at one s, for the active set of StepProblem, which grows until no contact
/// without a row closes. Each solve of a (sub)step is the warm start of the next.
class ContactSolve {
 public:
  explicit ContactSolve(IslandWork& work);
  /// A new (sub)step begins: a warm start comes from the step before, not from the last solve.
  void begin();
  /// Before rows of another solve of this (sub)step: it begins with the impulses of the last.
  void note_guesses();
  /// Of the contacts that StepProblem::find or include_again have chosen. Impulses: problem().solved(); `v_end`: the
  /// velocities after them.
  void solve(const StepProblem::Place& place, VecX& v_end);
  StepProblem& problem() { return problem_; }
  /// Did the warm start of the first solve fail by rounding alone?
  bool had_good_start() const { return had_good_start_; }

 private:
  void pose(const StepProblem::Place& place);
  bool has_excessive_impulses(double h);
  void tolerate_gaps(double h, RigidSolver::Result& result);

  IslandWork& work_;
  const RigidModel& model_;
  StepProblem problem_;
  VecX start_r_, tolerant_q_;
  double solved_h_ = 0;  ///< h of a solve whose impulses are not among the guesses yet
  bool had_good_start_ = false;
};

}  // namespace stiction
