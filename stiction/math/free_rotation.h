#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// How a rigid body turns about its centre of mass under no torque, with angular momentum L (world axes, constant):
///     m = R' L,   w = J^-1 m,   m' = m x w,   R' = R [w]                                                       (1)
/// with J, m and w in body axes. This is the motion itself, not an approximation of some order in h: (1) is quadratic,
/// so that its Taylor coefficients follow from Cauchy products,
///     (k+1) m_{k+1} = sum_i m_i x w_{k-i},   2 (k+1) p_{k+1} = sum_i p_i (0, w_{k-i})                          (2)
/// (p the quaternion of the turn in body axes, p_0 = 1), and the series is summed until its terms are rounding.
/// Energy and angular momentum are kept to rounding whatever h is. The closed form in Jacobi's functions (van Zon,
/// Schofield, J. Comput. Phys. 225, 2007) is the same motion; it needs cases for symmetric bodies and near the
/// separatrix, the series does not.
/// Cost: about 6 terms at |w| h = 1e-3, 20 at 0.3; beyond that the interval is divided.
struct FreeRotation {
  Vec3 turn = Vec3::Zero();          ///< R+ = exp(turn) R, world axes [rad]
  Mat3 R_end = Mat3::Identity();     ///< R+
  Vec3 velocity_end = Vec3::Zero();  ///< w+ = R+ J^-1 R+' L, world axes [rad/s]
};
FreeRotation calc_free_rotation(const Mat3& J_inverse, const Mat3& R, const Vec3& L, double h);

}  // namespace stiction
