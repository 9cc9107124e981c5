#include "stiction/multibody/system.h"

#include "stiction/base/check.h"

namespace stiction {

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
