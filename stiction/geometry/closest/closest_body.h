#pragma once

#include "stiction/geometry/shape/surface.h"

namespace stiction {

/// A shape as the closest-point solvers see it, in their work frame F: a core and all points within `radius` of it. A
/// sphere is a point, a capsule a segment, a torus a circle, every other shape its own core with radius 0. Gaps of
/// cores and gaps of shapes differ by the radii; normals are the same; and a round shape seldom overlaps with its core.
struct CoreBody {
  enum class Core { point, segment, circle, shape };

  const Shape* shape = nullptr;  ///< null: a bare point
  Transform X;                   ///< X_FS
  Core core = Core::shape;
  Vec3 half = Vec3::Zero();  ///< of a segment: from its middle to its end, in F; of a circle: its axis
  double circle = 0;         ///< radius of a circle
  double radius = 0;         ///< about the core
  double size = 0;           ///< calc_size of the shape

  /// Farthest point of the core (of its convex hull) in direction d, in F. Not for unbounded shapes.
  Vec3 support(const Vec3& d) const;
  /// Point of a circle at an angle.
  Vec3 circle_point(double angle) const;
  Vec3 circle_tangent(double angle) const;
};

CoreBody make_body(const Shape& shape, const Transform& X_FS);
CoreBody make_point_body(const Vec3& point);

/// The nearest point y of a body's core to x: x = y + distance normal, distance < 0 inside the core. For a cell with
/// complements only an estimate near its surface: a start for Newton's method.
struct CoreProjection {
  Vec3 y = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< outward of the body
  double distance = 0;
};
CoreProjection project_on_core(const CoreBody& body, const Vec3& x);

}  // namespace stiction
