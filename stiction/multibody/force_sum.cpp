#include "stiction/multibody/force_sum.h"

namespace stiction {

ForceSum::ForceSum(const System& system) : F(system.bodies.size(), Vec6::Zero()), tau(VecX::Zero(system.nv)) {}

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

void add_force(const Force& force, const Instant& instant, const std::vector<int>& modes, ForceSum& sum) {
  if (const auto* spring = std::get_if<SpringLinear>(&force.kind); spring != nullptr && spring->mode >= 0) {
    // A slack spring does nothing.
    if (modes[spring->mode] != 0) add_force(*spring, instant, sum);
  } else {
    std::visit([&](const auto& element) { add_force(element, instant, sum); }, force.kind);
  }
}

void add_forces(const Instant& instant, const std::vector<int>& modes, ForceSum& sum) {
  for (const Force& force : instant.system.forces) add_force(force, instant, modes, sum);
}

}  // namespace stiction
