#pragma once

#include "stiction/geometry/volume/volume_cap.h"

namespace stiction {

/// Closed form of a ball whose centre lies above a face of a box, on whose edges and corners it may lie. From the
/// centre, z down into the box: the face is z = d > 0, D its part inside the ball, n_k.x <= a_k its four sides. The
/// region is  d <= z <= Z(x, y) = sqrt(R^2 - x^2 - y^2)  over D, with the wall F_k = {t along the side, d <= z <= Z}
/// on each side. By the divergence theorem, x being homogeneous, A(.) areas and S the part of the sphere:
///     V = (R A(S) - d A(D) + sum a_k A(F_k)) / 3,    int_S n dA = z A(D) - sum n_k A(F_k)                       (1)
///     int x x' dV = (R int_S x x' - d int_D x x' + sum a_k int_Fk x x') / 5,
///     int_S x n' = V I - int_D x n' - sum int_Fk x n_k'                                                        (2)
/// and, over D, int (Z - d)^2 and the like are polynomials but for multiples of V. A(S) = oint (R^2 - R Z) dphi around
/// D; along a side, t its coordinate, that is
///     H(a, t) = R a atan(t / Z) - R^2 atan( a t (R - Z) / (a^2 Z + R t^2) )                                     (3)
/// ROUNDING: V cancels to R/h parts of it, h = R - d the height of the cap, the second moments to (R/h)^2. Flat caps
/// are integrated from the foot of the centre (volume_ball_flat.h).
struct BallBoxCut {
  LocalSums local;   ///< axes of the box, about the foot of the centre on the face; surface sums of the ball
  double error = 0;  ///< of V, and of the second moments against V R h, by rounding; relative [-]
};
/// Centre above the face at +-size/2 along the axis `face`, which must not be deeper in the ball than the box is thick.
/// (1), and where that errs by more than `wanted` and the cap is flat, the slower volume_ball_flat.h.
BallBoxCut calc_ball_box_cut(const Vec3& size, double radius, const Vec3& centre, int face, double wanted = 1e-10);

}  // namespace stiction
