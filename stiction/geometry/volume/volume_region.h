#pragma once

#include <optional>
#include <vector>

#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/interference.h"

namespace stiction {

/// Values of surfaces in the cube are near 1: this much outside counts as on the boundary.
inline constexpr double boundary_slack = 1e-9;

/// One of the surfaces f(x) <= 0 that bound a region.
struct RegionSurface {
  Quadric f;
  bool of_b = false;    ///< belongs to B's surface; false also for the cuts that part a body in cells
  double rounding = 0;  ///< of f's values in the region
  /// The apex of a cone: f = (x - apex)'A (x - apex), which b and c say to rounding only.
  std::optional<Vec3> apex = std::nullopt;
};
/// A solid that is no intersection of quadrics.
struct RegionSolid {
  const Shape* shape = nullptr;
  Transform X_SF;  ///< from the frame of the region to that of the shape
  bool of_b = false;
};

/// A part of A's and a part of B's interior, ready for integration: the intersection of `surfaces` and `solids` inside
/// the unit cube. Coordinates u in the cube belong to the point
///     x_F = centre + diag(half) u                                                                             (1)
/// of a frame F whose z axis is the direction of the chords. Surfaces are given in u, scaled to values near 1 in the
/// cube: so the thinnest region is as easy as a thick one.
struct UnitRegion {
  std::vector<RegionSurface> surfaces;
  std::vector<RegionSolid> solids;  ///< in F
  Transform X_AF;
  Vec3 centre = Vec3::Zero(), half = Vec3::Zero();
  bool empty = true;
  /// Points of the region where slices and rays are to be looked at; with solids, one in each part of the region that
  /// lies apart from the others, as far as boxes of 1/16 of the cube can tell.
  std::vector<Vec3> seeds;
  /// Whose surface is integrated for dV_dx and dV_dr: B's, or A's with the sign changed (both close the region's
  /// boundary, whose vector area and moment vanish) where chords run along a surface of B and never meet it.
  bool surface_of_b = true;
};

/// A piece of a body: an intersection of quadrics, or a solid that is none, all in the frame of A.
struct RegionPiece {
  std::vector<RegionSurface> surfaces;
  const Shape* solid = nullptr;
  Transform X_AS;
  bool of_b = false;
};
/// The pieces of a shape: one, or three for a capsule (its cylinder and two half-balls, parted by two planes).
std::vector<RegionPiece> calc_pieces(const Shape& shape, const Transform& X_AS, bool of_b);

/// Places the cube: the box of both bodies along F, shaved from all six sides as long as interval bounds of a surface,
/// or of the sum of one surface of A and one of B (whose steep parts cancel: it bounds the lens between them), prove
/// the slab empty. `common` is the box of both in A's frame; F is chosen if `normal` is zero: z along the
/// difference of both gradients, x along the smallest curvature of their sum. z is tilted if a surface of A and one of
/// B lie along it: then the vector area of neither could be summed from chords.
/// `tilt`: the direction to be used, along the axes of the frame that would have been F.
UnitRegion make_unit_region(const RegionPiece& a, const RegionPiece& b, const Bounds& common, const Vec3& normal_A,
                            const Vec3& tilt = Vec3::UnitZ());

}  // namespace stiction
