#pragma once

#include "stiction/contact/friction_response.h"
#include "stiction/math/vector.h"

namespace stiction {

/// Friction that differs with the direction, from any isotropic law: (2) of contact_law.h for compliant contact. With
/// the axes t (along), o (across) of the tangent plane, the normal n and the spin w_n about it, the isotropic law acts
/// in stretched velocities and its force is stretched by the same matrix:
///     v' = E (v_t, v_o, w_n),   E = diag(e_t, e_o, e_r),   (f_t, f_o, m_n) = E f'(v')                            (1)
/// Coulomb's f' = -mu f_n v'/|v'| becomes that of the ellipsoid (f_t/e_t)^2 + (f_o/e_o)^2 + (m_n/e_r)^2 = (mu f_n)^2
/// with the largest dissipation, mu f_n |E (v, w_n)|. The power is the law's own, (f, m) . (v, w_n) = f' . v': what it
/// stores, dissipates and cannot feed stays true in every direction.
/// Stiffness, damping and viscosity of a law act in stretched lengths, too: across they are e_o^2 times those along for
/// e_t = 1. The deflection is kept stretched; its component along the normal is that of the spin.
struct FrictionEllipse {
  double along = 1, across = 1;    ///< e_t, e_o [-]
  double spin_radius = 0;          ///< e_r [m]; 0: no moment
  Vec3 direction = Vec3::UnitX();  ///< of e_t, in the frame of body A's shape; projected on the tangent plane
  bool of_b = false;               ///< in the frame of B's instead
};

/// E of (1) in world axes, without its part along the normal. `direction`: of e_t, world axes; along the normal: any.
inline Mat3 calc_ellipse_matrix(const FrictionEllipse& ellipse, const Vec3& direction, const Vec3& normal) {
  Vec3 t = direction - normal * normal.dot(direction);
  const double size = t.norm();
  t = size > 1e-6 * direction.norm() ? Vec3(t / size) : normal.unitOrthogonal();
  const Vec3 o = normal.cross(t);
  return ellipse.along * t * t.transpose() + ellipse.across * o * o.transpose();
}

/// The slip that the isotropic law sees.
inline Slip stretch_slip(const FrictionEllipse& ellipse, const Mat3& E, const Vec3& normal, Slip slip) {
  slip.velocity = E * slip.velocity + (ellipse.spin_radius * slip.spin) * normal;
  slip.spin = 0;
  return slip;
}
/// Its response as force and moment on the bodies.
inline void stretch_response(const FrictionEllipse& ellipse, const Mat3& E, const Vec3& normal,
                             FrictionResponse& response) {
  response.moment = ellipse.spin_radius * normal.dot(response.force);
  response.force = E * response.force;
}

}  // namespace stiction
