#pragma once

#include "stiction/stepping/rigid/island_work.h"

namespace stiction {

/// Positions at the end of a (sub)step, (1) of formulation.h:
///     q+ = q + h ((1 - theta) v + theta v+)
/// with these exceptions: free bodies turn by free_flight.h; clusters on which no impulse acts, of bodies that may
/// rebound or that joints couple, move by the mean of their velocities: of second order, and exact under gravity, so
/// that heights of rebounds are; what rebounds from an impact that was not located had its old velocity until then.
class PositionUpdate {
 public:
  explicit PositionUpdate(IslandWork& work);
  /// `problem`: solved, with its rows in IslandWork; v_end: after its impulses.
  void move(const StepTask& step, const StepProblem& problem, const VecX& v_end, IslandState& to);

 private:
  void fly_by_mean(const StepTask& step, const StepProblem& problem, const VecX& v_end);
  void rebound_in_time(double h, const SolvedContacts& solved, const VecX& v_end);

  IslandWork& work_;
  const RigidModel& model_;
  VecX displacement_, acceleration_;
  std::vector<double> start_speed_, impact_time_;  ///< of contacts; of clusters of the island
  std::vector<char> pushed_;                       ///< clusters of the island on which impulses act
};

}  // namespace stiction
