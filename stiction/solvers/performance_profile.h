#pragma once

#include <string>
#include <vector>

namespace stiction {

/// Performance profile of several methods on a set of problems (Dolan, More 2002): with t_ps the time of method s on
/// problem p, infinite where it did not solve it,
///     r_ps = t_ps / min_s t_ps                                                                                (1)
///     rho_s(tau) = (number of p with r_ps <= tau) / (number of p)                                             (2)
/// rho_s(1) is how often the method is the fastest (equals count for each), rho_s(infinity) how often it solves.
/// A problem that no method solves counts in the denominator: it lowers all curves alike.
struct PerformanceProfile {
  std::vector<std::string> methods;
  int problems = 0;
  std::vector<std::vector<double>> ratios;  ///< for each method the finite r_ps, ascending

  double calc_rho(std::size_t method, double tau) const;
  int solved(std::size_t method) const { return static_cast<int>(ratios[method].size()); }
  /// The largest finite ratio of all; 1 if there is none.
  double calc_largest_ratio() const;
};

/// seconds[method][problem]; not finite or negative: not solved.
PerformanceProfile make_performance_profile(std::vector<std::string> methods,
                                            const std::vector<std::vector<double>>& seconds);

}  // namespace stiction
