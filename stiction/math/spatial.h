#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// Spatial vectors are [angular; linear], resolved in WORLD axes and referred to a point: a body's spatial velocity
/// V_WB = [w_WB; v_WB] and acceleration A_WB = [alpha_WB; a_WB] hold the velocity and the (ordinary, not Featherstone's)
/// acceleration of the body's origin; a spatial force F_B = [torque about the origin; force].
/// World axes and one origin a body (as Simbody does): moving a quantity from a body to its parent is a shift by an
/// offset, never a rotation, and no precision is lost far from the world's origin.

inline auto angular(const Vec6& V) { return V.head<3>(); }
inline auto linear(const Vec6& V) { return V.tail<3>(); }
inline Vec6 make_spatial(const Vec3& angular_part, const Vec3& linear_part) {
  Vec6 V;
  V << angular_part, linear_part;
  return V;
}

/// Six numbers from two vectors, each written once as it is read later: by components.
inline void store_spatial(const Vec3& angular_part, const Vec3& linear_part, double* to) {
  to[0] = angular_part.x(), to[1] = angular_part.y(), to[2] = angular_part.z();
  to[3] = linear_part.x(), to[4] = linear_part.y(), to[5] = linear_part.z();
}

/// Velocity at a point displaced by r from the reference point of V: v' = v + w x r.
inline Vec6 shift_velocity(const Vec6& V, const Vec3& r) {
  Vec6 result = V;
  result.tail<3>() += V.head<3>().cross(r);
  return result;
}

/// Force referred to a point displaced by -r, that is, F acts at `r` from the new point: torque' = torque + r x f.
inline Vec6 shift_force(const Vec6& F, const Vec3& r) {
  Vec6 result = F;
  result.head<3>() += r.cross(F.tail<3>());
  return result;
}

}  // namespace stiction
