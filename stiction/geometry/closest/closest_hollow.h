#pragma once

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/closest/closest_body.h"

namespace stiction {

/// A hollow sphere or cylinder A around a convex body B:
///     phi = R - max over the points of B of the distance from the centre or axis                                  (1)
/// The maximum of a convex function is at an extreme point of B: the ends of a core, the corners of a box or polytope;
/// else b <- support_B(outward at b), which never lowers the distance, from many starts, then Newton's method.
ClosestPoints solve_hollow(const CoreBody& A, const CoreBody& B);

}  // namespace stiction
