#include "stiction/geometry/closest/closest_torus.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/closest/closest_convex.h"

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

/// Where the circle cuts through a convex B, g may have its minima in kinks alone, which solve nothing. Of the other
/// solutions of (1) of closest.h the one of least depth: the way out of the torus' convex hull, where its point lies on
/// the torus; those of the circle with each face of B; and, which always exists, the longest way out, the farthest
/// point of the difference of hull and B, a fixed point of d <- s_A(d) - s_B(-d).
ClosestPoints find_shallowest(const CoreBody& A, const CoreBody& B) {
  const double size = A.size + B.size;
  ClosestPoints best = solve_convex(A, B, nullptr);
  const auto attempt = [&](const KktPoint& start, const FeatureList& on_b) {
    const ClosestPoints trial = polish({find_features(A, start.x), on_b}, start, size,
                                       [&](const KktPoint& point) { return make_certified(A, B, point); });
    // The circle cuts through B: a solution apart from it is not the answer.
    if (trial.gap > 0) return;
    if (trial.certified ? (!best.certified || trial.gap > best.gap)
                        : (!best.certified && trial.residual < best.residual))
      best = trial;
  };
  for (int i = 0; i < 16; ++i) {
    KktPoint start;
    start.x = A.circle_point(2 * M_PI * i / 16);
    const CoreProjection on_b = project_on_core(B, start.x);
    start.y = on_b.y;
    start.n = -on_b.normal;
    attempt(start, find_features(B, start.y));
    const int faces = std::min(count_constraints(*B.shape), 12);
    for (int k = 0; k < faces; ++k) {
      FeatureList face;
      face.items[0] = make_constraint_feature(*B.shape, B.X, &k, 1);
      face.items[0].body = &B;
      face.count = 1;
      const Quadric f = calc_transformed(calc_constraint(*B.shape, k), B.X);
      const Vec3 gradient = f.gradient(start.x);
      if (!(gradient.norm() > 0)) continue;
      start.y = start.x - f.value(start.x) / gradient.squaredNorm() * gradient;
      start.n = -gradient.normalized();
      attempt(start, face);
    }
  }
  if (best.certified) return best;
  for (int k = 0; k < 27; ++k) {
    Vec3 d(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    if (d.isZero(0)) continue;
    KktPoint start;
    for (int pass = 0; pass < 100; ++pass) {
      start.x = A.support(d);
      start.y = B.support(-d);
      start.n = (start.x - start.y).normalized();
      const double turn = (start.n - d.normalized()).norm();
      d = start.n;
      if (turn < 1e-9) break;
    }
    start.phi = start.n.dot(start.y - start.x);
    attempt(start, find_features(B, start.y));
  }
  return best;
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
  const CircleSample* lowest = &samples[0];
  for (const CircleSample& s : samples)
    if (s.on_b.distance < lowest->on_b.distance) lowest = &s;
  // A level circle: from the lowest sample.
  if (!best.certified) attempt(*lowest);
  // A sample that overlaps contradicts a solution apart, which is that of another stretch of the circle.
  const double bound = lowest->on_b.distance - A.radius - B.radius;
  const auto contradicts = [&](const ClosestPoints& found) { return found.gap > 0 && bound < -1e-9 * size; };
  const auto doubt = [&](ClosestPoints& found) {
    if (!contradicts(found)) return;
    found.certified = false;
    found.residual = std::max(found.residual, (found.gap - bound) / size);
  };
  doubt(best);
  if (!best.certified && is_bounded(*B.shape) && is_convex(*B.shape)) {
    const ClosestPoints shallow = find_shallowest(A, B);
    if (shallow.residual < best.residual) best = shallow;
    doubt(best);
  }
  return best;
}

}  // namespace stiction
