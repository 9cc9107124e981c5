#pragma once

#include "stiction/multibody/dynamics.h"

namespace stiction {

/// to += F referred to the parent's origin, F at the body's, r = p_PB.
inline void add_shifted_force(const SpatialPair& F, const Vec3& r, Vec6& to) {
  (load_spatial(to.data()) + shift_force(F, r)).store(to.data());
}

/// F_joint of bodies welded to the world: what holds them against gravity, F and the joints of the bodies they carry.
/// Needs F_joint of all moving bodies.
void update_fixed_joint_forces(const System&, const Kinematics&, const std::vector<Vec6>& F, TreeDynamics&);

}  // namespace stiction
