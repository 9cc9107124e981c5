#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// The part of d across a unit axis, as a unit vector; zero if d lies along the axis. Made orthogonal twice, so that it
/// stays across the axis where d is along it up to rounding.
inline Vec3 calc_radial_unit(const Vec3& d, const Vec3& axis) {
  const Vec3 across = d - d.dot(axis) * axis;
  const double length = across.norm();
  if (!(length > 0)) return Vec3::Zero();
  const Vec3 unit = across / length, exact = unit - unit.dot(axis) * axis;
  const double rest = exact.norm();
  return rest > 0.1 ? Vec3(exact / rest) : Vec3(Vec3::Zero());
}

/// The same; where d lies along the axis any direction across it.
inline Vec3 calc_any_radial_unit(const Vec3& d, const Vec3& axis) {
  const Vec3 radial = calc_radial_unit(d, axis);
  return radial.isZero(0) ? Vec3(axis.unitOrthogonal()) : radial;
}

}  // namespace stiction
