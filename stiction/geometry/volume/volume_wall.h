#pragma once

#include <optional>

#include "stiction/geometry/volume/interference.h"

namespace stiction {

/// The region that a cylinder or cone has in common with the wall of a round bore, in the frame of the wall: a peg in a
/// hole. A wall is a HollowCylinder, or a Cell of one bore (the complement of a circular cylinder), at most two planes
/// through its axis (a sector), planes along it that the body does not reach, and planes normal to it (mouth, bottom).
///
/// In the bore's cylindrical coordinates, R its radius, half-planes phi = const cut the body in convex figures bounded
/// by one conic and the lines of its two ends:
///     V = int dphi int dz int_R^hi(phi, z) rho drho   and likewise for the moments of volume_moments.h            (1)
/// rho in closed form (two Gauss points: the integrands are cubic). In z the ends and corners of the figure beyond R
/// are roots of quadratics, between which hi is smooth; in phi the angles at which the list of these changes are found
/// by halving from samples, and from the maxima of what the figure reaches beyond R, so that a narrow patch between two
/// samples is seen. Both integrals are by Gauss panels with error estimates.
/// The general method (volume_chords.h) has its chords along one direction and proves that it missed nothing; in a thin
/// crescent that takes it 100 times longer.
/// ASSUMES that what the body has beyond R on a half-plane has one maximum between samples 0.1 rad apart: true for a
/// round body whose section is an ellipse of nearly the bore's size or smaller.
/// None: other shapes, planes in other directions, or an accuracy that was not reached.
std::optional<InterferenceRegion> find_wall_region(const Shape& wall, const Shape& body, const Transform& X_AB,
                                                   double accuracy);

/// How deep the body reaches into such a wall, in the frame of the wall: the least of what it has beyond R and of what
/// the two have in common along the axis. Not the shortest way out, but of its sign, continuous, and zero where the
/// region begins: where contacts touch, at a hundredth of the time of closest points on a cell that is not convex.
struct WallReach {
  double depth = 0;             ///< < 0: apart [m]
  Vec3 point = Vec3::Zero();    ///< on the wall, where it is deepest
  Vec3 normal = Vec3::UnitX();  ///< from the wall to the body
};
std::optional<WallReach> find_wall_reach(const Shape& wall, const Shape& body, const Transform& X_AB);

}  // namespace stiction
