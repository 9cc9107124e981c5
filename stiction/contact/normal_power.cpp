#include "stiction/contact/normal_power.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/hertz_stiffness.h"

namespace stiction {
namespace {

constexpr double smallest_restitution = 0.01;

/// x^p, in the same bits everywhere for the usual p.
double calc_power(double x, double p) {
  if (p == 1.5) return x * std::sqrt(x);
  if (p == 1) return x;
  if (p == 2) return x * x;
  return std::pow(x, p);
}

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

NormalResponse NormalPower::respond(double depth, double approach, const NormalMemory& memory) const {
  NormalResponse r;
  if (relaxation > 0) r.offset_rate = -memory.offset / relaxation;
  const double x = depth - memory.offset;
  if (x <= 0) return r;
  const double elastic = memory.stiffness * calc_power(x, exponent);
  const double factor = 1 + memory.damping * approach;
  r.force = factor > 0 ? elastic * factor : 0;
  r.stored = elastic * x / (exponent + 1);
  r.dissipated = (r.force - elastic) * approach;
  // d(stored)/dt = elastic (approach - offset_rate)
  r.relaxed = -elastic * r.offset_rate;
  return r;
}

}  // namespace stiction
