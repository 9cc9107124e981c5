#pragma once

#include <optional>

#include "stiction/contact/friction_ellipse.h"
#include "stiction/contact/friction_law.h"
#include "stiction/contact/normal_law.h"
#include "stiction/contact/volume_patch.h"

namespace stiction {

/// The law of a compliant contact: any normal law with any friction law. A volumetric contact (volume_contact.h) has a
/// normal law of the power 1 in the volume instead of the depth.
struct CompliantLaw {
  NormalLaw normal;
  FrictionLaw friction;
  double initial_dwell = 0;  ///< s_dw of contacts that touch at the start [-]
  bool follow = false;       ///< the closest points are followed by their kinematic equations (contact_core.h)
  std::optional<FrictionEllipse> ellipse = std::nullopt;  ///< of points; else friction is isotropic
  std::optional<VolumeSettings> volume = std::nullopt;    ///< the patch is a region with volume; else a point
};

}  // namespace stiction
