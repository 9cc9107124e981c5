#include "stiction/report/collect_signals.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

bool is_constant(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

}  // namespace

Interval sample_interval(std::size_t k, std::size_t intervals, std::size_t samples) {
  return {k * samples / intervals, (k + 1) * samples / intervals};
}

std::vector<double> thin_samples(const std::vector<double>& samples, std::size_t most) {
  if (samples.size() <= most) return samples;
  std::vector<double> thinned;
  const std::size_t intervals = most / 2;
  for (std::size_t k = 0; k < intervals; ++k) {
    const Interval at = sample_interval(k, intervals, samples.size());
    std::size_t low = at.begin, high = low, gap = at.end;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      if (!std::isfinite(samples[i])) gap = i;
      // What is not a number is never below nor above: a number takes its place.
      if (samples[i] < samples[low] || std::isnan(samples[low])) low = i;
      if (samples[i] > samples[high] || std::isnan(samples[high])) high = i;
    }
    if (gap < at.end) low = gap;
    thinned.push_back(samples[std::min(low, high)]);
    thinned.push_back(samples[std::max(low, high)]);
  }
  return thinned;
}

std::vector<double> thin_times(const std::vector<double>& times, std::size_t most) {
  if (times.size() <= most) return times;
  std::vector<double> thinned;
  const std::size_t intervals = most / 2;
  for (std::size_t k = 0; k < intervals; ++k) {
    const Interval at = sample_interval(k, intervals, times.size());
    thinned.push_back(times[at.begin]);
    thinned.push_back(times[(at.begin + at.end) / 2]);
  }
  // The last one ends the run.
  thinned.back() = times.back();
  return thinned;
}

PageSignals collect_signals(const RunReader& run, const std::vector<double>& times, const PageLimits& limits) {
  PageSignals page;
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(run.signals().size(), 1));
  const auto most =
      static_cast<std::size_t>(std::clamp<std::int64_t>(limits.signal_numbers / count, 256, limits.signal_points));
  page.times = thin_times(times, most);
  page.thinned = times.size() > most;
  for (const SignalInfo& info : run.signals()) {
    std::vector<double> samples = run.read(info.name);
    samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(times.size()), samples.end());
    PageSignal signal{info, thin_samples(samples, most)};
    if (!signal.values.empty() && is_constant(signal.values))
      signal.values.erase(signal.values.begin() + 1, signal.values.end());
    page.signals.push_back(std::move(signal));
  }
  return page;
}

}  // namespace stiction
