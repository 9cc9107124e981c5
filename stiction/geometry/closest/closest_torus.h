#pragma once

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/closest/closest_body.h"

namespace stiction {

/// A torus A (the tube about a circle c) against any other body B:
///     phi = min over theta of g(c(theta)) - tube radius,   g the signed distance from B's surface                 (1)
/// All local minima of g on the circle that a sampling brackets are narrowed by g' = -n'c' and polished by Newton's
/// method on the features of both (closest_kkt.h); the smallest certified gap is returned. If none is certified, as
/// where the circle cuts through a convex B and g has its minima in kinks, the certified solution of (1) of closest.h
/// of least depth that starts on all faces of B find; the longest way out of B and the torus' hull is always among
/// them. LIMIT: a minimum narrower than 1/64 of the circle that rises again on both sides is not seen.
ClosestPoints solve_torus(const CoreBody& A, const CoreBody& B);

}  // namespace stiction
