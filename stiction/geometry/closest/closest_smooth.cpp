#include "stiction/geometry/closest/closest_smooth.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {
namespace {

/// Value and derivatives of (1) at n.
struct Evaluation {
  Vec3 x, y;
  Mat3 H;
  double phi = 0;
  Vec3 slope;  ///< d - phi n
  void complete(const Vec3& n) {
    const Vec3 d = y - x;
    phi = n.dot(d);
    slope = d - phi * n;
  }
};

struct EllipsoidPair {
  Vec3 Q_A;
  Mat3 Q_B;
  Vec3 p;
  double size;

  double gap(const Vec3& n) const {
    return n.dot(p) - std::sqrt(n.dot(Q_A.cwiseProduct(n))) - std::sqrt(n.dot(Q_B * n));
  }
  void evaluate(const Vec3& n, Evaluation& e) const {
    const Vec3 qa = Q_A.cwiseProduct(n), qb = Q_B * n;
    const double ia = 1 / std::sqrt(n.dot(qa)), ib = 1 / std::sqrt(n.dot(qb));
    e.x = ia * qa;
    e.y = p - ib * qb;
    // H = (Q - s s') / h
    e.H.noalias() = ib * Q_B - (ib * ib * ib) * qb * qb.transpose() - (ia * ia * ia) * qa * qa.transpose();
    e.H.diagonal() += ia * Q_A;
    e.complete(n);
  }
};

struct SupportPair {
  const CoreBody& A;
  const CoreBody& B;
  double size;

  static Mat3 calc_hessian(const CoreBody& body, const Vec3& n) {
    if (body.core == CoreBody::Core::point) return Mat3::Zero();
    const std::optional<Mat3> H = calc_support_hessian(*body.shape, body.X.R.transpose() * n);
    return H ? Mat3(body.X.R * *H * body.X.R.transpose()) : Mat3::Constant(NAN);
  }
  double gap(const Vec3& n) const { return n.dot(B.support(-n) - A.support(n)); }
  void evaluate(const Vec3& n, Evaluation& e) const {
    e.x = A.support(n);
    e.y = B.support(-n);
    e.H = calc_hessian(A, n) + calc_hessian(B, -n);
    e.complete(n);
  }
};

/// Newton's method from n.
template <class Pair>
NormalSolution climb(const Pair& pair, Vec3 n, int limit) {
  NormalSolution s;
  Evaluation e;
  pair.evaluate(n, e);
  double slope = e.slope.norm();
  bool positive = false;
  const double rounding = 4e-16 * pair.size;
  for (s.iterations = 0; s.iterations < limit; ++s.iterations) {
    // (2) in an orthonormal basis of the tangent plane.
    const Vec3 t = n.unitOrthogonal(), u = n.cross(t);
    const Vec3 Ht = e.H * t;
    const double a = t.dot(Ht) + e.phi, b = u.dot(Ht), c = u.dot(e.H * u) + e.phi;
    const double mean = 0.5 * (a + c), half = 0.5 * (a - c), radius = std::sqrt(half * half + b * b);
    const double low = mean - radius, high = mean + radius;
    if (!std::isfinite(high)) break;
    positive = low > 0;
    if (slope <= rounding) break;
    const double g1 = t.dot(e.slope), g2 = u.dot(e.slope);
    double d1, d2;
    if (low > 1e-9 * high) {
      const double det = a * c - b * b;
      d1 = (c * g1 - b * g2) / det;
      d2 = (a * g2 - b * g1) / det;
    } else {
      // Uphill along both eigenvectors: 1/|lambda|, at most a quarter turn's share.
      const double l1 = std::max(std::abs(high), 1e-9 * pair.size), l2 = std::max(std::abs(low), 1e-9 * pair.size);
      const double angle = 0.5 * std::atan2(2 * b, a - c), cs = std::cos(angle), sn = std::sin(angle);
      const double p = (cs * g1 + sn * g2) / l1, q = (-sn * g1 + cs * g2) / l2;
      d1 = cs * p - sn * q;
      d2 = sn * p + cs * q;
    }
    const double turn = std::sqrt(d1 * d1 + d2 * d2);
    double share = turn > 0.7 ? 0.7 / turn : 1;
    const Vec3 step = d1 * t + d2 * u;
    bool advanced = false;
    for (int halving = 0; halving < 12; ++halving, share *= 0.35) {
      const Vec3 n_new = (n + share * step).normalized();
      Evaluation trial;
      pair.evaluate(n_new, trial);
      const double slope_new = trial.slope.norm();
      if (trial.phi > e.phi + 1e-4 * share * turn * slope * 0.1 ||
          (slope_new < 0.5 * slope && trial.phi > e.phi - 1e-12 * pair.size)) {
        n = n_new, e = trial, slope = slope_new;
        advanced = true;
        break;
      }
      if (slope < 1e-11 * pair.size) break;
    }
    if (!advanced) break;
  }
  s.n = n;
  s.x = e.x;
  s.y = e.y;
  s.phi = e.phi;
  s.misfit = slope;
  s.maximum = positive;
  return s;
}

/// Warm: one climb. Cold: climb from the best of the given directions, and from the best few if the shapes overlap,
/// where phi has several maxima.
template <class Pair, std::size_t N>
NormalSolution search(const Pair& pair, const std::array<Vec3, N>& starts, const Vec3& warm_normal) {
  const double enough = 1e-12 * pair.size;
  if (!warm_normal.isZero(0)) {
    const NormalSolution s = climb(pair, warm_normal, 12);
    if (s.maximum && s.misfit <= enough) return s;
  }
  NormalSolution best = climb(pair, starts[0], 30);
  if (best.phi > 0 && best.maximum && best.misfit <= enough) return best;
  // The four best starts.
  std::array<double, N> gap;
  for (std::size_t i = 0; i < N; ++i) gap[i] = pair.gap(starts[i]);
  double largest = std::max(best.phi, *std::max_element(gap.begin(), gap.end()));
  for (int k = 0; k < 4; ++k) {
    const std::size_t i = static_cast<std::size_t>(std::max_element(gap.begin(), gap.end()) - gap.begin());
    gap[i] = -1e300;
    if (i == 0) continue;
    const NormalSolution s = climb(pair, starts[i], 30);
    largest = std::max(largest, s.phi);
    const bool good = s.maximum && s.misfit <= enough, best_good = best.maximum && best.misfit <= enough;
    if ((good && !best_good) || (good == best_good && s.phi > best.phi + enough)) best = s;
    if (best.phi > 0 && good) break;
  }
  // What was seen higher up is a better direction, though no climb ended there.
  if (best.phi <= 0 && largest > best.phi + 1e-9 * pair.size) best.maximum = false;
  return best;
}

}  // namespace

NormalSolution solve_ellipsoids(const Vec3& semi_axes_a, const Vec3& semi_axes_b, const Transform& X_AB,
                                const Vec3& warm_normal) {
  const Mat3 scaled = X_AB.R * semi_axes_b.asDiagonal();
  const EllipsoidPair pair{semi_axes_a.cwiseAbs2(), scaled * scaled.transpose(), X_AB.p,
                           semi_axes_a.maxCoeff() + semi_axes_b.maxCoeff()};
  // Exact if both ellipsoids have the same axes and proportions; then the axes of both.
  Mat3 sum = pair.Q_B;
  sum.diagonal() += pair.Q_A;
  const Vec3 guess = sum.inverse() * pair.p;
  const double length = guess.norm();
  std::array<Vec3, 13> starts;
  starts[0] = length > 0 ? Vec3(guess / length) : Vec3(Vec3::UnitZ());
  for (int i = 0; i < 3; ++i) {
    starts[1 + 4 * i] = Vec3::Unit(i);
    starts[2 + 4 * i] = -Vec3::Unit(i);
    starts[3 + 4 * i] = X_AB.R.col(i);
    starts[4 + 4 * i] = -X_AB.R.col(i);
  }
  return search(pair, starts, warm_normal);
}

NormalSolution solve_smooth(const CoreBody& A, const CoreBody& B, const Vec3& warm_normal) {
  const SupportPair pair{A, B, A.size + B.size};
  const Vec3 between = B.X.p - A.X.p;
  const double length = between.norm();
  std::array<Vec3, 21> starts;
  starts[0] = length > 0 ? Vec3(between / length) : Vec3(Vec3::UnitZ());
  for (int i = 0; i < 3; ++i) {
    starts[1 + 4 * i] = A.X.R.col(i);
    starts[2 + 4 * i] = -A.X.R.col(i);
    starts[3 + 4 * i] = B.X.R.col(i);
    starts[4 + 4 * i] = -B.X.R.col(i);
  }
  for (int i = 0; i < 8; ++i) starts[13 + i] = Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).normalized();
  return search(pair, starts, warm_normal);
}

}  // namespace stiction
