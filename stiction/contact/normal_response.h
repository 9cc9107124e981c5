#pragma once

namespace stiction {

/// What a normal law remembers of a contact; all but the offset and the energy change when bodies touch only.
struct NormalMemory {
  double offset = 0;        ///< x_ro of the relaxed depth x - x_ro [m], V_ro of a volume [m^3]
  double impact_speed = 0;  ///< v_i, of the touch-down [m/s]
  double damping = 0;       ///< a of f = k x^p (1 + a dx/dt) [s/m]
  double stiffness = 0;     ///< k [N/m^p], k_v [N/m^3]
  double energy = 0;        ///< patches with volume: what the elastic force has taken (volume_contact.h) [J]
};

/// The normal force and where its power goes. Power taken from the bodies = force times approach =
/// d(stored)/dt + dissipated - relaxed.
struct NormalResponse {
  double force = 0;        ///< pushes apart, never pulls [N]
  double stored = 0;       ///< elastic energy [J]
  double dissipated = 0;   ///< >= 0 [W]
  double relaxed = 0;      ///< fed into the spring by the offset that fades (3.45) [W]
  double offset_rate = 0;  ///< [m/s]
};

/// How a contact begins: what the laws may need to know of it.
struct Touch {
  double depth = 0;                                 ///< or volume it was found at; 0: the instant was located [m, m^3]
  double approach = 0;                              ///< d depth / dt [m/s]
  double small_curvature = 0, large_curvature = 0;  ///< relative principal curvatures, 0 where not known [1/m]
};

}  // namespace stiction
