#pragma once

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// The stretches of a line p + t d, t0 <= t <= t1, inside a solid that is no intersection of quadrics: at most two.
struct RayChords {
  double t[2][2];
  int count = 0;
};

/// True for torus, superquadric and parametric surfaces.
bool needs_ray_roots(const Shape& shape);

/// Torus: the roots of a quartic. Superquadric: its gauge (1-homogeneous, convex) along the line; parametric: its
/// implicit function, convex along the line; either falls, then rises: the lowest point is approached until one inside
/// is found, then both crossings by bracketing to rounding.
/// A line that passes inside by less than about 1e-12 of the range may be reported as missing the solid.
RayChords calc_ray_chords(const Shape& shape, const Vec3& p, const Vec3& d, double t0, double t1);

}  // namespace stiction
