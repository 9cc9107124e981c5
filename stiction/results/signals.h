#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/multibody/equations.h"
#include "stiction/results/audit.h"
#include "stiction/results/joint_loads.h"
#include "stiction/results/run_store.h"
#include "stiction/results/signal_catalog.h"

namespace stiction {

/// Where a system's energy is [J].
struct EnergyBalance {
  double kinetic = 0, potential = 0, stored = 0;     ///< now
  double dissipated = 0, input = 0, projection = 0;  ///< since the start
  double friction = 0, impact = 0;                   ///< parts of what is dissipated
  double total = 0;                                  ///< kinetic + potential + stored
  double residual = 0;                               ///< total - total(0) - input + dissipated - projection
};

/// The signals of a system that are wanted, by name (signal_catalog.h), and their values at an instant.
/// Cost of an instant: one Equations::evaluate, and the work for those groups of signals (a body's position, a joint's
/// reaction) of which any is wanted.
class SignalTable {
 public:
  /// `patterns`: globs; a signal is recorded if any matches. InputError for a glob that matches nothing.
  SignalTable(const System& system, const std::vector<std::string>& patterns);
  const std::vector<SignalInfo>& infos() const { return infos_; }
  int size() const { return static_cast<int>(infos_.size()); }

  /// The total energy that the residual is counted from.
  void set_start_energy(double total) { start_energy_ = total; }
  /// The contacts of the step that ends at the instant which is evaluated next; impulses over `step` are forces.
  void set_contacts(const std::vector<ContactRecord>& contacts, double step);
  /// The values in the order of infos(), valid until the next call. `audit`: of the steps since the last sample. Never
  /// allocates, unless a gap is wanted.
  const VecX& evaluate(const State& state, const AuditValues& audit);
  /// What the last evaluate returned.
  const VecX& values() const { return values_; }
  /// At the instant of the last evaluate, recorded or not.
  const EnergyBalance& energy() const { return energy_; }

 private:
  void update_energy(const State& state);
  void calc_group(const SignalSource& source, const State& state, const AuditValues& audit, double* values);
  void calc_body_group(const SignalSource& source, double* values) const;
  void calc_joint_group(const SignalSource& source, const State& state, double* values);

  /// What the contacts under a table bear.
  struct ContactLoad {
    double normal = 0, depth = 0;
    Vec3 tangential = Vec3::Zero();
  };

  const System& system_;
  Equations equations_;
  JointLoads joint_loads_;
  std::vector<SignalInfo> infos_;
  std::vector<SignalSource> sources_;  ///< of infos_
  VecX values_;
  std::optional<ContactGaps> gaps_;         ///< where a pattern asks for them
  std::vector<ContactLoad> contact_loads_;  ///< one a contact table; none if no signal asks for them
  EnergyBalance energy_;
  double start_energy_ = 0;
};

}  // namespace stiction
