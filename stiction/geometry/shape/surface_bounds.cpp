#include <cmath>

#include "stiction/base/infinity.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

/// Half extents of a box of half extents `half` turned by R.
Vec3 turned(const Mat3& R, const Vec3& half) {
  return R.cwiseAbs() * half;
}
/// Half extents of a disc of radius 1 with the given axis.
Vec3 disc(const Vec3& axis) {
  return (1 - axis.array().square()).max(0.0).sqrt();
}
Bounds about(const Vec3& centre, const Vec3& half) {
  return {centre - half, centre + half};
}

Bounds bounds(const HalfSpace& s, const Transform& X) {
  // Bounded on one side only where the normal is along an axis of W.
  const Vec3 n = X.R * s.normal;
  Bounds box{Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  for (int i = 0; i < 3; ++i) {
    if (n[i] == 1) box.upper[i] = X.p[i] + s.offset;
    if (n[i] == -1) box.lower[i] = X.p[i] - s.offset;
  }
  return box;
}
Bounds bounds(const Sphere& s, const Transform& X) {
  return about(X.p, Vec3::Constant(s.radius));
}
Bounds bounds(const Box& s, const Transform& X) {
  return about(X.p, turned(X.R, 0.5 * s.size));
}
Bounds bounds(const Cylinder& s, const Transform& X) {
  const Vec3 a = X.R * s.axis;
  return about(X.p, 0.5 * s.length * a.cwiseAbs() + s.radius * disc(a));
}
Bounds bounds(const Capsule& s, const Transform& X) {
  const Vec3 a = X.R * s.axis;
  return about(X.p, 0.5 * s.length * a.cwiseAbs() + Vec3::Constant(s.radius));
}
Bounds bounds(const Cone& s, const Transform& X) {
  const Vec3 a = X.R * s.axis, d = disc(a), top = X.p + s.height * a;
  return {(X.p - s.radius * d).cwiseMin(top - s.top_radius * d), (X.p + s.radius * d).cwiseMax(top + s.top_radius * d)};
}
Bounds bounds(const Ellipsoid& s, const Transform& X) {
  return about(X.p, (X.R * s.semi_axes.asDiagonal()).rowwise().norm());
}
Bounds bounds(const Torus& s, const Transform& X) {
  return about(X.p, s.radius * disc(X.R * s.axis) + Vec3::Constant(s.tube_radius));
}
Bounds bounds(const Superquadric& s, const Transform& X) {
  Vec3 half;
  for (int i = 0; i < 3; ++i) {
    const Vec3 d = X.R.row(i);
    half[i] = d.dot(calc_support(s, d));
  }
  return about(X.p, half);
}
Bounds bounds(const Polytope& s, const Transform& X) {
  Bounds box{X * s.vertices[0], X * s.vertices[0]};
  for (const Vec3& v : s.vertices) {
    const Vec3 p = X * v;
    box.lower = box.lower.cwiseMin(p), box.upper = box.upper.cwiseMax(p);
  }
  return box;
}
Bounds bounds(const Cell& s, const Transform& X) {
  return about(X * Vec3(0.5 * (s.lower + s.upper)), turned(X.R, 0.5 * (s.upper - s.lower)));
}
Bounds bounds(const HollowSphere&, const Transform&) {
  return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
}
Bounds bounds(const HollowCylinder&, const Transform&) {
  return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
}
Bounds bounds(const Parametric& s, const Transform& X) {
  return about(X.p, Vec3::Constant(s.surface->bounding_radius()));
}

}  // namespace

Bounds calc_bounds(const Shape& shape, const Transform& X_WS) {
  return std::visit([&](const auto& s) { return bounds(s, X_WS); }, shape);
}

double calc_size(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape)) return 0;
  if (const auto* hollow = std::get_if<HollowSphere>(&shape)) return hollow->radius;
  if (const auto* hollow = std::get_if<HollowCylinder>(&shape)) return hollow->radius;
  const Bounds box = calc_bounds(shape, {});
  return 0.5 * (box.upper - box.lower).norm();
}

}  // namespace stiction
