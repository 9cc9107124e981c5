#include "stiction/contact/normal_power.h"

#include <algorithm>

#include "stiction/contact/hertz_stiffness.h"
#include "stiction/contact/restitution.h"

namespace stiction {

double NormalPower::calc_restitution(double impact_speed) const {
  return stiction::calc_restitution(restitution, restitution_slope, impact_speed);
}

double NormalPower::calc_damping(double impact_speed) const {
  const double e = calc_restitution(impact_speed);
  return calc_damping_factor(e, rule) / (e * std::max(impact_speed, small_velocity));
}

NormalPower::Memory NormalPower::start(const Touch& touch) const {
  Memory memory;
  memory.impact_speed = touch.approach;
  memory.damping = calc_damping(touch.approach);
  memory.stiffness =
      stiffness > 0 ? stiffness : calc_hertz_stiffness(effective_modulus, touch.small_curvature, touch.large_curvature);
  memory.offset = relaxation > 0 ? std::max(touch.depth, 0.0) : 0;
  return memory;
}

}  // namespace stiction
