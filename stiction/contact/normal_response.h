#pragma once

#include "stiction/contact/law_memory.h"

namespace stiction {

/// The normal force and where its power goes. Power taken from the bodies = force times approach =
/// d(stored)/dt + dissipated - relaxed.
struct NormalResponse {
  double force = 0;       ///< pushes apart, never pulls [N]
  double stored = 0;      ///< elastic energy [J]
  double dissipated = 0;  ///< >= 0 [W]
  double relaxed = 0;     ///< fed into the spring by an offset that fades (3.45) [W]
};
/// With the rates of what the law remembers.
template <class Memory>
struct NormalOutput : NormalResponse {
  Memory rate = {};
};

/// How a contact begins: what the laws may need to know of it.
struct Touch {
  double depth = 0;                                 ///< or volume it was found at; 0: the instant was located [m, m^3]
  double approach = 0;                              ///< d depth / dt [m/s]
  double small_curvature = 0, large_curvature = 0;  ///< relative principal curvatures, 0 where not known [1/m]
};

}  // namespace stiction
