#include "stiction/results/contact_loads.h"

#include <algorithm>

#include "stiction/base/check.h"

namespace stiction {

ContactLoads::ContactLoads(ContactGroups groups, double compliant_step)
    : groups_(std::move(groups)), compliant_step_(compliant_step), loads_(static_cast<std::size_t>(groups_.size())) {}

void ContactLoads::add_step(double dt, const std::vector<ContactRecord>& contacts) {
  if (loads_.empty() || !(dt > 0)) return;
  const bool is_compliant = compliant_step_ > 0;
  // Half of the trapezoidal rule, with the forces of the step before.
  const double weight = is_compliant ? 0.5 * dt : dt;
  for (Load& load : loads_) {
    if (is_compliant) {
      load.normal_impulse += weight * load.normal;
      load.impulse += weight * load.force;
    }
    load.normal = load.depth = load.deflection = load.shear = load.core = 0;
    load.force.setZero();
    load.tangential.setZero();
    load.contacts = load.sticking = 0;
    load.dwell = load.volume = 0;
    load.normal_force.setZero();
    load.moment.setZero();
  }
  const double length = is_compliant ? compliant_step_ : dt;
  for (const ContactRecord& contact : contacts) {
    const Vec3 force = contact.impulse / length;
    const double normal = force.dot(contact.normal);
    for (const ContactGroups::Share& share : groups_.find(contact.shape_a, contact.shape_b)) {
      if (share.group < 0) continue;
      Load& load = loads_[static_cast<std::size_t>(share.group)];
      load.normal += normal;
      load.force += share.sign * force;
      load.tangential += share.sign * (force - normal * contact.normal);
      load.depth = std::max(load.depth, -contact.gap);
      load.deflection = std::max(load.deflection, contact.deflection);
      load.shear = std::max(load.shear, contact.shear);
      load.core += contact.core_impulse / length;
      ++load.contacts;
      if (contact.mode == ContactMode::stick) ++load.sticking;
      load.dwell = std::max(load.dwell, contact.dwell);
      load.volume += contact.volume;
      load.normal_force += (share.sign * normal) * contact.normal;
      load.moment += (share.sign / length) * contact.moment_impulse;
    }
  }
  for (Load& load : loads_) {
    load.peak = std::max(load.peak, load.normal);
    load.normal_impulse += weight * load.normal;
    load.impulse += weight * load.force;
  }
}

void ContactLoads::close_sample() {
  for (Load& load : loads_) {
    load.peak = load.normal_impulse = 0;
    load.impulse.setZero();
  }
}

void ContactLoads::save(std::vector<double>& memory) const {
  for (const Load& load : loads_) {
    memory.insert(memory.end(), {load.normal, load.force.x(), load.force.y(), load.force.z(), load.peak,
                                 load.normal_impulse, load.impulse.x(), load.impulse.y(), load.impulse.z()});
  }
}

void ContactLoads::restore(std::span<const double> memory) {
  STICTION_CHECK(memory.size() == memory_size());
  const double* p = memory.data();
  for (Load& load : loads_) {
    load = {};
    load.normal = *p++;
    for (double& value : load.force) value = *p++;
    load.peak = *p++;
    load.normal_impulse = *p++;
    for (double& value : load.impulse) value = *p++;
  }
}

}  // namespace stiction
