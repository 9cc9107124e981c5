#include "stiction/geometry/closest/closest_hollow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/closest/closest_convex.h"

namespace stiction {
namespace {

/// The wall nearest to a point y in the hollow, as a start.
KktPoint make_wall_point(const CoreBody& A, const Vec3& y) {
  const CoreProjection wall = project_on_core(A, y);
  KktPoint p;
  p.x = wall.y;
  p.y = y;
  p.n = wall.normal;
  p.phi = wall.distance;
  return p;
}

/// b <- support_B(away from the centre), until the distance no longer grows.
KktPoint climb(const CoreBody& A, const CoreBody& B, const Vec3& direction) {
  KktPoint best = make_wall_point(A, B.support(direction));
  for (int i = 0; i < 60; ++i) {
    const KktPoint next = make_wall_point(A, B.support(-best.n));
    if (!(next.phi < best.phi - std::min(1e-9 * std::min(A.size, B.size), 1e-14 * A.size))) break;
    best = next;
  }
  return best;
}

void take_lower(ClosestPoints& best, const ClosestPoints& trial) {
  if (trial.certified ? (!best.certified || trial.gap < best.gap) : (!best.certified && trial.residual < best.residual))
    best = trial;
}

/// All corners.
template <class Corners>
ClosestPoints solve_corners(const CoreBody& A, const CoreBody& B, const Corners& corners) {
  KktPoint lowest;
  lowest.phi = 1e300;
  for (const Vec3& corner : corners) {
    const KktPoint p = make_wall_point(A, B.X * corner);
    if (p.phi < lowest.phi) lowest = p;
  }
  return make_certified(A, B, lowest);
}

ClosestPoints solve_by_climbing(const CoreBody& A, const CoreBody& B) {
  ClosestPoints best;
  best.residual = 1e300;
  std::array<KktPoint, 26> tops;
  int count = 0;
  for (int k = 0; k < 27; ++k) {
    const Vec3 d(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    if (d.isZero(0)) continue;
    const KktPoint top = climb(A, B, B.X.R * d);
    bool known = false;
    for (int i = 0; i < count; ++i) known |= (tops[i].y - top.y).norm() < 1e-3 * B.size;
    if (!known) tops[count++] = top;
  }
  for (int i = 0; i < count; ++i) {
    const ClosestPoints trial =
        polish({find_features(A, tops[i].x), find_features(B, tops[i].y)}, tops[i], A.size + B.size,
               [&](const KktPoint& point) { return make_certified(A, B, point); });
    if (trial.gap <= tops[i].phi - B.radius + 1e-6 * A.size) take_lower(best, trial);
    take_lower(best, make_certified(A, B, tops[i]));
  }
  return best;
}

}  // namespace

ClosestPoints solve_hollow(const CoreBody& A, const CoreBody& B) {
  if (B.core == CoreBody::Core::point) return make_certified(A, B, make_wall_point(A, B.X.p));
  if (B.core == CoreBody::Core::segment) {
    const KktPoint p = make_wall_point(A, B.X.p + B.half), q = make_wall_point(A, B.X.p - B.half);
    return make_certified(A, B, q.phi < p.phi ? q : p);
  }
  if (const auto* box = std::get_if<Box>(B.shape)) {
    std::array<Vec3, 8> corners;
    for (int i = 0; i < 8; ++i)
      corners[i] = 0.5 * box->size.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    return solve_corners(A, B, corners);
  }
  if (const auto* polytope = std::get_if<Polytope>(B.shape)) return solve_corners(A, B, polytope->vertices);
  return solve_by_climbing(A, B);
}

}  // namespace stiction
