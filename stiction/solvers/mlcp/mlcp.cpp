#include "stiction/solvers/mlcp/mlcp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/base/infinity.h"
#include "stiction/math/dense_least_norm.h"

namespace stiction {
namespace {}  // namespace

MlcpProblem make_mlcp(const MatX& M, const VecX& q, const std::vector<bool>& is_free) {
  STICTION_CHECK(static_cast<Eigen::Index>(is_free.size()) == q.size());
  MlcpProblem problem{M, q, VecX::Zero(q.size()), VecX::Constant(q.size(), infinity)};
  for (int i = 0; i < q.size(); ++i) {
    if (is_free[i]) problem.lower[i] = -infinity;
  }
  return problem;
}

MlcpProblem make_mlcp(const LcpProblem& problem) {
  return {problem.M, problem.q, VecX::Zero(problem.q.size()), VecX::Constant(problem.q.size(), infinity)};
}

void check_mlcp(const MlcpProblem& problem) {
  const auto n = problem.q.size();
  STICTION_CHECK(problem.M.rows() == n && problem.M.cols() == n);
  STICTION_CHECK(problem.lower.size() == n && problem.upper.size() == n);
  STICTION_CHECK((problem.lower.array() <= problem.upper.array()).all());
  STICTION_CHECK((problem.lower.array() < infinity).all() && (problem.upper.array() > -infinity).all());
}

double calc_mlcp_residual(const MlcpProblem& problem, const VecX& z) {
  STICTION_CHECK(z.size() == problem.q.size());
  const VecX w = problem.M * z + problem.q;
  double residual = 0;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (!std::isfinite(z[i]) || !std::isfinite(w[i])) return infinity;
    // z - mid(l, u, z - w) = mid(z - u, z - l, w), which subtracts nothing from w: exact on free rows.
    residual = std::max(residual, std::abs(std::clamp(w[i], z[i] - problem.upper[i], z[i] - problem.lower[i])));
  }
  return residual;
}

double calc_mlcp_rounding(const MlcpProblem& problem, const VecX& z) {
  if (z.size() == 0) return 0;
  const double magnitude = (problem.M.cwiseAbs() * z.cwiseAbs() + problem.q.cwiseAbs() + z.cwiseAbs()).maxCoeff();
  return std::isfinite(magnitude) ? 4 * std::numeric_limits<double>::epsilon() * magnitude : 0;
}

void update_mlcp_verdict(const MlcpProblem& problem, double tolerance, LcpResult& result) {
  result.residual = calc_mlcp_residual(problem, result.z);
  const double size = result.z.size() > 0 ? problem.q.lpNorm<Eigen::Infinity>() : 0;
  if (is_lcp_solved(result.residual, calc_mlcp_rounding(problem, result.z), tolerance, size)) {
    result.status = LcpStatus::solved;
  } else if (result.status == LcpStatus::solved) {
    result.status = LcpStatus::stalled;
  }
}

void refine_mlcp(const MlcpProblem& problem, LcpResult& result) {
  VecX z = result.z.cwiseMax(problem.lower).cwiseMin(problem.upper);
  if (!z.allFinite()) return;
  const VecX w = problem.M * z + problem.q;
  std::vector<int> inside;
  for (int i = 0; i < z.size(); ++i) {
    if (w[i] >= z[i] - problem.lower[i]) {
      z[i] = problem.lower[i];
    } else if (w[i] <= z[i] - problem.upper[i]) {
      z[i] = problem.upper[i];
    } else {
      inside.push_back(i);
    }
  }
  if (!inside.empty()) {
    const VecX error = (problem.M * z + problem.q)(inside);
    const MatX block = problem.M(inside, inside);
    z(inside) -= solve_dense_least_norm(block, error);
    z = z.cwiseMax(problem.lower).cwiseMin(problem.upper);
  }
  const double residual = calc_mlcp_residual(problem, z);
  if (residual < result.residual) {
    result.z = z;
    result.residual = residual;
  }
}

}  // namespace stiction
