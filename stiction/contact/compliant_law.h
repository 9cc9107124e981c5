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
  /// The average tangent plane between the deepest points of A (0) and B (1), by their stiffnesses k_b / (k_a + k_b)
  /// (contact-kinematics-2003, section 5); none: that of the site.
  std::optional<double> plane = std::nullopt;
  std::optional<FrictionEllipse> ellipse = std::nullopt;  ///< of points; else friction is isotropic
  std::optional<VolumeSettings> volume = std::nullopt;    ///< the patch is a region with volume; else a point
};

}  // namespace stiction
