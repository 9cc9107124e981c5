#pragma once

#include <cmath>
#include <numbers>
#include <optional>

#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_clip.h"

namespace stiction {

/// What volume_wall.h integrates: a wall and a round body in it, recognised from their surfaces.

/// A wall in a frame whose z axis is the bore's axis, x the middle of its sector.
struct BoreWall {
  double radius = 0;
  Transform X_AF;
  double half = std::numbers::pi;        ///< the sector is |phi| <= half
  double z0 = -HUGE_VAL, z1 = HUGE_VAL;  ///< between mouth and bottom
  double outer = HUGE_VAL;               ///< nothing beyond it is described by this
  bool is_sector() const { return half < std::numbers::pi; }
};

/// Axis of a body of revolution, in its frame: what lies in planes across the bore's axis is within radius / cosine of
/// the points of that axis, the cosine that of the angle of both.
struct RoundAxis {
  Vec3 axis = Vec3::UnitZ();
  double radius = 0;
};
/// Where the body may be in the wall: the part of the axis that both have.
struct WallSlab {
  WallSlab(const BoreWall& wall, const Bounds& bounds)
      : z0(std::max(wall.z0, bounds.lower.z())), z1(std::min(wall.z1, bounds.upper.z())) {}
  double z0, z1;
  double width() const { return z1 - z0; }
};

/// A wall and a body in it, in the wall's own frame; none: other shapes.
struct WallPair {
  BoreWall wall;
  FixedVector<Quadric, 3> body;
  Bounds bounds;  ///< of the body
  Vec3 centre;    ///< of the body, a point of its axis
  RoundAxis axis;
  WallSlab slab() const { return {wall, bounds}; }
  /// Not below what the body reaches beyond R in the sector, for bodies along the bore; a few ns instead of the
  /// samples.
  double calc_reach_bound() const {
    const WallSlab common = slab();
    const double along = std::abs(axis.axis.z());
    if (!(common.width() > 0) || along < 0.5) return HUGE_VAL;
    double most = -HUGE_VAL;
    for (const double z : {common.z0, common.z1}) {
      // The axis at that height; e(phi) . c is largest in its direction, or at the sector's edge nearest to it.
      const Vec3 c = centre + ((z - centre.z()) / axis.axis.z()) * axis.axis;
      const double away = std::max(std::abs(std::atan2(c.y(), c.x())) - wall.half, 0.0);
      most = std::max(most, std::hypot(c.x(), c.y()) * std::cos(away));
    }
    return most + axis.radius / along - wall.radius;
  }
};
std::optional<WallPair> find_wall_pair(const Shape& wall, const Shape& body, const Transform& X_AB);

}  // namespace stiction
