#include "stiction/geometry/closest/closest_point.h"

#include <algorithm>

#include "stiction/geometry/shape/radial.h"

namespace stiction {
namespace {

using Vec2 = Eigen::Vector2d;

/// A point in the half-plane through the axis: (distance from the axis, height along it).
struct Meridian {
  Vec3 radial;  ///< unit
  Vec2 x;
};
Meridian calc_meridian(const Vec3& axis, const Vec3& x) {
  const Vec3 radial = calc_any_radial_unit(x, axis);
  return {radial, {radial.dot(x), x.dot(axis)}};
}

/// From a point of the core: a sphere of `radius` about it. `fallback`: the normal if x is that point.
PointProjection project_about(const Vec3& core, double radius, const Vec3& x, const Vec3& fallback) {
  const Vec3 d = x - core;
  const double distance = d.norm();
  const Vec3 n = distance > 0 ? Vec3(d / distance) : fallback;
  return {core + radius * n, n, distance - radius};
}

/// A side of a convex profile, walked with the inside on its left.
struct ProfileSide {
  Vec2 start, end;
  Vec2 outward() const { return Vec2((end - start).y(), -(end - start).x()).normalized(); }
};
/// Onto a convex profile given by its sides: outside the nearest side's nearest point, inside the nearest side's line.
PointProjection project_profile(const ProfileSide* sides, int count, const Meridian& m, const Vec3& axis) {
  const auto lift = [&](const Vec2& v) { return Vec3(v.x() * m.radial + v.y() * axis); };
  double largest = -1e300;
  Vec2 normal = Vec2::Zero();
  for (int i = 0; i < count; ++i) {
    const Vec2 outward = sides[i].outward();
    const double height = outward.dot(m.x - sides[i].start);
    if (height > largest) largest = height, normal = outward;
  }
  Vec2 foot = m.x - largest * normal;
  double distance = largest;
  if (largest > 0) {
    double best = 1e300;
    for (int i = 0; i < count; ++i) {
      const Vec2 e = sides[i].end - sides[i].start;
      const double t = (m.x - sides[i].start).dot(e) / e.squaredNorm();
      const Vec2 p = t <= 0 ? sides[i].start : t >= 1 ? sides[i].end : Vec2(sides[i].start + t * e);
      const double d = (m.x - p).norm();
      // Inside a side's span its normal is exact; at a corner the normal points from there.
      if (d < best) {
        best = d;
        foot = p;
        normal = t > 0 && t < 1 ? sides[i].outward() : Vec2((m.x - p) / d);
      }
    }
    distance = best;
  }
  return {lift(foot), lift(normal).normalized(), distance};
}

}  // namespace

PointProjection project_point(const Box& s, const Vec3& x) {
  const Vec3 half = 0.5 * s.size;
  const Vec3 nearest = x.cwiseMin(half).cwiseMax(-half), d = x - nearest;
  const double distance = d.norm();
  if (distance > 0) return {nearest, d / distance, distance};
  int axis = 0;
  (x.cwiseAbs() - half).maxCoeff(&axis);
  PointProjection result{x, Vec3::Zero(), std::abs(x[axis]) - half[axis]};
  result.normal[axis] = x[axis] < 0 ? -1 : 1;
  result.point[axis] = std::copysign(half[axis], x[axis]);
  return result;
}

PointProjection project_point(const Cylinder& s, const Vec3& x) {
  const double h = 0.5 * s.length;
  const ProfileSide sides[] = {{{0, -h}, {s.radius, -h}}, {{s.radius, -h}, {s.radius, h}}, {{s.radius, h}, {0, h}}};
  return project_profile(sides, 3, calc_meridian(s.axis, x), s.axis);
}

PointProjection project_point(const Cone& s, const Vec3& x) {
  const ProfileSide sides[] = {
      {{0, 0}, {s.radius, 0}}, {{s.radius, 0}, {s.top_radius, s.height}}, {{s.top_radius, s.height}, {0, s.height}}};
  return project_profile(sides, s.top_radius > 0 ? 3 : 2, calc_meridian(s.axis, x), s.axis);
}

PointProjection project_point(const Capsule& s, const Vec3& x) {
  const double along = std::clamp(x.dot(s.axis), -0.5 * s.length, 0.5 * s.length);
  return project_about(along * s.axis, s.radius, x, s.axis.unitOrthogonal());
}

PointProjection project_point(const Torus& s, const Vec3& x) {
  const Meridian m = calc_meridian(s.axis, x);
  return project_about(s.radius * m.radial, s.tube_radius, x, s.axis);
}

PointProjection project_point(const HollowCylinder& s, const Vec3& x) {
  const Meridian m = calc_meridian(s.axis, x);
  return {x + (s.radius - m.x.x()) * m.radial, -m.radial, s.radius - m.x.x()};
}

}  // namespace stiction
