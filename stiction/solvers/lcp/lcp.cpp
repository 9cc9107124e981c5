#include "stiction/solvers/lcp/lcp.h"

#include <cmath>
#include <limits>
#include <vector>

#include "stiction/base/check.h"
#include "stiction/math/dense_least_norm.h"
#include "stiction/math/dense_lu.h"

namespace stiction {

void check_lcp(const LcpProblem& problem) {
  STICTION_CHECK(problem.M.rows() == problem.M.cols());
  STICTION_CHECK(problem.M.rows() == problem.q.size());
}

double calc_lcp_residual(const LcpProblem& problem, const VecX& z) {
  STICTION_CHECK(z.size() == problem.q.size());
  double residual = 0;
  const VecX w = problem.M * z + problem.q;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (!std::isfinite(z[i]) || !std::isfinite(w[i])) return std::numeric_limits<double>::infinity();
    residual = std::max(residual, std::abs(std::min(z[i], w[i])));
  }
  return residual;
}

double calc_lcp_rounding(const LcpProblem& problem, const VecX& z) {
  if (z.size() == 0) return 0;
  const double magnitude = (problem.M.cwiseAbs() * z.cwiseAbs() + problem.q.cwiseAbs()).maxCoeff();
  return std::isfinite(magnitude) ? 4 * std::numeric_limits<double>::epsilon() * magnitude : 0;
}

bool is_lcp_solved(double residual, double rounding, double tolerance, double size) {
  if (rounding > 1e5 * tolerance * std::max(1.0, size)) return false;
  return residual <= tolerance || (residual <= tolerance * size && residual <= rounding);
}

void update_lcp_verdict(const LcpProblem& problem, double tolerance, LcpResult& result) {
  result.residual = calc_lcp_residual(problem, result.z);
  const double size = result.z.size() > 0 ? problem.q.lpNorm<Eigen::Infinity>() : 0;
  if (is_lcp_solved(result.residual, calc_lcp_rounding(problem, result.z), tolerance, size)) {
    result.status = LcpStatus::solved;
  } else if (result.status == LcpStatus::solved) {
    result.status = LcpStatus::stalled;
  }
}

void refine_lcp(const LcpProblem& problem, LcpResult& result) {
  const double rounding = calc_lcp_rounding(problem, result.z);
  if (result.residual <= rounding) return;
  const VecX w = problem.M * result.z + problem.q;
  std::vector<int> active;
  for (int i = 0; i < w.size(); ++i) {
    if (result.z[i] > w[i]) active.push_back(i);
  }
  if (active.empty()) return;
  // M_aa dz = -w_a with everything outside the active set at zero.
  VecX start = VecX::Zero(w.size());
  start(active) = result.z(active);
  const VecX error = (problem.M * start + problem.q)(active);
  const MatX block = problem.M(active, active);
  const auto accept = [&](const VecX& correction) {
    VecX z = start;
    z(active) -= correction;
    z = z.cwiseMax(0.0);
    const double residual = calc_lcp_residual(problem, z);
    if (!(residual < result.residual)) return;
    result.z = z;
    result.residual = residual;
  };
  accept(DenseLu(block).solve(error));
  // A singular block: least squares of smallest norm.
  if (result.residual > 100 * rounding) accept(solve_dense_least_norm(block, error));
}

}  // namespace stiction
