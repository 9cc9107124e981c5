#pragma once

#include <vector>

#include "stiction/geometry/volume/volume_region.h"

namespace stiction {

/// Places x in [-1, 1] of the critical points of a region's slices that have no closed form: on the edge of two curved
/// surfaces f and g the extreme points in x, and the corners of that edge with a third surface h,
///     f = g = 0, f_y g_z - f_z g_y = 0         or         f = g = h = 0.                                        (1)
/// Each is a system of three quadrics (the product of two linear functions is one). All its solutions in the cube are
/// found by halving boxes: a box is dropped if
///     it lies outside a surface of the region or off one of the three, by interval bounds;
///     J^-1 F, J the Jacobian of (1) at its middle, is bounded away from zero in the box;
/// and it is done if J^-1 F is so nearly linear in it that there is at most one solution, which Newton's method finds
/// (R. B. Kearfott, Rigorous Global Search, 1996, ch. 1 and 4; departure: no outward rounding).
struct EdgePlaces {
  std::vector<double> x;  ///< ascending
  /// Every solution is among them. False where surfaces touch, or nearly: a double solution, or a whole curve of them,
  /// or more boxes than are looked at; x then has the ends of the stretches that were left open.
  bool complete = true;
};
EdgePlaces find_edge_places(const UnitRegion& region);

}  // namespace stiction
