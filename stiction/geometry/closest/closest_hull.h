#pragma once

#include <limits>

#include "stiction/geometry/closest/closest.h"
namespace stiction {

bool is_hull(const Shape& shape);

/// Closest points of two boxes or polytopes, in closed form but for the search of the features:
///   1. the axes of their faces (hull_axis.h). Apart, the gap g(n) is a concave function where it is positive: an axis
///      with closest points is the solution;
///   2. the axes of their edges: with these the best axis is the solution in overlap and at touching;
///   3. apart with a corner nearest to a corner or an edge: the direction found by GJK, orthogonal to the edges of its
///      last simplex.
/// The points of an axis are common points, seen along it, of what both bodies have within 1e-13 of the pair's size of
/// their extreme planes. Half or double of that changes no gap by more than itself; the certificate (1e-12) decides.
/// Two bodies lying along each other to any angle take the same way: nothing is iterated near parallel faces.
/// A gap above `margin` may be given back as a lower bound of it, not certified: for who needs no more.
/// If no axis has certified points, solve_convex answers.
/// Cost: boxes 0.4 to 1.5 us, the dearest those apart with corners nearest to corners or edges.
ClosestPoints solve_hulls(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                          double margin = std::numeric_limits<double>::infinity());

}  // namespace stiction
