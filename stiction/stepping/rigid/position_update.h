#pragma once

#include "stiction/stepping/rigid/island_work.h"

namespace stiction {

/// Positions at the end of a (sub)step, (1) of formulation.h:
///     q+ = q + h ((1 - theta) v + theta v+)
/// with these exceptions: free bodies turn by free_flight.h; clusters on which no impulse acts, of bodies that may
/// rebound or that joints couple, move by the mean of their velocities: of second order, and exact under gravity, so
/// that heights of rebounds are; what rebounds from an impact that was not located had its old velocity until then.
/// None of these where it would close a gap that (2) keeps.
class PositionUpdate {
 public:
  explicit PositionUpdate(IslandWork& work);
  /// `problem`: solved, with its rows in IslandWork; v_end: after its impulses.
  void move(const StepTask& step, const StepProblem& problem, const VecX& v_end, IslandState& to);

 private:
  void fly_by_mean(const StepTask& step, const StepProblem& problem);
  void rebound_in_time(const StepTask& step, const StepProblem& problem, const VecX& v_end);
  bool keep_gaps(const StepTask& step, const StepProblem& problem);
  void calc_displacement(double h, const VecX& v_end);

  IslandWork& work_;
  const RigidModel& model_;
  VecX displacement_, acceleration_;
  VecX weight_;  ///< of v+ in the displacement, one for each velocity; theta in (1)
  VecX fall_;    ///< what accelerations add to it
  std::vector<double> start_speed_, speed_, impact_time_;  ///< of contacts; of clusters of the island
  std::vector<char> pushed_;                               ///< clusters of the island on which impulses act
};

}  // namespace stiction
