#pragma once

#include <cmath>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// The nearest point of a shape's surface to a point x, in the shape's frame: x = point + distance normal, the normal
/// outward, distance < 0 inside. Beside an edge or an apex the normal turns continuously from that of one face to that
/// of the other (gonthier-thesis-2007, A.2.2 and A.2.4; A.10 normalised); inside, the nearest face.
struct PointProjection {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  double distance = 0;
};

inline PointProjection project_point(const HalfSpace& s, const Vec3& x) {
  const double distance = s.normal.dot(x) - s.offset;
  return {x - distance * s.normal, s.normal, distance};
}
inline PointProjection project_point(const Sphere& s, const Vec3& x) {
  const double r = x.norm();
  const Vec3 n = r > 0 ? Vec3(x / r) : Vec3(Vec3::UnitZ());
  return {s.radius * n, n, r - s.radius};
}
inline PointProjection project_point(const HollowSphere& s, const Vec3& x) {
  const PointProjection ball = project_point(Sphere{s.radius}, x);
  return {ball.point, -ball.normal, -ball.distance};
}
PointProjection project_point(const Box& s, const Vec3& x);
PointProjection project_point(const Cylinder& s, const Vec3& x);
PointProjection project_point(const Capsule& s, const Vec3& x);
PointProjection project_point(const Cone& s, const Vec3& x);
PointProjection project_point(const Torus& s, const Vec3& x);
PointProjection project_point(const HollowCylinder& s, const Vec3& x);

template <class S>
concept Projectable = requires(const S& s, const Vec3& x) {
  project_point(s, x);
};

}  // namespace stiction
