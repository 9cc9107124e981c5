#pragma once

#include <limits>

#include "stiction/geometry/closest/closest.h"

namespace stiction {

/// Closest points of a cylinder A (radius r, half length l, unit axis a) and a box or polytope B, in closed form but
/// for one angle. The signed gap is the largest of
///     g(n) = n'p - r |n - (n'a) a| - l |n'a| - h_B(-n),   p from A's centre to B's                                 (1)
/// over unit n from A to B, and every g(n) is a lower bound of it. Where it is negative, g has local maxima at
///   1. the normals of B's faces and A's caps;
///   2. an edge e of B against the side of A: n across e and a;
///   3. an edge e of B against a rim of A: n across e. Seen along e the rim is an ellipse of semi-axes r and r |a'e|
///   and
///      the edge a point; the nearest point (r |a'e| cos t, r sin t) of the half of it beyond the other rim solves
///          r (1 - (a'e)^2) sin t + |a'e| S tan t = T                                                               (2)
///      with the edge at (S, T) from the rim's centre, S along the axis;
///   4. a corner v of B against the side of A: n along v - (v'a) a,
/// and at no other n: where a corner is nearest to a rim g is linear in n. So the largest of these is the gap in
/// overlap, the shortest way out. Apart, g is concave where it is positive and an n with closest points is the
/// solution; there a corner may also be nearest to a rim.
/// The points of n are found as in closest_hull.h, `margin` means the same, and what is not certified is left to
/// solve_convex. Cost: 1 to 4 us with a box.
ClosestPoints solve_cylinder_hull(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                                  double margin = std::numeric_limits<double>::infinity());

}  // namespace stiction
