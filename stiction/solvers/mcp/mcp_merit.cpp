#include "stiction/solvers/mcp/mcp_merit.h"

#include <cmath>
#include <limits>

#include "stiction/base/check.h"

namespace stiction {
namespace {

struct Phi {
  double value, da, db;
};

Phi calc_phi(double a, double b) {
  const double root = std::hypot(a, b);
  // At the kink, the element of the generalised gradient that treats both alike.
  if (root == 0) return {0, 1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
  // a + b - root without cancellation when both are positive: 2 a b / (a + b + root).
  const double value = a > 0 && b > 0 ? 2 * a * (b / (a + b + root)) : a + b - root;
  return {value, 1 - a / root, 1 - b / root};
}

}  // namespace

void McpMerit::update(const McpProblem& problem, const VecX& z, const VecX& F) {
  const auto n = z.size();
  Phi.resize(n);
  a.resize(n);
  b.resize(n);
  value = std::numeric_limits<double>::infinity();
  if (!F.allFinite() || !z.allFinite()) return;
  for (Eigen::Index i = 0; i < n; ++i) {
    // g, dg/dz, dg/dF
    double g = F[i], g_z = 0, g_F = 1;
    if (std::isfinite(problem.upper[i])) {
      const auto inner = calc_phi(problem.upper[i] - z[i], -F[i]);
      g = -inner.value;
      g_z = inner.da;
      g_F = inner.db;
    }
    Phi[i] = g;
    a[i] = g_z;
    b[i] = g_F;
    if (std::isfinite(problem.lower[i])) {
      const auto outer = calc_phi(z[i] - problem.lower[i], g);
      Phi[i] = outer.value;
      a[i] = outer.da + outer.db * g_z;
      b[i] = outer.db * g_F;
    }
  }
  value = 0.5 * Phi.squaredNorm();
}

void McpMerit::update_natural(const McpProblem& problem, const VecX& z, const VecX& F) {
  const auto n = z.size();
  Phi.resize(n);
  a.setZero(n);
  b.setOnes(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double to_lower = z[i] - problem.lower[i];
    const double to_upper = z[i] - problem.upper[i];
    Phi[i] = F[i];
    if (F[i] <= to_lower && F[i] >= to_upper) continue;
    Phi[i] = F[i] > to_lower ? to_lower : to_upper;
    a[i] = 1;
    b[i] = 0;
  }
  value = 0.5 * Phi.squaredNorm();
}

bool McpNewtonStep::solve(const McpMerit& merit, const McpProblem::Jacobian& J, double shift, VecX& d) {
  H_ = J;
  for (Eigen::Index j = 0; j < H_.cols(); ++j) {
    bool has_diagonal = false;
    for (int entry = H_.outerIndexPtr()[j]; entry < H_.outerIndexPtr()[j + 1]; ++entry) {
      const int i = H_.innerIndexPtr()[entry];
      H_.valuePtr()[entry] *= merit.b[i];
      if (i != j) continue;
      H_.valuePtr()[entry] += merit.a[j] + shift * merit.b[j];
      has_diagonal = true;
    }
    STICTION_CHECK(has_diagonal);
  }
  constexpr double working_precision = 1e-14;
  if (!lu_.compute(H_, working_precision)) return false;
  d = -merit.Phi;
  lu_.solve(d);
  return d.allFinite();
}

}  // namespace stiction
