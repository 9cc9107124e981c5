#include "stiction/math/rotation.h"

#include <algorithm>
#include <cmath>

namespace stiction {

Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Quaternion calc_quaternion(const Mat3& R) {
  const double t = R.trace();
  Quaternion q;
  // Build from the component of largest magnitude, so that the division is well conditioned.
  if (t > R(0, 0) && t > R(1, 1) && t > R(2, 2)) {
    q = {1 + t, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  } else if (R(0, 0) > R(1, 1) && R(0, 0) > R(2, 2)) {
    q = {R(2, 1) - R(1, 2), 1 + R(0, 0) - R(1, 1) - R(2, 2), R(1, 0) + R(0, 1), R(2, 0) + R(0, 2)};
  } else if (R(1, 1) > R(2, 2)) {
    q = {R(0, 2) - R(2, 0), R(1, 0) + R(0, 1), 1 - R(0, 0) + R(1, 1) - R(2, 2), R(2, 1) + R(1, 2)};
  } else {
    q = {R(1, 0) - R(0, 1), R(2, 0) + R(0, 2), R(2, 1) + R(1, 2), 1 - R(0, 0) - R(1, 1) + R(2, 2)};
  }
  q = calc_normalized(q);
  return q.w < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
}

Quaternion calc_exponential(const Vec3& phi) {
  const double angle_squared = phi.squaredNorm();
  double c, s;  // cos(a/2) and sin(a/2)/a
  if (angle_squared < 1e-6) {
    // Series to order a^4: the remainder is below 1e-20 here.
    c = 1 - angle_squared / 8 * (1 - angle_squared / 48);
    s = 0.5 * (1 - angle_squared / 24 * (1 - angle_squared / 80));
  } else {
    const double angle = std::sqrt(angle_squared);
    c = std::cos(0.5 * angle);
    s = std::sin(0.5 * angle) / angle;
  }
  return {c, s * phi.x(), s * phi.y(), s * phi.z()};
}

Vec3 calc_logarithm(const Quaternion& q) {
  const double sign = q.w < 0 ? -1 : 1;
  const double s = q.vec().norm();
  if (s < 1e-10) return 2 * sign / calc_norm(q) * q.vec();
  return sign * 2 * std::atan2(s, sign * q.w) / s * q.vec();
}

Mat3 calc_log_rate_matrix(const Vec3& phi) {
  const double aa = phi.squaredNorm();
  double factor;
  if (aa < 1e-3) {
    // The next term is a^6/1209600: below 1e-15 here.
    factor = 1.0 / 12 + aa / 720 * (1 + aa / 42);
  } else {
    const double half = 0.5 * std::sqrt(aa);
    factor = (1 - half * std::cos(half) / std::sin(half)) / aa;
  }
  const Mat3 S = calc_skew(phi);
  return Mat3::Identity() - 0.5 * S + factor * S * S;
}

Quaternion make_axis_angle(const Vec3& unit_axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * unit_axis.x(), s * unit_axis.y(), s * unit_axis.z()};
}

Mat3 make_rotation_x(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3 R;
  R << 1, 0, 0, 0, c, -s, 0, s, c;
  return R;
}

Mat3 make_rotation_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3 R;
  R << c, -s, 0, s, c, 0, 0, 0, 1;
  return R;
}

void calc_tangents(const Vec3& n, Vec3& u, Vec3& v) {
  // Frisvad's construction, in the numerically safe form of Duff et al. 2017.
  const double sign = std::copysign(1.0, n.z());
  const double a = -1.0 / (sign + n.z());
  const double b = n.x() * n.y() * a;
  u = Vec3(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
  v = Vec3(b, sign + n.y() * n.y() * a, -n.y());
}

Mat3 make_frame_with_z(const Vec3& axis, const Vec3& hint) {
  Mat3 R;
  Vec3 x = hint - hint.dot(axis) * axis;
  if (x.norm() < 1e-6 * hint.norm() || hint.norm() == 0) {
    Vec3 y;
    calc_tangents(axis, x, y);
  }
  R.col(0) = x.normalized();
  R.col(1) = axis.cross(R.col(0));
  R.col(2) = axis;
  return R;
}

}  // namespace stiction
