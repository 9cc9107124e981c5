#pragma once

#include "stiction/geometry/surface.h"

namespace stiction {

/// A convex shape as the closest-point solvers see it, in their work frame F: a core and all points within `radius` of
/// it. A sphere is a point, a capsule a segment, every other shape its own core with radius 0. Gaps of cores and gaps of
/// shapes differ by the radii; normals are the same; and a round shape seldom overlaps with its core.
struct ConvexBody {
  enum class Core { point, segment, shape };

  const Shape* shape = nullptr;
  Transform X;                   ///< X_FS
  Core core = Core::shape;
  Vec3 half = Vec3::Zero();      ///< of a segment: from its middle to its end, in F
  double radius = 0;
  double size = 0;               ///< calc_size of the shape

  /// Farthest point of the core in direction d, in F.
  Vec3 support(const Vec3& d) const;
};

/// Of a convex bounded shape, or of the convex hull of a cell's convex constraints.
ConvexBody make_convex_body(const Shape& shape, const Transform& X_FS);
/// A bare point.
ConvexBody make_point_body(const Vec3& point);

}  // namespace stiction
