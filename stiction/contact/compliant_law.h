#pragma once

#include "stiction/contact/friction_law.h"
#include "stiction/contact/normal_law.h"

namespace stiction {

/// The law of a compliant contact: any normal law with any friction law.
struct CompliantLaw {
  NormalLaw normal;
  FrictionLaw friction;
  double initial_dwell = 0;  ///< s_dw of contacts that touch at the start [-]
  bool follow = false;       ///< the closest points are followed by their kinematic equations (contact_core.h)
};

}  // namespace stiction
