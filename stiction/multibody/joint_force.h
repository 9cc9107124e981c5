#pragma once

#include "stiction/multibody/dynamics.h"

namespace stiction {

/// to += F referred to the parent's origin, F at the body's, r = p_PB.
inline void add_shifted_force(const Vec6& F, const Vec3& r, Vec6& to) {
  const Vec3 f = F.tail<3>();
  const Vec3 n = r.cross(f);
  for (int i = 0; i < 3; ++i) to[i] += F[i] + n[i], to[3 + i] += f[i];
}

/// F_joint of bodies welded to the world: what holds them against gravity, F and the joints of the bodies they carry.
/// Needs F_joint of all moving bodies.
void update_fixed_joint_forces(const System&, const Kinematics&, const std::vector<Vec6>& F, TreeDynamics&);

}  // namespace stiction
