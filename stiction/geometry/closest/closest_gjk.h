#pragma once

#include "stiction/geometry/closest/closest_body.h"

namespace stiction {

/// A point w = a - b of the Minkowski difference M = A - B of two cores, with the points it came from.
struct DifferencePoint {
  Vec3 w, a, b;
};
/// The farthest point of M in direction n: a = s_A(n), b = s_B(-n).
DifferencePoint calc_difference_support(const CoreBody& A, const CoreBody& B, const Vec3& n);

/// Points of the two cores with y - x = -v, v the point found in M, and bounds on the signed gap of the cores.
struct GlobalSolution {
  Vec3 x = Vec3::Zero(), y = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  ///< from A to B; zero where the cores touch or overlap and no normal was found
  double gap = 0;              ///< of x and y along the normal
  double bound = 0;            ///< apart: no smaller gap is possible; overlapping: no larger (-bound: least depth)
  bool overlap = false;
  int iterations = 0;
};

/// Distance of two cores by the method of Gilbert, Johnson and Keerthi (IEEE J. Robotics and Automation 4(2), 1988):
/// the point v of M nearest to the origin, from simplices of support points, until
///     |v| - v'w/|v| <= tolerance,   w = support of M in direction -v                                      (1)
/// the left side being a bound on the error of the distance and on the excess of both points in the certificate.
/// DEPARTURE: the nearest point of a simplex is the best over all its faces, each weight clipped, so that rounding can
/// cost progress but never gives a point outside M.
GlobalSolution solve_gjk(const CoreBody& A, const CoreBody& B, const Vec3& direction, double tolerance);

}  // namespace stiction
