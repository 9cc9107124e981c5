#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stiction/multibody/system.h"
#include "stiction/stepping/method.h"
#include "stiction/stepping/problem_watch.h"
#include "stiction/stepping/step_profile.h"
#include "stiction/stepping/step_report.h"

namespace stiction {

/// A time-stepping method bound to a system. It owns its scratch memory; `step` never throws, and never allocates once
/// settled.
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Advance `state` by at most one step and never beyond t_limit. A fixed-step method takes its step, or what is left
  /// of it to t_limit; time is step * h, not a sum. An adaptive method may already be past t_limit inside: then it
  /// interpolates there. Progress is made in every call. On failure `state` is the last good state.
  /// Rigid methods: any state of the system may be given, in any order; each goes on as it did with another stepper.
  virtual StepReport step(State& state, double t_limit) = 0;
  /// Can it stop at any t_limit without changing the steps it takes (dense output)? If not, a run passes its end as
  /// t_limit, and who looks at the states sees those on the grid of the steps.
  virtual bool interpolates() const = 0;
  /// The contacts of the last step that bore an impulse or touch.
  virtual const std::vector<ContactRecord>& contacts() const;

  /// Tells of every contact problem that is solved from now on; methods without any never do. It changes no result.
  virtual void watch_problems(ProblemWatch) {}

  /// Measures from now on where the time of steps goes; methods without contact problems tell nothing.
  virtual void start_profile() {}
  virtual StepProfile profile() const { return {}; }

  /// Can all that determines the future be saved now? Most methods: always. One that cannot save its history drops it
  /// from time to time, by a count of its own and never for the caller's sake: then, and only then, it can.
  virtual bool can_checkpoint(const State& state) = 0;
  /// What beside the state determines the future, as numbers: step size and history of adaptive methods; nothing of
  /// rigid ones, whose memory is in the state. A stepper restored from them goes on exactly as this one, and this one
  /// as if it had not been asked. Only where can_checkpoint(). `restore` throws IoError where state or memory are not
  /// those of this system.
  virtual std::vector<double> checkpoint(const State& state) = 0;
  virtual void restore(const State& state, const std::vector<double>& memory) = 0;

  /// Forces or motions of the system were changed from outside: what was computed with the old ones is dropped, and
  /// sleepers of `state` on which something acts now wake.
  virtual void take_changed_inputs(State& state) = 0;
};

/// Does a formulation of that name know contact?
bool has_contact(const std::string& type);
/// Is it moved by `method.integrator`?
bool uses_integrator(const std::string& type);
/// The formulation of a scene that names none: "cone" if it has contact tables, else "smooth".
const char* choose_formulation(bool has_contact_tables);
/// Names of the formulations in `method.type`.
const std::vector<std::string>& formulation_names();
/// The settings were checked when the scene was compiled; an unknown name is our fault, not the user's.
std::unique_ptr<Stepper> make_stepper(const System& system, const MethodSettings& settings);

}  // namespace stiction
