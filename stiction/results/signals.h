#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/multibody/equations.h"
#include "stiction/results/audit.h"
#include "stiction/results/contact_loads.h"
#include "stiction/results/joint_loads.h"
#include "stiction/results/run_store.h"
#include "stiction/results/signal_catalog.h"

namespace stiction {

/// Where a system's energy is [J].
struct EnergyBalance {
  double kinetic = 0, potential = 0, stored = 0;     ///< now
  double dissipated = 0, input = 0, projection = 0;  ///< since the start
  double friction = 0, impact = 0;                   ///< parts of what is dissipated
  double layers = 0;                                 ///< part of what is stored: in compliant layers
  double total = 0;                                  ///< kinetic + potential + stored
  double residual = 0;                               ///< total - total(0) - input + dissipated - projection
};

/// The signals of a system that are wanted, by name (signal_catalog.h), and their values at an instant.
/// Cost of an instant: one Equations::evaluate, and the work for those groups of signals (a body's position, a joint's
/// reaction) of which any is wanted.
class SignalTable {
 public:
  /// `patterns`: globs; a signal is recorded if any matches. InputError for a glob that matches nothing. `step`:
  /// time.step, by which impulses of compliant contacts are forces (contact_record.h).
  SignalTable(const System& system, const std::vector<std::string>& patterns, double step = 1e-3);
  const std::vector<SignalInfo>& infos() const { return infos_; }
  int size() const { return static_cast<int>(infos_.size()); }

  /// The total energy that the residual is counted from.
  void set_start_energy(double total) { start_energy_ = total; }
  /// The contacts of every step, dt long: the last one ends at the instant which is evaluated next.
  void add_step(double dt, const std::vector<ContactRecord>& contacts);
  /// The steps so far belong to a sample.
  void close_sample();
  /// The values in the order of infos(), valid until the next call. `audit`: of the steps since the last sample. Never
  /// allocates, unless a gap is wanted.
  const VecX& evaluate(const State& state, const AuditValues& audit);
  /// The energies alone.
  void evaluate_energy(const State& state);
  /// What the last evaluate returned.
  const VecX& values() const { return values_; }
  /// What is known since the last sample, as numbers, appended; and back from the front of `memory`, whose rest is
  /// returned. None if it is too short.
  void save(std::vector<double>& memory) const;
  std::optional<std::span<const double>> restore(std::span<const double> memory);
  /// At the instant of the last evaluate, recorded or not.
  const EnergyBalance& energy() const { return energy_; }

 private:
  void update_energy(const State& state);
  void calc_group(const SignalSource& source, const State& state, const AuditValues& audit, double* values);
  void calc_body_group(const SignalSource& source, double* values) const;
  void calc_joint_group(const SignalSource& source, const State& state, double* values);

  const System& system_;
  Equations equations_;
  JointLoads joint_loads_;
  std::vector<SignalInfo> infos_;
  std::vector<SignalSource> sources_;  ///< of infos_
  VecX values_;
  std::optional<ContactGaps> gaps_;            ///< where a pattern asks for them
  std::optional<ContactLoads> contact_loads_;  ///< where a signal asks for them
  bool has_step_loads_ = false;  ///< signals of joints are wanted, and forces of a step act beside the elements
  StepLoads step_loads_;         ///< of the last step
  EnergyBalance energy_;
  double start_energy_ = 0;
};

}  // namespace stiction
