#pragma once

#include "stiction/solvers/lcp/lcp_solvers.h"
#include "stiction/solvers/mcp/mcp.h"
#include "stiction/solvers/mcp/mcp_merit.h"

namespace stiction {

/// One descent on Psi = 1/2 |Phi|^2 (mcp_merit.h) from one start. Every step tries, in this order, what `directions`
/// allow and takes the first that passes a line search:
/// 1. Josephy-Newton: the solution of the mixed LCP F(z) + F'(z) (x - z), found by pivoting (dense problems up to
///    most_pivoted unknowns; above, one active-set step of it, calc_natural_map);
/// 2. semismooth Newton on Phi, with a small shift of F' where the system is singular (De Luca, Facchinei, Kanzow
/// 1996);
/// 3. the gradient of Psi.
/// The line search is nonmonotone (Grippo, Lampariello, Lucidi 1986), against the largest of the last five values.
class McpNewton {
 public:
  struct Directions {
    bool josephy = true;
    bool semismooth = true;
  };
  static constexpr int most_pivoted = 120;

  /// Ends as solved, stalled, or iteration_limit after `limit` steps; the result is the point with the least residual.
  McpResult solve(const McpProblem& problem, const VecX& start, double tolerance, int limit, Directions directions);
  /// Whether the last linearised mixed LCP had no solution that pivoting found.
  bool ended_on_ray() const { return ended_on_ray_; }

 private:
  bool step(const McpProblem& problem, Directions directions);
  bool find_josephy_direction(const McpProblem& problem, VecX& d);
  bool find_semismooth_direction(const VecX& gradient, VecX& d) const;
  /// Halves the step until Psi(z + t d) <= reference + slope t; moves there if found.
  bool search(const McpProblem& problem, const VecX& d, double slope, int halvings);
  double reference() const;

  VecX z_, F_, trial_z_, trial_F_;
  McpJacobian J_;
  McpMerit merit_, trial_;
  std::vector<double> last_values_;
  LcpWorkspace workspace_;
  bool ended_on_ray_ = false;
};

}  // namespace stiction
