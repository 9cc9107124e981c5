#pragma once

#include <optional>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// Box with edges along the axes of a frame; infinite where the shape is.
struct Bounds {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
};
/// Tight bounding box of the shape in frame W (tight up to rounding for all but cells and parametric surfaces, whose
/// box is that of their own frame turned).
Bounds calc_bounds(const Shape& shape, const Transform& X_WS);

/// A length by which residuals and tolerances are measured [m]: half the diagonal of the box in the shape's frame; for
/// a hollow shape its radius; 0 for a half-space.
double calc_size(const Shape& shape);

/// Value of the implicit function, < 0 inside, 0 on the surface, in units of length near it ([m], |gradient| = 1 on the
/// surface wherever that is cheap). For an intersection the largest of its constraints.
double calc_implicit(const Shape& shape, const Vec3& x);
/// Its gradient (that of the largest constraint).
Vec3 calc_implicit_gradient(const Shape& shape, const Vec3& x);

/// The shape's farthest point in a direction d (any length but 0), in the shape's frame: argmax d'x over the shape.
/// Where it is a whole edge or face, any point of it, always the same for the same d. Bounded shapes only;
/// of a torus it is that of its hull, of a cell with complements that of its convex constraints.
Vec3 calc_support(const Shape& shape, const Vec3& direction);

/// Second derivative of the support function h(n) = max n'x of a smooth strictly convex shape: symmetric, H n = 0; on
/// the tangent plane the inverse of the curvature (radii of curvature) [m]. Empty where the shape is not smooth and
/// strictly convex at the support point (flats, edges).
std::optional<Mat3> calc_support_hessian(const Shape& shape, const Vec3& unit_normal);

/// A point of the surface with the derivative of the Gauss map there.
struct SurfacePoint {
  Vec3 point;
  Vec3 normal;         ///< unit, outward
  Mat3 curvature;      ///< g_*: dn = g_* dx for dx along the surface; symmetric, g_* n = 0 [1/m]; positive where convex
  bool smooth = true;  ///< false on an edge, at a corner or an apex: the curvature is that of one of the faces there
};
/// The surface point nearest to x (which lies near the surface), on the face whose outward normal is nearest `normal`.
SurfacePoint calc_surface_point(const Shape& shape, const Vec3& x, const Vec3& normal);

/// The surfaces f_k = 0 (one on a face, two on an edge, three at a corner) that meet at a surface point and between
/// whose outward normals `normal` lies:  normal = sum weight_k gradient_k, weight >= 0. At the apex of a cone, where
/// infinitely many tangent planes meet, and at corners of more than a dozen faces three planes normal to each other
/// stand for them.
struct SurfaceFeature {
  int count = 0;
  Vec3 gradient[3];  ///< unit
  Mat3 hessian[3];   ///< of f_k scaled so that |gradient| = 1
  double weight[3];
};
SurfaceFeature calc_surface_feature(const Shape& shape, const Vec3& x, const Vec3& normal);

}  // namespace stiction
