#pragma once

#include "stiction/geometry/closest/closest_feature.h"

namespace stiction {

/// Unknowns of eq. (1) of closest.h for two features: x on A, y on B, unit normal n from A to B, gap phi, multipliers.
struct KktPoint {
  Vec3 x = Vec3::Zero(), y = Vec3::Zero(), n = Vec3::Zero();
  double phi = 0;
  std::array<double, 3> lambda_a{}, lambda_b{};
  double residual = 0;  ///< largest of the equations, lengths in units of `length`
  int iterations = 0;
};

/// Newton's method on
///     n'n = 1,   y = x + phi n,
///     A:  x = p  |  x = s_A(n)  |  f_k(x) = 0, sum lambda_k grad f_k(x) = n,                                     (1)
///     B:  y = p  |  y = s_B(-n) |  f_k(y) = 0, sum lambda_k grad f_k(y) = -n
/// (f = N - 1 for a gauge) by the kind of each feature (compliant-implicit-2007 eq. 9 with several active constraints
/// as its eq. 12; phi is an unknown, so that the equations stay regular at touching and go on into overlap). Where
/// features lie along each other the equations do not determine the points: the step of least length is taken (complete
/// orthogonal decomposition). `length` scales the equations [m]. Starts from x, y, n; true if the residual fell to
/// rounding.
bool solve_kkt(const Feature& A, const Feature& B, double length, KktPoint& point);

/// Leave the constraint of the most negative multiplier out; false if none is negative.
bool drop_negative(Feature& feature, const std::array<double, 3>& lambda);
/// Take the constraint of a cell that x (in F) violates most into its feature; false if none is, or if there is no
/// room.
bool add_violated(Feature& feature, const Vec3& x, double tolerance);

}  // namespace stiction
