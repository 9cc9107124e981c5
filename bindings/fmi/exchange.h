#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/results/signals.h"
#include "stiction/run/simulation.h"
#include "stiction/stepping/control/control_sampler.h"
#include "stiction/stepping/ode/smooth_problem.h"

namespace stiction::fmi {

/// A scene as an ordinary differential equation that another tool integrates (model exchange; formulations "smooth" and
/// "compliant"):
///     dy/dt = f(t, y),  y = [q; v; z],  with guards g(t, y) whose changes of sign are events                      (1)
/// (stepping/ode/smooth_problem.h). f is smooth between two events. At an event, in this order: y is projected onto
/// constraints and unit quaternions; controllers whose sample time has come are sampled, their outputs, which are part
/// of z, jump; contacts that touch or part switch, and what they remember jumps.
///
/// The event indicators are guards whose zero lies beyond their noise on the other side of the mode,
///     z = g + 2e-12 where the mode is on, g - 2e-12 where it is off,                                              (2)
/// so that after an event z is not zero, as the standard asks (FMI 2.0.4, section 3.1): a tool that begins at z = 0, or
/// stops a rounding short of it, would never see this contact begin.
///
/// Between events y is the tool's. Constraints drift there, |phi| with t^2 at the error of the tool's integrator; after
/// its steps has_drifted() says whether they have gone too far, and the tool is asked for an event, which projects.
class Exchange {
 public:
  Exchange(const Simulation& simulation, const std::vector<std::string>& outputs);

  int state_count() const { return problem_.size(); }
  int indicator_count() const { return problem_.guard_count(); }
  double time() const { return state_.t; }
  void set_time(double t);
  const VecX& states() const { return y_; }
  void set_states(const double* y);
  void set_state(int index, double value);
  const VecX& calc_derivatives();
  const VecX& calc_indicators();
  /// True if states changed.
  bool handle_events();
  /// Is |phi| [m, rad], |dphi/dt| [m/s, rad/s] or the error of a quaternion's norm beyond the limit?
  bool has_drifted(double limit);
  /// The next time at which forces or motions are not smooth, or a controller is sampled; infinity: none.
  double next_break() const { return problem_.next_break(state_.t); }
  /// f was changed from outside.
  void take_changed_inputs();
  /// The output of that index.
  double output(int index);

  /// Time, coordinates, velocities, memory, modes; and when controllers were last sampled.
  void save(SimulationState& saved);
  void restore(const SimulationState& saved);

 private:
  bool project();
  bool sample_controllers();
  bool switch_modes();
  /// Of y_ in state_.
  void observe_contacts();

  const System& system_;
  SmoothProblem problem_;
  ControlSampler sampler_;
  State state_;
  double sampled_at_ = -1;  ///< of the last event [s]; below 0: there was none
  VecX y_, dy_, guards_, projected_;
  std::vector<ContactRecord> contacts_;  ///< with forces as impulses of 1 s
  std::optional<SignalTable> signals_;
  std::vector<int> rows_;  ///< of the outputs in signals_
  bool signals_current_ = false;
};

}  // namespace stiction::fmi
