#pragma once

#include <vector>

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/closest/closest_body.h"

namespace stiction {

/// A hollow sphere or cylinder A around a convex body B:
///     phi = R - max over the points of B of the distance from the centre or axis                                  (1)
/// The maximum of a convex function is at an extreme point of B: the ends of a core, the corners of a box or polytope;
/// else b <- support_B(outward at b), which never lowers the distance, from many starts, then Newton's method.
ClosestPoints solve_hollow(const CoreBody& A, const CoreBody& B);

/// All contact points of a peg (cylinder or capsule) in a round bore of a cell, in closed form but for one angle each:
///   the rims (or round ends) of the peg against the wall of the bore, where the wall is there;
///   the edges of the bore, where it leaves the cell through planes across it, against the side of the peg.
/// Each circle has one or two places where its distance from the axis of the other is extreme: both ends and both sides
/// of a jammed peg are offered, steadily, whichever is nearest.
/// Appends those with gaps up to `margin`; ids 0 to 3: rims, 4 to 7: edges. Returns false, and adds nothing, where the
/// pair is none of this: no such bore, a peg that tilts by more than 25 degrees, or that is not in the bore as far as
/// it is between its edges (within 1/20 of the radius). About 5 us.
bool add_bore_contacts(const Cell& cell, const Transform& X_WA, const Shape& peg, const Transform& X_WB, double margin,
                       std::vector<ContactPoint>& points);

}  // namespace stiction
