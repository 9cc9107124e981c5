#pragma once

#include "stiction/geometry/closest/closest_body.h"

namespace stiction {

/// Closest points of two smooth strictly convex shapes as a problem of the normal alone: with the support functions h,
/// their gradients s (the points) and Hessians H,
///     phi(n) = n'd,   d(n) = s_B(-n) - s_A(n)                                                              (1)
/// is stationary on the unit sphere where d is parallel to n, eq. (1) of closest.h; and Newton's step in the tangent
/// plane solves
///     (H_A + H_B + phi I) delta = d - phi n                                                                (2)
/// whose matrix is that of contact-kinematics-2003, eq. (8), and positive at a maximum of phi: apart always, in overlap
/// until Delta_min. Safeguard: eigenvalues of (2) are made positive, phi must not fall (backtracking).
struct NormalSolution {
  Vec3 n = Vec3::Zero();
  Vec3 x = Vec3::Zero(), y = Vec3::Zero();  ///< s_A(n), s_B(-n)
  double phi = 0;
  double misfit = 0;     ///< |d - phi n| [m]
  bool maximum = false;  ///< (2) is positive definite
  int iterations = 0;
};

/// Two ellipsoids, A with its axes along those of the work frame: s(n) = Q n / sqrt(n'Q n).
NormalSolution solve_ellipsoids(const Vec3& semi_axes_a, const Vec3& semi_axes_b, const Transform& X_AB,
                                const Vec3& warm_normal);
/// Any two smooth strictly convex cores, points among them.
NormalSolution solve_smooth(const CoreBody& A, const CoreBody& B, const Vec3& warm_normal);

}  // namespace stiction
