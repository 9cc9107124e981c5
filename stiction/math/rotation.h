#pragma once

#include <cmath>

#include "stiction/math/vector.h"

namespace stiction {

/// Unit quaternion (w, x, y, z), w scalar; R_AB = calc_matrix(q_AB) maps coordinates in B to coordinates in A.
/// In a State's q the four numbers stand in this order.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
  Vec3 vec() const { return {x, y, z}; }
};

/// Four numbers w, x, y, z of a State's q.
inline Quaternion read_quaternion(const double* q) {
  return {q[0], q[1], q[2], q[3]};
}
inline void write_quaternion(const Quaternion& from, double* q) {
  q[0] = from.w, q[1] = from.x, q[2] = from.y, q[3] = from.z;
}

/// Hamilton product: the rotation b followed by a.
Quaternion operator*(const Quaternion& a, const Quaternion& b);
inline Quaternion calc_conjugate(const Quaternion& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

inline double calc_norm(const Quaternion& q) {
  return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
/// q / |q|; the result is unit to rounding.
inline Quaternion calc_normalized(const Quaternion& q) {
  const double s = 1.0 / calc_norm(q);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}

/// Rotation matrix of q / |q|: the argument need not be unit (the stages of an integrator are not), its scale has no
/// effect. Column by column, into its place: nine numbers that are written one by one and then moved in pairs stall the
/// processor.
inline void write_matrix(const Quaternion& q, double* R) {
  // s = 2 / |q|^2 absorbs the scale.
  const double s = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const double sx = s * q.x, sy = s * q.y, sz = s * q.z;
  const double wx = sx * q.w, wy = sy * q.w, wz = sz * q.w;
  const double xx = sx * q.x, xy = sx * q.y, xz = sx * q.z;
  const double yy = sy * q.y, yz = sy * q.z, zz = sz * q.z;
  R[0] = 1 - (yy + zz), R[1] = xy + wz, R[2] = xz - wy;
  R[3] = xy - wz, R[4] = 1 - (xx + zz), R[5] = yz + wx;
  R[6] = xz + wy, R[7] = yz - wx, R[8] = 1 - (xx + yy);
}
inline Mat3 calc_matrix(const Quaternion& q) {
  Mat3 R;
  write_matrix(q, R.data());
  return R;
}
/// The quaternion of a rotation matrix, w >= 0. Shepperd's method: the largest of the four is found first.
Quaternion calc_quaternion(const Mat3& R);

/// exp: the rotation by |phi| radians about phi/|phi|.
Quaternion calc_exponential(const Vec3& phi);
/// log: the rotation vector of q, |phi| <= pi.
Vec3 calc_logarithm(const Quaternion& q);
/// The inverse left Jacobian of the rotation vector phi = log(R_AB), |phi| < 2 pi: dphi/dt = J w_AB for w_AB resolved
/// in A.
///     J = I - 1/2 [phi] + (1 - (a/2) cot(a/2)) / a^2 [phi]^2,   a = |phi|                                   (1)
/// (G. S. Chirikjian, Stochastic Models, Information Theory, and Lie Groups, vol. 2, 2012, section 10.8.6; near a = 0
/// the series 1/12 + a^2/720 + a^4/30240 of the last factor.) log itself jumps where a passes pi.
Mat3 calc_log_rate_matrix(const Vec3& phi);
Quaternion make_axis_angle(const Vec3& unit_axis, double angle);

/// dq/dt = 1/2 (0, w) q for an angular velocity w resolved in A (q = q_AB).
inline Quaternion calc_rate(const Quaternion& q, const Vec3& w) {
  return {0.5 * (-w.x() * q.x - w.y() * q.y - w.z() * q.z), 0.5 * (w.x() * q.w + w.y() * q.z - w.z() * q.y),
          0.5 * (w.y() * q.w + w.z() * q.x - w.x() * q.z), 0.5 * (w.z() * q.w + w.x() * q.y - w.y() * q.x)};
}

/// Rotations about the coordinate axes.
Mat3 make_rotation_x(double angle);
Mat3 make_rotation_z(double angle);

/// Two unit vectors that make (u, v, n) right-handed and orthonormal; a smooth function of n except across n.z = 0.
void calc_tangents(const Vec3& n, Vec3& u, Vec3& v);
/// R with z axis `axis` (unit); where `hint` is not parallel to it, x lies in the plane of axis and hint.
Mat3 make_frame_with_z(const Vec3& axis, const Vec3& hint);

}  // namespace stiction
