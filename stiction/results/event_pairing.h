#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/stepping/stepper.h"

namespace stiction {

/// The same event in several runs: its time in each, or nothing where a run does not have it.
struct EventRow {
  std::string kind, name;
  std::vector<std::optional<double>> times;  ///< one a run [s]
  int number = 0;                            ///< counts the rows of this kind and name from 1, in order of time

  double first_time() const;   ///< the earliest of the times
  bool is_complete() const;    ///< does every run have it?
  double calc_spread() const;  ///< latest less earliest time [s]
};

/// Pairs the events of runs by kind, by element (body, pair of bodies in either order, joint) and in order of time:
///   1. events that are at most `resolution` [s] apart, one by one in order of time: the same event, also where several
///      have one time;
///   2. of the others between two such pairs, those that are the nearest to each other.
/// An event that only one run has therefore leaves the pairs of the others alone, and pairs keep their order in time.
/// An event that ends what another began (a release an impact, core_left core_reached, slack taut, wake sleep) is
/// paired as its beginning is: release 4 with release 4 where impact 4 belongs to impact 4. The rows are in order of
/// first_time(); a pair of bodies is named as in the first run that has it.
std::vector<EventRow> pair_events(const std::vector<std::vector<StepEvent>>& runs, double resolution);

}  // namespace stiction
