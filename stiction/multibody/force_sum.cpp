#include "stiction/multibody/force_sum.h"

namespace stiction {

ForceSum::ForceSum(const System& system) : F(system.bodies.size(), Vec6::Zero()), tau(VecX::Zero(system.nv)) {}

void ForceSum::set_zero() {
  for (Vec6& F_B : F) F_B.setZero();
  tau.setZero();
  stored_energy = dissipated_power = input_power = 0;
}

void add_forces(const Instant& instant, ForceSum& sum) {
  for (const Force& force : instant.system.forces)
    std::visit([&](const auto& element) { add_force(element, instant, sum); }, force.kind);
}

}  // namespace stiction
