#pragma once

#include "stiction/geometry/closest.h"
#include "stiction/geometry/closest_body.h"
#include "stiction/geometry/closest_kkt.h"

namespace stiction {

/// Closest points of any two convex bodies in the work frame. Three phases: a global one on the support maps (GJK apart,
/// an expanding polytope in overlap), Newton's method on the features it points to (closest_kkt.h), and the certificate,
/// which decides. If no set of features gives it, the global phase goes on to full precision, where its own bound (1) of
/// closest_gjk.h and closest_epa.h is the certificate.
ClosestPoints solve_convex(const ConvexBody& A, const ConvexBody& B, ClosestCache* cache);

/// Shapes' closest points from those of their cores, with residual and certificate.
ClosestPoints make_certified(const ConvexBody& A, const ConvexBody& B, const KktPoint& cores);

/// Newton's method on all likely features near x and y, best result first to be certified.
ClosestPoints polish(const ConvexBody& A, const ConvexBody& B, const KktPoint& start);

}  // namespace stiction
