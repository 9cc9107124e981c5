#pragma once

#include <string>
#include <vector>

#include "apps/cli/run_comparison.h"

namespace stiction::cli {

/// A recorded signal between its samples: linear; outside of them the first or the last value.
double interpolate_signal(const std::vector<double>& times, const std::vector<double>& values, double t);

/// The largest size of a finite value; 0 if there is none.
double find_largest_size(const std::vector<double>& values);

/// The time up to which all runs go [s].
double find_common_end(const std::vector<ComparedRun>& runs);

/// For each run but the first, what differs first from the first run, and when, up to their common end:
///   the first event that only one of the two has, or whose times differ by more than a step (the longer time.step),
///   the first of `signals` that differs by more than 1e-3 of its range over both runs and 1e-6 of the largest
///   value among those of its unit.
/// Signals are compared at the samples of the run that has fewer of them; the other is interpolated.
std::string format_first_difference(const std::vector<ComparedRun>& runs, const std::vector<std::string>& signals);

}  // namespace stiction::cli
