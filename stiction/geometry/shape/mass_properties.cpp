#include "stiction/geometry/shape/mass_properties.h"


#include "stiction/math/symmetric_eigen.h"

namespace stiction {

MassProperties calc_transformed(const MassProperties& of_B, const Transform& X_AB) {
  return {of_B.mass, X_AB * of_B.com, X_AB.R * of_B.inertia * X_AB.R.transpose()};
}

MassProperties calc_sum(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {};
  const Vec3 d = b.com - a.com;
  // Reduced mass times (|d|^2 I - d d'): both parallel-axis terms in one.
  const Mat3 offset = a.mass * b.mass / mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  return {mass, (a.mass * a.com + b.mass * b.com) / mass, a.inertia + b.inertia + offset};
}

InertiaFault find_inertia_fault(const Mat3& inertia) {
  if (!inertia.allFinite()) return InertiaFault::not_finite;
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) return InertiaFault::not_symmetric;
  const Vec3 J = calc_symmetric_eigen(SmallMat(inertia)).values;
  if (J.x() < -1e-12 * scale || J.z() <= 0) return InertiaFault::not_positive;
  if (J.x() + J.y() < J.z() * (1 - 1e-9)) return InertiaFault::triangle_inequality;
  return InertiaFault::none;
}

}  // namespace stiction
