#pragma once

#include <vector>

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/closest/closest_body.h"

namespace stiction {

/// A cell A with complements among its constraints (a groove, a bore) against any body B: the local solutions of eq.
/// (1) of closest.h over all sets of up to three active constraints of A. Each set is met by points of A's surface,
/// spread over it, those nearest to B taken as starts for Newton's method; a complement also by b <- support_B(into the
/// wall at b), which finds a body that touches the wall of a bore from inside; the convex constraints by the solution
/// for their hull, which is the answer wherever its point is in the cell. Of the certified solutions whose points lie
/// in the cell: apart the smallest gap; in overlap, of every connected part of the common region the shortest way out,
/// and of these the deepest. Allocates; costs milliseconds where the hull's solution is cut away.
ClosestPoints solve_concave(const CoreBody& A, const CoreBody& B);
/// That solution, and the others that the search found: those apart, and those in overlap whose points lie in both
/// bodies. Each is a place where the bodies touch or may come to touch.
std::vector<ClosestPoints> solve_concave_all(const CoreBody& A, const CoreBody& B);

}  // namespace stiction
