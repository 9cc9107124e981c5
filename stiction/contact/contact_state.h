#pragma once

#include "stiction/contact/friction_response.h"
#include "stiction/contact/normal_response.h"

namespace stiction {

/// What a compliant contact remembers. Plain data: `touching` and the normal part but for its offset change when bodies
/// touch or part (begin_contact, end_contact), the rest is integrated along with the motion.
struct ContactState {
  bool touching = false;
  NormalMemory normal;
  FrictionMemory friction;
};

/// Rates of what is integrated.
struct ContactStateRate {
  Vec3 deflection = Vec3::Zero();
  double dwell = 0, twist = 0, energy = 0, offset = 0;
  double elastic = 0;  ///< of NormalMemory::energy
};

/// One explicit Euler step.
inline void advance_contact_state(const ContactStateRate& rate, double h, ContactState& state) {
  state.friction.deflection += h * rate.deflection;
  state.friction.dwell += h * rate.dwell;
  state.friction.twist += h * rate.twist;
  state.friction.energy += h * rate.energy;
  state.normal.offset += h * rate.offset;
  state.normal.energy += h * rate.elastic;
}

/// All but `touching` as numbers, in the order deflection x y z, dwell, twist, energy, offset, impact speed, damping,
/// stiffness; of patches with volume, behind them, the elastic energy.
inline constexpr int contact_state_size = 10, volume_state_size = 11;
inline constexpr int friction_energy_entry = 5, elastic_energy_entry = 10;
inline void write_contact_state(const ContactState& state, double* to) {
  const FrictionMemory& f = state.friction;
  const NormalMemory& n = state.normal;
  to[0] = f.deflection.x(), to[1] = f.deflection.y(), to[2] = f.deflection.z();
  to[3] = f.dwell, to[4] = f.twist, to[5] = f.energy;
  to[6] = n.offset, to[7] = n.impact_speed, to[8] = n.damping, to[9] = n.stiffness;
}
inline ContactState read_contact_state(const double* from, bool touching) {
  return {
      touching, {from[6], from[7], from[8], from[9], 0}, {Vec3(from[0], from[1], from[2]), from[3], from[4], from[5]}};
}
inline void write_contact_rate(const ContactStateRate& rate, double* to) {
  to[0] = rate.deflection.x(), to[1] = rate.deflection.y(), to[2] = rate.deflection.z();
  to[3] = rate.dwell, to[4] = rate.twist, to[5] = rate.energy, to[6] = rate.offset;
  to[7] = to[8] = to[9] = 0;
}

}  // namespace stiction
