#pragma once

#include "stiction/multibody/equations.h"
#include "stiction/stepping/contact_record.h"
#include "stiction/stepping/ode/ode.h"

namespace stiction {

/// A mechanical system as an ordinary differential equation: y = [q; v; z], f from Equations, the manifold made of unit
/// quaternions, prescribed motions and constraints, one guard for each mode of an element. Compliant contacts are
/// elements too: touching is a mode, its memory stands in z and is set where the mode switches. Modes beyond those with
/// a guard say whether contacts stick; they have no effect on f. The energy ledger in z is integrated along but does
/// not govern the step: its tolerance is 100 times wider.
class SmoothProblem final : public OdeProblem {
 public:
  /// `located`: the integrator locates events.
  SmoothProblem(const System& system, double projection_tolerance, bool located);

  /// For contacts whose evaluation is worth it; no result depends on it.
  void set_threads(int threads) { equations_.contacts().set_threads(threads); }

  int size() const override { return static_cast<int>(factors_.size()); }
  void calc_derivative(double t, const VecX& y, VecX& dy) override;
  /// v+ = v + h dv,  q+ = q (+) h v+,  z+ = z + h dz, with dv and dz at the start of the step.
  void apply_semi_implicit(double t, double h, VecX& y) override;
  bool project(double t, VecX& y) override;
  bool has_constraints() const override { return equations_.n_rows() > 0; }
  const VecX& tolerance_factors() const override { return factors_; }
  int guard_count() const override { return system_.n_modes; }
  /// With fixed steps an evaluation of f, which the next step then has.
  void calc_guards(double t, const VecX& y, VecX& guards) override;
  bool mode(int guard) const override { return work_.modes[static_cast<std::size_t>(guard)] != 0; }
  void set_mode(int guard, bool mode) override;
  void switch_mode(int guard, bool mode, double t, VecX& y) override;
  /// Contacts remember the speed with which the bodies met, not that after the step's forces.
  void switch_mode_late(int guard, bool mode, double t_event, const VecX& y_event, double t, VecX& y) override;
  /// As CompliantContacts::take_doubtful.
  std::vector<int> take_doubtful_contacts() { return equations_.contacts().take_doubtful(); }
  /// What bristles of contacts that ended had fed since the last call [J].
  double take_fed_energy() { return equations_.contacts().take_fed_energy(); }
  double next_break(double t) const override;

  const std::vector<int>& modes() const { return work_.modes; }
  void set_modes(const std::vector<int>& modes);
  /// f was changed from outside: what was evaluated last no longer holds.
  void forget_evaluation() { t_evaluated_ = std::numeric_limits<double>::quiet_NaN(); }
  /// Contacts that touch at (t, y). With fixed steps it costs an evaluation of f, which the next step then has.
  std::span<const CompliantContacts::Observed> observe_contacts(double t, const VecX& y);
  /// One of them as a record, with the memory of contacts in z: its impulse is the force times `step`.
  ContactRecord make_record(const CompliantContacts::Observed& seen, const VecX& z, double step) const;
  /// A mode that no guard belongs to: no history is dropped.
  void set_silent_mode(int index, int mode) { work_.modes[static_cast<std::size_t>(index)] = mode; }
  void read(const State& state, VecX& y) const;
  void write(const VecX& y, State& state) const;

  /// Of the last call of project.
  const Equations::Drift& drift() const { return drift_; }
  Equations::Drift calc_drift(double t, const VecX& y);
  /// The element of a guard and the word for its new mode.
  const ModeInfo& mode_info(int guard) const { return equations_.mode_infos()[static_cast<std::size_t>(guard)]; }

 private:
  void unpack(const VecX& y);
  bool is_unpacked(const VecX& y) const;
  /// f at (t, y), unless it is what was evaluated last.
  void evaluate(double t, const VecX& y);

  const System& system_;
  Equations equations_;
  double projection_tolerance_;
  bool located_;
  VecX factors_;
  std::vector<double> breaks_;
  State work_;  ///< the last y taken apart, and the modes
  VecX displacement_;
  /// equations_ stands at work_ and this time; NaN: nowhere.
  double t_evaluated_ = std::numeric_limits<double>::quiet_NaN();
  Equations::Drift drift_;
};

}  // namespace stiction
