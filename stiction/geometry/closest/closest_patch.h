#pragma once

#include <algorithm>
#include <array>

#include "stiction/geometry/closest/closest_body.h"

namespace stiction {

/// The part of a shape's surface that faces a direction, as a point, a segment or a convex polygon (world frame): what
/// can lie along the other shape. Corners counter-clockwise seen along -normal.
struct SupportPatch {
  static constexpr int kMostCorners = 64;
  std::array<Vec3, kMostCorners> corners;
  std::array<int, kMostCorners> ids;  ///< stay the same while the shape turns a little
  int count = 0;
  Vec3 normal = Vec3::UnitZ();  ///< of a polygon: outward

  SupportPatch() = default;
  SupportPatch(const SupportPatch& other) { *this = other; }
  /// The corners in use only.
  SupportPatch& operator=(const SupportPatch& other) {
    std::copy_n(other.corners.begin(), other.count, corners.begin());
    std::copy_n(other.ids.begin(), other.count, ids.begin());
    count = other.count;
    normal = other.normal;
    return *this;
  }

  void add(const Vec3& corner, int id) {
    if (count == kMostCorners) return;
    corners[count] = corner;
    ids[count++] = id;
  }
};

/// Box and polytope: the face whose normal is nearest to n. Cylinder and cone: a cap within about 8 degrees of facing
/// n, as `rim_points` points of its rim, the farthest along n among them (those of a cap that is level to 1e-9 are
/// fixed to the body), else the line of the side in the half-plane of n. Capsule: the line between its ends' farthest
/// points. Lines may be steep: both ends can come to touch, whichever is nearer. Torus whose axis is nearest n: points
/// of its top circle. All others: the support point.
SupportPatch calc_support_patch(const Shape& shape, const Transform& X_WS, const Vec3& n, int rim_points);

}  // namespace stiction
