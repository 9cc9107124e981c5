#include <algorithm>

#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/force_sum.h"

namespace stiction {

void add_force(const JointStop& stop, const Instant& at, ForceSum& sum) {
  const CoordinateValue x = calc_coordinate(at.system, at.kinematics, at.q, at.v, at.z, stop.coordinate);
  const double beyond = stop.side * (x.position - stop.limit), rate = stop.side * x.velocity;
  // f = k x + c dx/dt; it does not pull, and of the damper only what the spring gives up is lost then.
  const double elastic = stop.stiffness * beyond;
  const double f = std::max(elastic + stop.damping * rate, std::min(elastic, 0.0));
  add_coordinate_force(at.system, at.kinematics, stop.coordinate, -stop.side * f, sum.F, sum.tau);
  sum.stored_energy += 0.5 * elastic * beyond;
  sum.dissipated_power += (f - elastic) * rate;
  sum.impact_power += (f - elastic) * rate;
}

double calc_guard(const JointStop& stop, const Instant& at) {
  return stop.side * (calc_coordinate_position(at.system, at.kinematics, at.q, at.z, stop.coordinate) - stop.limit);
}

void add_force(const JointFriction& friction, const Instant& at, ForceSum& sum) {
  const CoordinateValue x = calc_coordinate(at.system, at.kinematics, at.q, at.v, at.z, friction.coordinate);
  Slip slip;
  slip.load = friction.kinetic;
  if (friction.feels_load()) slip.load += friction.load_factor * at.z[friction.load_entry()];
  slip.velocity = Vec3(x.velocity, 0, 0);
  FrictionBristle::Memory memory;
  const double deflection = at.z[friction.z_start];
  memory.deflection = Vec3(deflection, 0, 0);
  memory.dwell = at.z[friction.dwell_entry()];
  const auto response = friction.law.respond(slip, memory);
  add_coordinate_force(at.system, at.kinematics, friction.coordinate, response.force.x(), sum.F, sum.tau);
  sum.memory_rate[friction.z_start] = response.rate.deflection.x();
  sum.memory_rate[friction.dwell_entry()] = response.rate.dwell;
  if (friction.feels_load()) {
    // Bristles under a changing load keep what they were given (friction_bristle.h).
    sum.memory_rate[friction.energy_entry()] = response.rate.energy;
    sum.stored_energy += at.z[friction.energy_entry()];
  } else {
    sum.stored_energy += 0.5 * friction.kinetic * friction.law.stiffness * deflection * deflection;
  }
  sum.dissipated_power += response.dissipated;
  sum.friction_power += response.dissipated;
}

}  // namespace stiction
