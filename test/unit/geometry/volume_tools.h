#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/geometry/volume/interference.h"
#include "stiction/math/rotation.h"

namespace stiction {

inline Vec3 make_random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
inline Transform make_random_pose(Random& random, double distance) {
  return {calc_matrix(calc_exponential(make_random_vector(random, 2.5))), make_random_vector(random, distance)};
}
inline Transform at(double x, double y, double z) {
  return {Mat3::Identity(), Vec3(x, y, z)};
}
inline Transform turned(const Vec3& rotation, const Vec3& place) {
  return {calc_matrix(calc_exponential(rotation)), place};
}

/// To a given accuracy, all else by default.
inline InterferenceRegion calc(const Shape& A, const Transform& X_A, const Shape& B, const Transform& X_B,
                               double accuracy) {
  RegionOptions options;
  options.accuracy = accuracy;
  return calc_interference(A, X_A, B, X_B, options);
}

/// int_a^b f for an f smooth between the breaks, like a square root at each of them: x = m - h cos t and composite
/// Gauss-Legendre of five points (Abramowitz and Stegun, table 25.4) on `pieces` of t.
inline double integrate(const std::function<double(double)>& f, const std::vector<double>& breaks, int pieces = 200) {
  constexpr double nodes[5] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr double weights[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                 0.2369268850561891};
  double sum = 0;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    const double middle = 0.5 * (breaks[k] + breaks[k + 1]), half = 0.5 * (breaks[k + 1] - breaks[k]);
    for (int i = 0; i < pieces; ++i)
      for (int j = 0; j < 5; ++j) {
        const double t = std::numbers::pi * (i + 0.5 + 0.5 * nodes[j]) / pieces;
        sum += weights[j] * std::numbers::pi / (2 * pieces) * half * std::sin(t) * f(middle - half * std::cos(t));
      }
  }
  return sum;
}

/// Derivative of the volume for a motion of B along `dx` and about the centroid along `dr`, by central differences.
inline double difference(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                         const Vec3& centroid, const Vec3& dx, const Vec3& dr, double accuracy) {
  RegionOptions options;
  options.accuracy = accuracy;
  const auto volume = [&](double sign) {
    const Mat3 R = calc_matrix(calc_exponential(sign * dr));
    const Transform X{R * X_WB.R, centroid + R * (X_WB.p - centroid) + sign * dx};
    return calc_interference(A, X_WA, B, X, options).volume;
  };
  return 0.5 * (volume(1) - volume(-1));
}

/// The largest relative difference between two regions: volume, centroid (against the region's size), inertia.
inline double calc_distance(const InterferenceRegion& a, const InterferenceRegion& b) {
  const double size = std::sqrt(b.inertia.trace() / b.volume);
  return std::max({std::abs(a.volume / b.volume - 1), (a.centroid - b.centroid).norm() / size,
                   (a.inertia - b.inertia).norm() / b.inertia.norm()});
}

}  // namespace stiction
