#include "stiction/solvers/lcp/lcp_projected_gauss_seidel.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"

namespace stiction {
namespace {

constexpr int default_sweeps = 1000;

// One sweep of (1), keeping w = M z + q up to date column by column.
void sweep(const LcpProblem& problem, double omega, VecX& z, VecX& w) {
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    const double diagonal = problem.M(i, i);
    if (!(diagonal > 0)) continue;
    const double next = std::max(0.0, z[i] - omega * w[i] / diagonal);
    const double change = next - z[i];
    if (change == 0) continue;
    w += change * problem.M.col(i);
    z[i] = next;
  }
}

}  // namespace

LcpResult solve_lcp_projected_sor(const LcpProblem& problem, const LcpOptions& options, double omega) {
  check_lcp(problem);
  STICTION_CHECK(omega > 0 && omega < 2);
  const int limit = options.max_iterations > 0 ? options.max_iterations : default_sweeps;
  LcpResult result;
  result.z = options.start != nullptr ? VecX(options.start->cwiseMax(0.0)) : VecX(VecX::Zero(problem.q.size()));
  STICTION_CHECK(result.z.size() == problem.q.size());
  VecX w = problem.M * result.z + problem.q;
  VecX before(result.z.size());
  while (result.iterations < limit) {
    const double residual = result.z.size() > 0 ? result.z.cwiseMin(w).lpNorm<Eigen::Infinity>() : 0;
    if (residual <= options.tolerance) break;
    if (!std::isfinite(residual)) {
      result.z.setZero();
      result.status = LcpStatus::stalled;
      break;
    }
    before = result.z;
    sweep(problem, omega, result.z, w);
    ++result.iterations;
    if (before == result.z) {
      result.status = LcpStatus::stalled;
      break;
    }
    // The updated w drifts by rounding.
    if (result.iterations % 100 == 0) w = problem.M * result.z + problem.q;
  }
  update_lcp_verdict(problem, options.tolerance, result);
  return result;
}

LcpResult solve_lcp_projected_gauss_seidel(const LcpProblem& problem, const LcpOptions& options) {
  return solve_lcp_projected_sor(problem, options, 1.0);
}

}  // namespace stiction
