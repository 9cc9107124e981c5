#include "stiction/solvers/mcp/mcp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"

namespace stiction {

void check_mcp(const McpProblem& problem, const VecX& start) {
  const auto n = start.size();
  STICTION_CHECK(problem.lower.size() == n && problem.upper.size() == n);
  STICTION_CHECK((problem.lower.array() <= problem.upper.array()).all());
}

double calc_mcp_residual(const McpProblem& problem, const VecX& z, const VecX& F) {
  double residual = 0;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (!std::isfinite(z[i]) || !std::isfinite(F[i])) return std::numeric_limits<double>::infinity();
    // z - mid(l, u, z - F) = mid(z - u, z - l, F), which keeps the digits of F.
    residual = std::max(residual, std::abs(std::clamp(F[i], z[i] - problem.upper[i], z[i] - problem.lower[i])));
  }
  return residual;
}

double calc_mcp_residual(McpProblem& problem, const VecX& z) {
  VecX F(z.size());
  problem.calc_F(z, F);
  STICTION_CHECK(F.size() == z.size());
  return calc_mcp_residual(problem, z, F);
}

}  // namespace stiction
