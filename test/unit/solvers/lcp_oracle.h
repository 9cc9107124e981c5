#pragma once

/// Solutions of small LCPs by exhaustion, sharing no code with the library: the reference the solvers are held against.

#include <Eigen/Dense>

#include <optional>

namespace stiction::test {

constexpr int oracle_size = 8;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, oracle_size, oracle_size>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, oracle_size, 1>;

/// max |min(z, M z + q)|, written again.
inline double recompute_residual(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const Eigen::VectorXd& z) {
  double worst = 0;
  for (int i = 0; i < q.size(); ++i) {
    double w = q[i];
    for (int j = 0; j < q.size(); ++j) w += M(i, j) * z[j];
    worst = std::max(worst, std::abs(std::min(z[i], w)));
  }
  return worst;
}

/// Every nonsingular complementary basis; then, because a solution may live in singular cones only, every set of
/// independent columns with at most one of each pair (a solution implies a basic one: 3^n sets).
inline std::optional<Eigen::VectorXd> enumerate_lcp(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  const int n = static_cast<int>(q.size());
  const double tolerance = 1e-9;
  // [I -M] (w, z) = q
  for (int set = 0; set < 1 << n; ++set) {
    SmallMatrix basis = SmallMatrix::Identity(n, n);
    for (int i = 0; i < n; ++i) {
      if (set >> i & 1) basis.col(i) = -M.col(i);
    }
    const Eigen::FullPivLU<SmallMatrix> lu(basis);
    if (!lu.isInvertible()) continue;
    const SmallVector x = lu.solve(SmallVector(q));
    if (x.minCoeff() < -tolerance) continue;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
      if (set >> i & 1) z[i] = x[i];
    }
    return z;
  }
  int sets = 1;
  for (int i = 0; i < n; ++i) sets *= 3;
  for (int set = 0; set < sets; ++set) {
    SmallMatrix columns(n, n);
    int count = 0;
    int owner[oracle_size];
    for (int i = 0, code = set; i < n; ++i, code /= 3) {
      if (code % 3 == 0) continue;
      if (code % 3 == 1) columns.col(count) = SmallVector::Unit(n, i);
      if (code % 3 == 2) columns.col(count) = -M.col(i);
      owner[count++] = code % 3 == 2 ? i : -1;
    }
    if (count == 0 || count == n) continue;
    const SmallMatrix used = columns.leftCols(count);
    const Eigen::ColPivHouseholderQR<SmallMatrix> qr(used);
    if (qr.rank() < count) continue;
    const SmallVector x = qr.solve(SmallVector(q));
    if (x.minCoeff() < -tolerance || (used * x - q).lpNorm<Eigen::Infinity>() > tolerance) continue;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    for (int k = 0; k < count; ++k) {
      if (owner[k] >= 0) z[owner[k]] = x[k];
    }
    return z;
  }
  return std::nullopt;
}

}  // namespace stiction::test
