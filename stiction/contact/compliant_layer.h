#pragma once

#include "stiction/base/infinity.h"
#include "stiction/math/vector.h"

namespace stiction {

/// A compliant layer over the rigid core of a body (compliant-implicit-2007, eqs 10-15). With delta = (delta_n,
/// delta_t, delta_o) the deflection of its surface at a contact, delta_n > 0 where it is pressed in, and lambda_s the
/// force that the layer bears, along n, t, o:
///     lambda_s = K delta + C d(delta)/dt                                                                      (1)
///     0 <= lambda_r  orthogonal to  delta_n^0 - delta_n >= 0,   lambda_n = lambda_s,n + lambda_r              (2)
/// lambda_r is the force on the core, which is reached at the largest deflection delta_n^0.
/// Beyond the paper, its remark on nonlinear models: the normal part of (1) may be
///     lambda_s,n = k delta_n^p (1 + a d(delta_n)/dt)                                                          (3)
/// with p = 3/2 Hertz's law and with a > 0 that of Hunt and Crossley; n is not coupled to t and o then.
/// The law holds at a contact point: a face that rests on four corners has four.
struct CompliantLayer {
  Mat3 stiffness = Mat3::Identity();  ///< K, symmetric and positive definite [N/m]; (3): k in the first place [N/m^p]
  Mat3 damping = Mat3::Zero();        ///< C, symmetric and positive semidefinite [N s/m]
  double thickness = infinity;        ///< delta_n^0 [m]
  double exponent = 1;                ///< p [-]
  double dissipation = 0;             ///< a [s/m]

  bool is_linear() const { return exponent == 1 && dissipation == 0; }
};

/// Energy that a deflection stores, delta' K delta / 2, and k delta_n^(p+1) / (p+1) of (3) [J].
double calc_stored_energy(const CompliantLayer& layer, const Vec3& delta);

/// Two layers that are pressed in by `depth` together, at rest and without friction: the force is the same in both
/// (layers in series). Deflections of the first and the second; with one layer the second is null.
struct SharedDepth {
  double first = 0, second = 0;
};
SharedDepth share_depth(const CompliantLayer& first, const CompliantLayer* second, double depth);

}  // namespace stiction
