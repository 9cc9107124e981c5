#include "stiction/multibody/step_loads.h"

#include "stiction/multibody/system.h"

namespace stiction {

void list_coordinate_loads(const System& system, const VecX& z, StepLoads& loads) {
  loads.on_coordinates.clear();
  for (std::size_t j = 0; j < system.named_joints.size(); ++j) {
    const NamedJoint& joint = system.named_joints[j];
    if (joint.row_force_start < 0) continue;
    for (int k = 0; k < calc_nq(joint.kind); ++k)
      loads.on_coordinates.push_back({{static_cast<int>(j), k}, z[joint.row_force_start + k]});
  }
}

}  // namespace stiction
