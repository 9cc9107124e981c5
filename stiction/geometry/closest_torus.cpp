#include "stiction/geometry/closest_torus.h"

#include <array>
#include <cmath>

#include "stiction/geometry/closest_convex.h"

namespace stiction {
namespace {

struct CircleSample {
  double angle = 0;
  CoreProjection on_b;
  double slope = 0;  ///< dg/d theta over the circle's radius
};
CircleSample calc_sample(const CoreBody& A, const CoreBody& B, double angle) {
  const CoreProjection p = project_on_core(B, A.circle_point(angle));
  return {angle, p, p.normal.dot(A.circle_tangent(angle))};
}

/// Between a falling and a rising end.
CircleSample narrow(const CoreBody& A, const CoreBody& B, CircleSample low, CircleSample high) {
  for (int i = 0; i < 40 && high.angle - low.angle > 1e-9; ++i) {
    // Regula falsi in every other step, kept away from the ends; bisection in between.
    double share = i % 2 == 0 ? -low.slope / (high.slope - low.slope) : 0.5;
    share = std::min(std::max(share, 0.01), 0.99);
    const CircleSample middle = calc_sample(A, B, low.angle + share * (high.angle - low.angle));
    if (middle.slope < 0)
      low = middle;
    else
      high = middle;
  }
  return low.on_b.distance < high.on_b.distance ? low : high;
}

}  // namespace

ClosestPoints solve_torus(const CoreBody& A, const CoreBody& B) {
  constexpr int kSamples = 64;
  const double size = A.size + B.size;
  std::array<CircleSample, kSamples + 1> samples;
  for (int i = 0; i < kSamples; ++i) samples[i] = calc_sample(A, B, 2 * M_PI * i / kSamples);
  samples[kSamples] = samples[0];
  samples[kSamples].angle = 2 * M_PI;

  ClosestPoints best;
  best.residual = 1e300;
  const auto attempt = [&](const CircleSample& s) {
    KktPoint start;
    start.x = A.circle_point(s.angle);
    start.y = s.on_b.y;
    start.n = -s.on_b.normal;
    const ClosestPoints trial = polish({find_features(A, start.x), find_features(B, start.y)}, start, size,
                                       [&](const KktPoint& point) { return make_certified(A, B, point); });
    // Newton may have gone to another stationary point, a maximum.
    if (trial.certified && trial.gap > s.on_b.distance - A.radius - B.radius + 1e-6 * size) return;
    if (trial.certified ? (!best.certified || trial.gap < best.gap)
                        : (!best.certified && trial.residual < best.residual))
      best = trial;
  };
  for (int i = 0; i < kSamples; ++i) {
    const CircleSample &low = samples[i], &high = samples[i + 1];
    if (low.slope < 0 && high.slope >= 0) attempt(narrow(A, B, low, high));
  }
  // A level circle: from the lowest sample.
  if (!best.certified) {
    const CircleSample* lowest = &samples[0];
    for (const CircleSample& s : samples)
      if (s.on_b.distance < lowest->on_b.distance) lowest = &s;
    attempt(*lowest);
  }
  // The circle cuts through B: g may have its minimum in a kink, where (1) of closest.h has no solution. The shortest
  // way out of the torus' convex hull is one wherever the hull's point lies on the torus.
  if (!best.certified && is_bounded(*B.shape) && is_convex(*B.shape)) {
    const ClosestPoints hull = solve_convex(A, B, nullptr);
    if (hull.residual < best.residual) best = hull;
  }
  return best;
}

}  // namespace stiction
