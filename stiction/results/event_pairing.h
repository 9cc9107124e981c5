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

/// Pairs the events of runs by kind, by element (body, pair, joint) and by time: an event of a run belongs to that of
/// an earlier run which is nearest to it, if it is in turn the nearest to that one. An event that only one run has
/// therefore leaves the pairs of the others alone, and pairs keep their order in time. The rows are in order of
/// first_time().
std::vector<EventRow> pair_events(const std::vector<std::vector<StepEvent>>& runs);

}  // namespace stiction
