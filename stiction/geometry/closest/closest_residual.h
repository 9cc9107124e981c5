#pragma once

#include "stiction/geometry/closest/closest.h"

namespace stiction {

/// The part of calc_closest_residual that one shape contributes, as a length [m]: the larger of the distance of `point`
/// from its surface and the excess of its support plane with the outward unit normal `normal` over the point; for
/// half-spaces and non-convex shapes the angle of the normal to the normal cone, times the shape's size or for a
/// half-space `scale`, in the latter's place.
double calc_side_residual(const Shape& shape, const Transform& X_WS, const Vec3& point, const Vec3& normal,
                          double scale);

/// The length [m] that errors are measured against: the sizes of both or the gap. Where neither has a size (a point on
/// a half-space) also the distance of the point from W's origin, whose rounding bounds what can be known. Above 0.
double calc_certificate_scale(double sizes, const ClosestPoints& result);

/// Fill in residual and certified.
void update_certificate(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                        ClosestPoints& result);

/// What every solver must reach.
constexpr double kClosestCertificate = 1e-12;

}  // namespace stiction
