#pragma once

#include <cstddef>
#include <vector>

#include "stiction/report/page_data.h"

namespace stiction {

/// Samples begin, ..., end - 1: interval k of so many that are as long as each other, up to one.
struct Interval {
  std::size_t begin = 0, end = 0;
};
Interval sample_interval(std::size_t k, std::size_t intervals, std::size_t samples);

/// Samples thinned to at most `most` points (at least 4) without losing a peak: of each of most/2 intervals with the
/// same number of samples (up to one) the least and the greatest finite value, in the order in which they come. An
/// interval with a sample that is not finite keeps one: a gap stays a gap.
std::vector<double> thin_samples(const std::vector<double>& samples, std::size_t most);
/// The times that go with them: the first of each interval and one in its middle, the same for all signals.
std::vector<double> thin_times(const std::vector<double>& times, std::size_t most);

PageSignals collect_signals(const RunReader& run, const std::vector<double>& times, const PageLimits& limits);

}  // namespace stiction
