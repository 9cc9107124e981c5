#pragma once

#include "stiction/contact/friction_response.h"

namespace stiction {

/// No friction.
struct FrictionNone {
  FrictionResponse respond(const Slip&, const FrictionMemory&) const { return {}; }
};

/// Coulomb's law made smooth below a tolerance velocity:
///     f_t = -f_n (mu dir(v_t, v_eps) + sigma_2 v_t)                                                          (1)
/// It cannot stick: under a tangential load below mu f_n it creeps at up to v_eps.
struct FrictionCoulomb {
  double kinetic = 0;       ///< mu [-]
  double viscous = 0;       ///< sigma_2 [s/m]
  double tolerance = 1e-3;  ///< v_eps [m/s]

  FrictionResponse respond(const Slip& slip, const FrictionMemory&) const {
    FrictionResponse r;
    r.force = -slip.load * (kinetic * calc_smooth_direction(slip.velocity, tolerance) + viscous * slip.velocity);
    r.dissipated = -r.force.dot(slip.velocity);
    r.sticks = slip.velocity.squaredNorm() < tolerance * tolerance;
    return r;
  }
};

}  // namespace stiction
