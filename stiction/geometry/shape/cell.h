#pragma once

#include <string>
#include <variant>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// The cell of these constraints with its bounding box and mass properties, or what is wrong with them: not finite, a
/// constraint without a surface, neither convex nor the complement of a convex quadric (hyperboloids, cones: a cone is
/// a shape of its own), open (not bounded by the convex ones), empty (no point inside all).
std::variant<Cell, std::string> make_cell(std::vector<Quadric> constraints);

/// The constraints whose intersection the shape is, in its frame: half-space, sphere, box, cylinder, cone, ellipsoid,
/// polytope, cell, hollow sphere and cylinder. Empty for those that are none (capsule, torus, superquadric,
/// parametric). A cone's quadric has two nappes; the planes of base and apex leave one.
std::vector<Quadric> calc_constraints(const Shape& shape);

}  // namespace stiction
