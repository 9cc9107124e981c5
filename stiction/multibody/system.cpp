#include "stiction/multibody/system.h"

#include <algorithm>

#include "stiction/base/check.h"

namespace stiction {

bool has_rigid_limits(const System& system) {
  const auto gives_way = [](const Force& force) { return std::holds_alternative<JointStop>(force.kind); };
  if (std::any_of(system.forces.begin(), system.forces.end(), gives_way)) return false;
  return std::any_of(system.named_joints.begin(), system.named_joints.end(),
                     [](const NamedJoint& joint) { return !joint.limits.empty(); });
}

int find_body(const System& system, const std::string& name) {
  for (int b = 0; b < system.n_bodies(); ++b) {
    if (system.bodies[b].name == name) return b;
  }
  return -1;
}

int find_body_of_q(const System& system, int i) {
  STICTION_CHECK(i >= 0 && i < system.nq);
  for (int b = 0; b < system.n_bodies(); ++b) {
    const Joint& joint = system.joints[b];
    if (i >= joint.q_start && i < joint.q_start + joint.nq) return b;
  }
  return -1;
}

int find_body_of_v(const System& system, int i) {
  STICTION_CHECK(i >= 0 && i < system.nv);
  for (int b = 0; b < system.n_bodies(); ++b) {
    const Joint& joint = system.joints[b];
    if (i >= joint.v_start && i < joint.v_start + joint.nv) return b;
  }
  return -1;
}

}  // namespace stiction
