#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// Spatial vectors are [angular; linear], resolved in WORLD axes and referred to a point: a body's spatial velocity
/// V_WB = [w_WB; v_WB] and acceleration A_WB = [alpha_WB; a_WB] hold the velocity and the (ordinary, not
/// Featherstone's) acceleration of the body's origin; a spatial force F_B = [torque about the origin; force]. World
/// axes and one origin a body (as Simbody does): moving a quantity from a body to its parent is a shift by an offset,
/// never a rotation, and no precision is lost far from the world's origin.

inline auto angular(const Vec6& V) {
  return V.head<3>();
}
inline auto linear(const Vec6& V) {
  return V.tail<3>();
}
inline Vec6 make_spatial(const Vec3& angular_part, const Vec3& linear_part) {
  Vec6 V;
  V << angular_part, linear_part;
  return V;
}

inline void store_spatial(const Vec3& angular_part, const Vec3& linear_part, double* to) {
  to[0] = angular_part.x(), to[1] = angular_part.y(), to[2] = angular_part.z();
  to[3] = linear_part.x(), to[4] = linear_part.y(), to[5] = linear_part.z();
}

/// A spatial vector in two halves: what loops over many bodies compute with. (Eigen moves a Vec6 in pairs of numbers;
/// reading as a pair what was just written as single numbers stalls the processor.)
struct SpatialPair {
  Vec3 w, v;  ///< angular, linear

  void store(double* to) const { store_spatial(w, v, to); }
};
inline SpatialPair load_spatial(const double* V) {
  return {Vec3(V[0], V[1], V[2]), Vec3(V[3], V[4], V[5])};
}
inline SpatialPair operator+(const SpatialPair& a, const SpatialPair& b) {
  return {a.w + b.w, a.v + b.v};
}
inline SpatialPair operator-(const SpatialPair& a, const SpatialPair& b) {
  return {a.w - b.w, a.v - b.v};
}
inline SpatialPair operator*(const SpatialPair& a, double s) {
  return {a.w * s, a.v * s};
}
inline double dot(const SpatialPair& a, const SpatialPair& b) {
  return a.w.dot(b.w) + a.v.dot(b.v);
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

inline SpatialPair shift_velocity(const SpatialPair& V, const Vec3& r) {
  return {V.w, V.v + V.w.cross(r)};
}
inline SpatialPair shift_force(const SpatialPair& F, const Vec3& r) {
  return {F.w + r.cross(F.v), F.v};
}

}  // namespace stiction
