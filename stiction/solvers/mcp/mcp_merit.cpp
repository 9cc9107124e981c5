#include "stiction/solvers/mcp/mcp_merit.h"

#include <Eigen/SparseLU>

#include <cmath>
#include <limits>

#include "stiction/math/dense_lu.h"

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

McpMerit calc_natural_map(const McpProblem& problem, const VecX& z, const VecX& F) {
  McpMerit merit;
  const auto n = z.size();
  merit.Phi.resize(n);
  merit.a = VecX::Zero(n);
  merit.b = VecX::Ones(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double to_lower = z[i] - problem.lower[i];
    const double to_upper = z[i] - problem.upper[i];
    merit.Phi[i] = F[i];
    if (F[i] <= to_lower && F[i] >= to_upper) continue;
    merit.Phi[i] = F[i] > to_lower ? to_lower : to_upper;
    merit.a[i] = 1;
    merit.b[i] = 0;
  }
  merit.value = 0.5 * merit.Phi.squaredNorm();
  return merit;
}

bool solve_mcp_newton(const McpMerit& merit, const McpJacobian& J, double shift, VecX& d) {
  const VecX diagonal = merit.a + shift * merit.b;
  if (J.is_sparse) {
    Eigen::SparseMatrix<double> H = merit.b.asDiagonal() * J.sparse;
    Eigen::SparseMatrix<double> D(H.rows(), H.cols());
    D.setIdentity();
    H += diagonal.asDiagonal() * D;
    H.makeCompressed();
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(H);
    if (lu.info() != Eigen::Success) return false;
    d = lu.solve(-merit.Phi);
    return lu.info() == Eigen::Success && d.allFinite();
  }
  MatX H = merit.b.asDiagonal() * J.dense;
  H.diagonal() += diagonal;
  const DenseLu lu(H);
  if (!lu.is_regular(1e-14)) return false;
  d = lu.solve(VecX(-merit.Phi));
  return d.allFinite();
}

}  // namespace stiction
