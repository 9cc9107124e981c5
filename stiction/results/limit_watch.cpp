#include "stiction/results/limit_watch.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "stiction/multibody/tree_plan.h"

namespace stiction {

LimitWatch::LimitWatch(const System& system, double smallest_size) : system_(system), kinematics_(system) {
  if (!has_rigid_limits(system)) return;
  for (std::size_t i = 0; i < system.named_joints.size(); ++i) {
    const NamedJoint& joint = system.named_joints[i];
    for (std::size_t k = 0; k < joint.limits.size(); ++k) {
      const JointLimit& limit = joint.limits[k];
      if (!std::isfinite(limit.lower) && !std::isfinite(limit.upper)) continue;
      const CoordinateRef ref{static_cast<int>(i), static_cast<int>(k)};
      const bool is_angle = std::string_view(coordinate_name(joint.kind, ref.component).unit) == "rad";
      coordinates_.push_back({ref, limit, is_angle ? 1 : smallest_size});
    }
  }
}

LimitExcess LimitWatch::measure(const State& state) {
  LimitExcess worst;
  if (coordinates_.empty()) return worst;
  update_positions(system_, state.q, kinematics_);
  for (const Coordinate& coordinate : coordinates_) {
    const double position = calc_coordinate_position(system_, kinematics_, state.q, state.z, coordinate.ref);
    const double excess = std::max(coordinate.limit.lower - position, position - coordinate.limit.upper);
    if (!(excess > 0) || excess * worst.scale <= worst.excess * coordinate.scale) continue;
    worst = {excess, coordinate.scale, coordinate.ref.joint, coordinate.ref.component};
  }
  return worst;
}

}  // namespace stiction
