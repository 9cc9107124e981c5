#pragma once

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// Mass properties of density 1 (mass = volume) of a polytope, by the divergence theorem: the sum over the tetrahedra
/// between a corner and the triangles of the faces. Exact to rounding; the corner keeps the terms of the body's own
/// size wherever the origin is.
MassProperties calc_polyhedron_mass(const Polytope& polytope);

/// The same for a closed parametric surface, by Gauss integration over the directions n of the support function,
///     dV = (1/3) h(n) dS,   dS = det(H restricted to the tangent plane) dn                            (1)
/// to about 1e-10 for smooth surfaces.
MassProperties calc_parametric_mass(const ParametricSurface& surface);

}  // namespace stiction
