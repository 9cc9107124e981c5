#pragma once

#include "stiction/contact/normal_response.h"

namespace stiction {

/// Kelvin and Voigt:  f = k x + c dx/dt,  x the depth, clipped at 0: no tension.                             (1)
/// With c > 0 the force jumps when the bodies touch. The restitution of an impact follows from c, k and the mass.
/// Clipped, the spring gives up its energy to nobody: it counts as dissipated.
struct NormalLinear {
  using Memory = NoMemory;
  double stiffness = 0;  ///< k [N/m]
  double damping = 0;    ///< c [N s/m]

  Memory start(const Touch&) const { return {}; }
  NormalOutput<Memory> respond(double depth, double approach, const Memory&) const {
    NormalOutput<Memory> r;
    if (depth <= 0) return r;
    const double elastic = stiffness * depth, total = elastic + damping * approach;
    r.force = total > 0 ? total : 0;
    r.stored = 0.5 * elastic * depth;
    r.dissipated = (r.force - elastic) * approach;
    return r;
  }
};

}  // namespace stiction
