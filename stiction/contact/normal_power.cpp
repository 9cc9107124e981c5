#include "stiction/contact/normal_power.h"

#include <algorithm>

#include "stiction/contact/hertz_stiffness.h"

namespace stiction {
namespace {

constexpr double smallest_restitution = 0.01;

}  // namespace

double NormalPower::calc_restitution(double impact_speed) const {
  if (restitution_slope <= 0) return restitution;
  return std::max(1 - restitution_slope * std::max(impact_speed, 0.0), smallest_restitution);
}

double NormalPower::calc_damping(double impact_speed) const {
  const double e = calc_restitution(impact_speed);
  return calc_damping_factor(e, rule) / (e * std::max(impact_speed, small_velocity));
}

NormalMemory NormalPower::start(const Touch& touch) const {
  NormalMemory memory;
  memory.impact_speed = touch.approach;
  memory.damping = calc_damping(touch.approach);
  memory.stiffness =
      stiffness > 0 ? stiffness : calc_hertz_stiffness(effective_modulus, touch.small_curvature, touch.large_curvature);
  memory.offset = relaxation > 0 ? std::max(touch.depth, 0.0) : 0;
  return memory;
}

}  // namespace stiction
