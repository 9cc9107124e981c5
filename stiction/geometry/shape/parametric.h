#pragma once

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// The point of a parametric surface with a given outward normal, by Newton's method on the two tangents' conditions
///     s_u(u)'n = 0,   s_v(u)'n = 0                                                                      (1)
/// from the surface's own guess, damped so that s'n grows.
struct ParametricPoint {
  ParametricSurface::Patch patch;
  Vec3 normal;          ///< as asked
  double residual = 0;  ///< largest cosine of (1)
};
ParametricPoint calc_parametric_point(const ParametricSurface& surface, const Vec3& unit_normal);

/// Derivative of the Gauss map of a patch with the given outward normal: dn = g_* dx [1/m].
Mat3 calc_curvature(const ParametricSurface::Patch& patch, const Vec3& normal);

/// The inverse of g_* on the tangent plane, 0 along the normal: radii of curvature [m], and back.
Mat3 calc_tangent_inverse(const Mat3& tensor, const Vec3& normal);

}  // namespace stiction
