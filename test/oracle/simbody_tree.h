#pragma once

#include <vector>

#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/multibody/joint.h"

namespace stiction {

/// A body of a tree as Simbody gets it, and what Simbody says of its motion. Conventions of joint.h.
struct SimbodyBody {
  Joint joint;
  MassProperties mass;
  Transform X_FM;  ///< pose across the joint
  Vec6 V_FM;       ///< velocity of M's origin and axes relative to F, in F: [angular; linear]
  Vec6 F;          ///< force on the body at its origin, world axes: [torque; force]
};
struct SimbodyMotion {
  Vec3 p_WB;
  Vec6 V_WB, A_WB;
};

/// Entry 0 is the world, in and out. Parents stand before their children.
std::vector<SimbodyMotion> calc_simbody_motion(const std::vector<SimbodyBody>& bodies, const Vec3& gravity);

}  // namespace stiction
