#pragma once

/// Random and published families of LCPs, from formulas. Small whole numbers make ties and singular blocks common.

#include <cmath>

#include "stiction/base/random.h"
#include "stiction/solvers/lcp/lcp.h"

namespace stiction::test {

inline MatX random_integers(Random& random, int rows, int columns, int low, int high) {
  MatX A(rows, columns);
  for (double& a : A.reshaped()) a = low + random.index(high - low + 1);
  return A;
}

inline MatX random_skew(Random& random, int n) {
  const MatX A = random_integers(random, n, n, -2, 2);
  return A - A.transpose();
}

/// Strictly diagonally dominant with positive diagonal: a P-matrix (Cottle, Pang, Stone 1992, 3.3.13).
inline LcpProblem make_p_problem(Random& random, int n) {
  MatX M(n, n);
  for (double& a : M.reshaped()) a = random.uniform(-1, 1);
  for (int i = 0; i < n; ++i) M(i, i) = M.row(i).cwiseAbs().sum() + random.uniform(0.01, 1);
  VecX q(n);
  for (double& a : q) a = random.uniform(-2, 2);
  return {M, q};
}

/// A A' with rank below n in most cases, in half of them plus a skew part (still PSD, not symmetric).
inline LcpProblem make_psd_problem(Random& random, int n) {
  const MatX A = random_integers(random, n, 1 + random.index(n), -2, 2);
  MatX M = A * A.transpose();
  if (random.index(2) == 0) M += random_skew(random, n);
  return {M, random_integers(random, n, 1, -4, 4)};
}

/// General small whole numbers with many zeros in q: degenerate, of no class, often without solution.
inline LcpProblem make_degenerate_problem(Random& random, int n) {
  const MatX M = random_integers(random, n, n, -1, 2);
  VecX q = random_integers(random, n, 1, -2, 2);
  for (double& a : q) a = random.index(2) == 0 ? 0 : a;
  return {M, q};
}

/// [A B; -B' C], A PSD and C with positive entries (strictly copositive): copositive-plus.
inline LcpProblem make_copositive_plus_problem(Random& random, int n) {
  const int k = random.index(n + 1);
  MatX M = random_skew(random, n);
  if (k > 0) {
    const MatX A = random_integers(random, k, 1 + random.index(k), -2, 2);
    M.topLeftCorner(k, k) += A * A.transpose();
  }
  M.bottomRightCorner(n - k, n - k) = random_integers(random, n - k, n - k, 1, 5);
  return {M, random_integers(random, n, 1, -4, 4)};
}

/// Murty 1978: upper triangular with ones and twos, q_i = 2^i - 2^(n+1), i = 1..n.
/// Lemke's method with d = 1 visits 2^n - 1 bases.
inline LcpProblem make_murty_problem(int n) {
  LcpProblem problem{MatX::Identity(n, n), VecX(n)};
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) problem.M(i, j) = 2;
    problem.q[i] = std::ldexp(1.0, i + 1) - std::ldexp(1.0, n + 1);
  }
  return problem;
}

inline Vec3 random_direction(Random& random) {
  Vec3 v;
  do {
    for (double& a : v) a = random.uniform(-1, 1);
  } while (v.squaredNorm() > 1 || v.squaredNorm() < 0.01);
  return v.normalized();
}

/// Stewart and Trinkle 1996 on `balls` unit balls in random mutual and floor contacts, friction polygon of `edges`
/// directions: with z = (c_n, c_t, lambda),
///     M = [J_n; J_t; 0] W [J_n' J_t' 0] + [0 0 0; 0 0 E; mu -E' 0],  q = (J_n v, J_t v, 0)
/// W the inverse mass. Copositive; singular, because opposite edges depend on each other and contacts outnumber bodies.
inline LcpProblem make_contact_problem(Random& random, int balls, int contacts, int edges, double mu = 0.4) {
  const int n = contacts * (2 + edges);
  MatX J = MatX::Zero(contacts * (1 + edges), 6 * balls);
  for (int c = 0; c < contacts; ++c) {
    const int a = c % balls;
    const int b = c < balls ? -1 : (a + 1 + random.index(balls - 1)) % balls;
    const Vec3 normal = b < 0 ? Vec3(0, 0, 1) : random_direction(random);
    const Vec3 tangent = normal.cross(std::abs(normal.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY()).normalized();
    for (int e = 0; e <= edges; ++e) {
      const double angle = 2 * M_PI * (e - 1) / edges;
      const Vec3 direction =
          e == 0 ? normal : Vec3(std::cos(angle) * tangent + std::sin(angle) * normal.cross(tangent));
      const int row = e == 0 ? c : contacts + c * edges + e - 1;
      // The contact point is at -normal from a's centre and at +normal from b's; unit radii.
      J.block<1, 3>(row, 6 * a) = direction.transpose();
      J.block<1, 3>(row, 6 * a + 3) = (-normal).cross(direction).transpose();
      if (b < 0) continue;
      J.block<1, 3>(row, 6 * b) = -direction.transpose();
      J.block<1, 3>(row, 6 * b + 3) = -normal.cross(direction).transpose();
    }
  }
  VecX inverse_mass(6 * balls), v(6 * balls);
  for (int i = 0; i < 6 * balls; ++i) {
    inverse_mass[i] = i % 6 < 3 ? 1.0 : 2.5;
    v[i] = random.uniform(-1, 1) - (i % 6 == 2 ? 1.0 : 0.0);
  }
  LcpProblem problem{MatX::Zero(n, n), VecX::Zero(n)};
  const int rows = static_cast<int>(J.rows());
  problem.M.topLeftCorner(rows, rows) = J * inverse_mass.asDiagonal() * J.transpose();
  problem.q.head(rows) = J * v;
  for (int c = 0; c < contacts; ++c) {
    problem.M(rows + c, c) = mu;
    for (int e = 0; e < edges; ++e) {
      problem.M(contacts + c * edges + e, rows + c) = 1;
      problem.M(rows + c, contacts + c * edges + e) = -1;
    }
  }
  return problem;
}

}  // namespace stiction::test
