#pragma once

#include "stiction/math/spatial.h"

namespace stiction {

/// Stiffness of a body that is elastically fixed, K = [K_o, K_c; K_c', K_t], for small displacements x = [theta; p] of
/// one of its points: E = 1/2 theta'K_o theta + theta'K_c p + 1/2 p'K_t p. Seen at the point r away from it, whose
/// displacement is p + theta x r,
///     K(r) = T'K T,   T = [I, 0; [r x], I],   K_c(r) = K_c - [r x] K_t                                         (1)
Mat6 shift_stiffness(const Mat6& K, const Vec3& r);

/// The centre of stiffness: the point r where the coupling K_c(r) is symmetric (Loncaric 1987; Stramigioli and Duindam
/// 2001, the spatial spring of contact-kinematics-2003, section 5),
///     (tr(K_t) I - K_t) r = 2 as(K_c),   as(M) = s with [s x] = (M - M') / 2                                     (2)
/// A spring against one direction alone has a line of them: the nearest one. Without translational stiffness: r = 0.
Vec3 calc_stiffness_centre(const Mat6& K);

/// as(M) of (2).
inline Vec3 calc_antisymmetric(const Mat3& M) {
  return 0.5 * Vec3(M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1));
}

}  // namespace stiction
