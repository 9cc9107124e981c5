#pragma once

#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/math/spatial.h"

namespace stiction {

/// Inertia of one rigid body about its origin, in the axes of the body or of the world.
struct RigidInertia {
  double mass = 0;             ///< [kg]
  Vec3 moment = Vec3::Zero();  ///< mass times the offset of the centre of mass [kg m]
  Mat3 J = Mat3::Zero();       ///< about the body's ORIGIN [kg m^2]
};

/// In the body's axes, from properties about the centre of mass.
RigidInertia make_rigid_inertia(const MassProperties& properties);

/// The same inertia in axes turned by R: J_W = R J R'.
inline void rotate_inertia(const RigidInertia& inertia, const Mat3& R, RigidInertia& result) {
  result.mass = inertia.mass;
  result.moment.noalias() = R * inertia.moment;
  const Mat3 RJ = R * inertia.J;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double x = RJ(i, 0) * R(j, 0) + RJ(i, 1) * R(j, 1) + RJ(i, 2) * R(j, 2);
      result.J(i, j) = result.J(j, i) = x;
    }
  }
}

/// The force that moves the body, at its origin, with h = mass times the offset of its centre (Newton-Euler about the
/// origin, ordinary accelerations, gravity g taken off):
///     n = J alpha + h x (a - g) + w x J w,   f = m (a - g) + alpha x h + w x (w x h)                      (1)
inline SpatialPair calc_inertia_force(const RigidInertia& inertia, const SpatialPair& A, const Vec3& w, const Vec3& g) {
  const Vec3 &h = inertia.moment, &alpha = A.w;
  const Vec3 a = A.v - g;
  return {inertia.J * alpha + h.cross(a) + w.cross(inertia.J * w),
          inertia.mass * a + alpha.cross(h) + w.cross(w.cross(h))};
}

/// Symmetric 6 x 6 inertia of composite or articulated bodies, at a body's origin, in blocks:
///     [n; f] = [J C; C' M] [alpha; a]                                                                      (2)
struct SpatialInertia {
  Mat3 J = Mat3::Zero(), C = Mat3::Zero(), M = Mat3::Zero();
};

inline SpatialInertia make_spatial_inertia(const RigidInertia& inertia) {
  return {inertia.J, calc_skew(inertia.moment), inertia.mass * Mat3::Identity()};
}

inline SpatialPair operator*(const SpatialInertia& I, const SpatialPair& A) {
  return {I.J * A.w + I.C * A.v, I.C.transpose() * A.w + I.M * A.v};
}

/// to += I referred to a point displaced by -r (from a body's origin to its parent's, r = p_PB), P = skew(r):
///     M' = M,   C' = C + P M,   J' = J + P C^T + (P C'^T)^T                                                (3)
inline void add_shifted(const SpatialInertia& I, const Vec3& r, SpatialInertia& to) {
  const double x = r.x(), y = r.y(), z = r.z();
  const Mat3 &C = I.C, &M = I.M;
  Mat3 D;  // C'
  for (int j = 0; j < 3; ++j) {
    D(0, j) = C(0, j) + (y * M(2, j) - z * M(1, j));
    D(1, j) = C(1, j) + (z * M(0, j) - x * M(2, j));
    D(2, j) = C(2, j) + (x * M(1, j) - y * M(0, j));
  }
  to.M += M;
  to.C += D;
  // Entry (i, j) of J' - J is row i of P C^T at j plus row j of P D^T at i.
  const double xx = (y * C(0, 2) - z * C(0, 1)) + (y * D(0, 2) - z * D(0, 1));
  const double yy = (z * C(1, 0) - x * C(1, 2)) + (z * D(1, 0) - x * D(1, 2));
  const double zz = (x * C(2, 1) - y * C(2, 0)) + (x * D(2, 1) - y * D(2, 0));
  const double xy = (y * C(1, 2) - z * C(1, 1)) + (z * D(0, 0) - x * D(0, 2));
  const double xz = (y * C(2, 2) - z * C(2, 1)) + (x * D(0, 1) - y * D(0, 0));
  const double yz = (z * C(2, 0) - x * C(2, 2)) + (x * D(1, 1) - y * D(1, 0));
  to.J(0, 0) += I.J(0, 0) + xx;
  to.J(1, 1) += I.J(1, 1) + yy;
  to.J(2, 2) += I.J(2, 2) + zz;
  to.J(0, 1) = to.J(1, 0) += I.J(0, 1) + xy;
  to.J(0, 2) = to.J(2, 0) += I.J(0, 2) + xz;
  to.J(1, 2) = to.J(2, 1) += I.J(1, 2) + yz;
}

}  // namespace stiction
