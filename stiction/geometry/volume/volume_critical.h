#pragma once

#include "stiction/geometry/volume/volume_slice.h"

namespace stiction {

/// Places x in [-1, 1] of points on the region's boundary at which slices change and that have a closed form: corners
/// of two planes and a third surface, and the extreme points in x of the edge between a plane and a quadric. (Extreme
/// points of single surfaces: volume_breaks.cpp. Edges of two quadrics, and corners on
/// them: volume_edges.h.)
/// A part of the region apart from all others begins and ends at critical points: where both have a closed form, it
/// cannot be missed, however small.
std::vector<double> find_critical_places(const UnitRegion& region);

/// A pole: a point where surfaces i and j touch and their common curve crosses itself (the Steinmetz solid has two):
///     grad f = lambda grad g,   f = g = 0.                                                                      (1)
/// Slices have the same corners on both sides of a pole, but the area of the slice has a kink like |x - x_pole|^3.
/// There f - lambda g is a cone or a pair of planes with its apex on both surfaces and lambda a double root of
///     det(F - lambda G) = 0                                                                                     (2)
/// with the symmetric 4 x 4 matrices of both; Gauss-Newton's method on (1) makes the point sharp. The x of all poles on
/// the region's boundary.
std::vector<double> find_poles(const UnitRegion& region);

}  // namespace stiction
