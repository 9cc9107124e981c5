#pragma once

#include "stiction/contact/friction_response.h"

namespace stiction {

/// No friction.
struct FrictionNone {
  using Memory = NoMemory;
  FrictionOutput<Memory> respond(const Slip&, const Memory&) const { return {}; }
};

/// Coulomb's law made smooth below a tolerance velocity:
///     f_t = -f_n (mu dir(v_t, v_eps) + sigma_2 v_t)                                                          (1)
/// It cannot stick: under a tangential load below mu f_n it creeps at up to v_eps.
/// PATCHES, u = r_gyr w_n the speed of spin at the radius of gyration (gonthier-thesis-2007, eqs 4.205, 4.208):
///     f_t = -f_n (mu C_v v/|v| + sigma_2 v),   tau_s = -spin_factor f_n r_gyr (mu C_w u/|u| + sigma_2 u)      (2)
/// with the factors of contensou.h, or the vector and moment of contensou_polygon.h, which go to zero with the speed
/// below v_eps.
struct FrictionCoulomb {
  using Memory = NoMemory;
  double kinetic = 0;       ///< mu [-]
  double viscous = 0;       ///< sigma_2 [s/m]
  double tolerance = 1e-3;  ///< v_eps [m/s]
  PatchFriction patch = {};

  FrictionOutput<Memory> respond(const Slip& slip, const Memory&) const {
    if (slip.gyration > 0) return respond_patch(slip);
    FrictionOutput<Memory> r;
    r.force = -slip.load * (kinetic * calc_smooth_direction(slip.velocity, tolerance) + viscous * slip.velocity);
    r.dissipated = -r.force.dot(slip.velocity);
    r.sticks = slip.velocity.squaredNorm() < tolerance * tolerance;
    return r;
  }
  FrictionOutput<Memory> respond_patch(const Slip& slip) const;
  FrictionOutput<Memory> respond_plate(const Slip& slip) const;
};

}  // namespace stiction
