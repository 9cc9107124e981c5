#pragma once

#include "stiction/contact/friction_response.h"

namespace stiction {

/// The tangential part of a spatial spring that is attached where the bodies touch (contact-kinematics-2003, section 5,
/// where it is sketched; defined here in full), with slip, which the paper leaves as future work. v is the slip
/// velocity in the average tangent plane, so that rolling, a rotation about an axis in that plane, does not charge the
/// spring; delta its deflection, w_n the spin and theta the twist:
///     w = k delta + c v,        f_t = -sat(w, mu f_n),        d delta/dt = (sat(w) - k delta) / c           (1)
///     m = k_s theta + c_s w_n,  m_n = -sat(m, mu r f_n),      d theta/dt = (sat(m) - k_s theta) / c_s       (2)
/// so that delta follows the bodies while it sticks, and the force stays on the limit while it slips. Unlike bristles
/// the spring's stiffness does not depend on the load: energy = k delta^2 / 2 + k_s theta^2 / 2 is conserved, and what
/// is dissipated is never negative:  sticking c v^2;  slipping sat(w).(w - sat(w))/c + c (d delta/dt)^2.
struct FrictionSpring {
  struct Memory {
    Vec3 deflection = Vec3::Zero();  ///< delta, world axes [m]
    double twist = 0;                ///< theta [rad]
    double energy = 0;               ///< of both [J]

    template <class Self>
    static auto entries(Self& m) {
      return std::tie(m.deflection, m.twist, m.energy);
    }
  };
  double kinetic = 0;              ///< mu [-]
  double stiffness = 0;            ///< k [N/m]
  double damping = 0;              ///< c > 0 [N s/m]
  double torsional_stiffness = 0;  ///< k_s [N m/rad]; 0: no moment
  double torsional_damping = 0;    ///< c_s > 0 where k_s > 0 [N m s/rad]
  double radius = 0;               ///< r of the moment's limit [m]

  FrictionOutput<Memory> respond(const Slip& slip, const Memory& memory) const;
};

}  // namespace stiction
