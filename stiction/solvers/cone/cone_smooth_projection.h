#pragma once

#include <cmath>

#include "stiction/math/vector.h"

namespace stiction {

/// Smoothed projection on L = { |x_t| <= x_0 } (Fukushima, Luo, Tseng 2002):
///     P_e(z) = sum over the two spectral values l of z of p(l) times its idempotent                           (1)
///     p(l) = (l + sqrt(l^2 + 4 e^2)) / 2
/// x = P_e(x - y) means x o y = e^2 in the Jordan algebra of L, x and y within; e = 0 is the projection itself.
/// p without cancellation.
inline double smooth_plus(double l, double e) {
  const double root = std::sqrt(l * l + 4 * e * e);
  if (l > 0) return 0.5 * (l + root);
  return e > 0 ? 2 * e * e / (root - l) : 0;
}

/// dp/dl
inline double smooth_plus_slope(double l, double e) {
  if (e == 0) return l > 0 ? 1 : 0;
  const double root = std::sqrt(l * l + 4 * e * e);
  return l > 0 ? 0.5 * (1 + l / root) : 2 * e * e / (root * (root - l));
}

/// P_e(z)
template <int D>
Eigen::Matrix<double, D, 1> calc_smooth_projection(Eigen::Matrix<double, D, 1> z, double e) {
  const double t = z.template tail<D - 1>().norm();
  const double low = smooth_plus(z[0] - t, e), high = smooth_plus(z[0] + t, e);
  z[0] = 0.5 * (low + high);
  z.template tail<D - 1>() *= t > 0 ? 0.5 * (high - low) / t : 0.0;
  return z;
}

/// dP_e/dz
template <int D>
Eigen::Matrix<double, D, D> calc_smooth_projection_slope(const Eigen::Matrix<double, D, 1>& z, double e) {
  using Tangent = Eigen::Matrix<double, D - 1, 1>;
  const double t = z.template tail<D - 1>().norm();
  const double low = z[0] - t, high = z[0] + t;
  const double slope_low = smooth_plus_slope(low, e), slope_high = smooth_plus_slope(high, e);
  const double mean = 0.5 * (slope_low + slope_high), half = 0.5 * (slope_high - slope_low);
  const bool regular = high > low;
  const double across = regular ? (smooth_plus(high, e) - smooth_plus(low, e)) / (high - low) : mean;
  const Tangent w = regular ? Tangent(z.template tail<D - 1>() / t) : Tangent(Tangent::Zero());
  Eigen::Matrix<double, D, D> B;
  B(0, 0) = mean;
  B.template block<1, D - 1>(0, 1) = half * w.transpose();
  B.template block<D - 1, 1>(1, 0) = half * w;
  B.template block<D - 1, D - 1>(1, 1) = (mean - across) * w * w.transpose();
  for (int i = 1; i < D; ++i) B(i, i) += across;
  return B;
}

/// e dP_e/de, for e > 0: p is replaced by e dp/de = 2 e^2 / sqrt(l^2 + 4 e^2) in (1).
template <int D>
Eigen::Matrix<double, D, 1> calc_smooth_projection_rate(Eigen::Matrix<double, D, 1> z, double e) {
  const double t = z.template tail<D - 1>().norm();
  const auto rate = [e](double l) { return 2 * e * e / std::sqrt(l * l + 4 * e * e); };
  const double low = rate(z[0] - t), high = rate(z[0] + t);
  z[0] = 0.5 * (low + high);
  z.template tail<D - 1>() *= t > 0 ? 0.5 * (high - low) / t : 0.0;
  return z;
}

}  // namespace stiction
