#include "stiction/solvers/performance_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"

namespace stiction {

double PerformanceProfile::calc_rho(std::size_t method, double tau) const {
  if (problems == 0) return 0;
  const std::vector<double>& sorted = ratios[method];
  const auto within = std::upper_bound(sorted.begin(), sorted.end(), tau) - sorted.begin();
  return static_cast<double>(within) / problems;
}

double PerformanceProfile::calc_largest_ratio() const {
  double largest = 1;
  for (const std::vector<double>& sorted : ratios) {
    if (!sorted.empty()) largest = std::max(largest, sorted.back());
  }
  return largest;
}

PerformanceProfile make_performance_profile(std::vector<std::string> methods,
                                            const std::vector<std::vector<double>>& seconds) {
  STICTION_CHECK(methods.size() == seconds.size());
  // A clock that saw nothing must not divide by zero.
  constexpr double tick = 1e-9;
  PerformanceProfile profile;
  profile.problems = seconds.empty() ? 0 : static_cast<int>(seconds.front().size());
  profile.ratios.resize(methods.size());
  for (int p = 0; p < profile.problems; ++p) {
    double best = std::numeric_limits<double>::infinity();
    const auto time_of = [&](std::size_t s) {
      STICTION_CHECK(static_cast<int>(seconds[s].size()) == profile.problems);
      const double t = seconds[s][static_cast<std::size_t>(p)];
      return std::isfinite(t) && t >= 0 ? std::max(t, tick) : std::numeric_limits<double>::infinity();
    };
    for (std::size_t s = 0; s < methods.size(); ++s) best = std::min(best, time_of(s));
    for (std::size_t s = 0; s < methods.size(); ++s) {
      if (std::isfinite(time_of(s))) profile.ratios[s].push_back(time_of(s) / best);
    }
  }
  for (std::vector<double>& sorted : profile.ratios) std::sort(sorted.begin(), sorted.end());
  profile.methods = std::move(methods);
  return profile;
}

}  // namespace stiction
