#include "stiction/multibody/force_sum.h"

namespace stiction {

ForceSum::ForceSum(const System& system)
    : F(system.bodies.size(), Vec6::Zero()), tau(VecX::Zero(system.nv)), memory_rate(VecX::Zero(system.nz)) {}

void ForceSum::set_zero() {
  for (Vec6& F_B : F) F_B.setZero();
  tau.setZero();
  stored_energy = dissipated_power = input_power = 0;
  friction_power = impact_power = stabilisation_power = 0;
}

void ForceSum::set_zero(const std::vector<int>& bodies) {
  for (const int b : bodies) F[b].setZero();
  tau.setZero();
  stored_energy = dissipated_power = input_power = 0;
  friction_power = impact_power = stabilisation_power = 0;
}

int find_mode(const Force& force) {
  if (const auto* spring = std::get_if<SpringLinear>(&force.kind)) return spring->mode;
  if (const auto* stop = std::get_if<JointStop>(&force.kind)) return stop->mode;
  return -1;
}

double calc_guard(const Force& force, const Instant& instant) {
  if (const auto* stop = std::get_if<JointStop>(&force.kind)) return calc_guard(*stop, instant);
  return calc_guard(std::get<SpringLinear>(force.kind), instant.kinematics);
}

ModeInfo make_mode_info(const Force& force) {
  if (std::holds_alternative<JointStop>(force.kind)) return {force.name, "impact", "release"};
  return make_mode_info(force.name, std::get<SpringLinear>(force.kind));
}

void add_force(const Force& force, const Instant& instant, const std::vector<int>& modes, ForceSum& sum) {
  // What is slack or free does nothing.
  const int mode = find_mode(force);
  if (mode >= 0 && modes[mode] == 0) return;
  std::visit([&](const auto& element) { add_force(element, instant, sum); }, force.kind);
}

void add_forces(const Instant& instant, const std::vector<int>& modes, ForceSum& sum) {
  for (const Force& force : instant.system.forces) add_force(force, instant, modes, sum);
}

}  // namespace stiction
