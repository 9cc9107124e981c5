#pragma once

#include <cmath>

#include "stiction/geometry/shape/quadric.h"
#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// Values a function takes over a box, or more.
struct ValueRange {
  double low = 0, high = 0;
};

/// Range of a quadric over the box m +- h, from the centred form
///     f(m + e) = f(m) + sum_i (g_i e_i + A_ii e_i^2) + 2 sum_{i<j} A_ij e_i e_j,   g = gradient(m)            (1)
/// exact but for the products e_i e_j, which are bounded by their largest size.
inline ValueRange calc_range(const Quadric& f, const Vec3& m, const Vec3& h) {
  const Vec3 Am = f.A * m + f.b;
  const double value = m.dot(Am + f.b) + f.c;
  ValueRange range{value, value};
  for (int i = 0; i < 3; ++i) {
    const double a = f.A(i, i), g = 2 * Am[i], linear = std::abs(g) * h[i], square = a * h[i] * h[i];
    // a e^2 + g e: at the ends, or at the vertex e = -g/2a if that lies inside.
    const bool vertex_inside = std::abs(g) < 2 * std::abs(a) * h[i];
    range.low += a > 0 && vertex_inside ? -g * g / (4 * a) : square - linear;
    range.high += a < 0 && vertex_inside ? -g * g / (4 * a) : square + linear;
  }
  const double mixed =
      2 * (std::abs(f.A(0, 1)) * h[0] * h[1] + std::abs(f.A(1, 2)) * h[1] * h[2] + std::abs(f.A(2, 0)) * h[2] * h[0]);
  range.low -= mixed, range.high += mixed;
  return range;
}

/// Rounding of the values of a surface f of a shape, given in the shape's frame, within the shape and in a frame that
/// far away: some units in the last place of the terms that cancel on the surface. Where f is small and quadratic, at
/// the apex of a cone, that is a good deal: the apex is known to about 1e-8 of its distance.
double calc_rounding(const Shape& shape, const Quadric& f, double distance);

/// Range of the implicit function of a shape that is no intersection of quadrics over a box m +- h whose axes are the
/// columns of R_SF in the shape's frame. Torus and capsule: the signed distance changes by no more than the half
/// diagonal. Superquadric: the gauge grows with |x|, |y| and |z|, taken over the box about the turned box. Parametric:
/// a supporting plane for `low`, the corners for `high`, since the function is convex.
ValueRange calc_range(const Shape& shape, const Vec3& m_S, const Mat3& R_SF, const Vec3& h);

/// A plane below the implicit function of such a shape over the box m +- h: with e from m, in the shape's frame,
///     f(m + e) >= value + gradient'e.                                                                          (2)
/// The tangent plane where the function is convex. Torus: lowered by what its ring can bend, no faster than 1/rho, rho
/// the distance from the axis; useless (-infinity) near the axis.
struct LinearBound {
  double value = 0;
  Vec3 gradient = Vec3::Zero();
};
LinearBound calc_lower_plane(const Shape& shape, const Vec3& m_S, const Vec3& h);

}  // namespace stiction
