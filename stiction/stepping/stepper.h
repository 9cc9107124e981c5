#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stiction/multibody/system.h"
#include "stiction/stepping/contact_record.h"
#include "stiction/stepping/method.h"

namespace stiction {

enum class StepStatus {
  ok,
  diverged,           ///< a number stopped being finite; the state is the last good one
  constraint_failed,  ///< the constraints could not be satisfied
  step_too_small,     ///< the error control asked for a step below what the time's precision resolves
};
const char* name_of(StepStatus status);

/// Something that happened at an instant and is recorded with its time.
struct StepEvent {
  double t = 0;
  std::string kind;  ///< "taut", "slack"; of contacts "impact", "release", "stick", "slip"; of bodies "sleep", "wake"
  std::string name;  ///< the element, the pair, the body
};

/// What a step did. Measured, never claimed.
struct [[nodiscard]] StepReport {
  StepStatus status = StepStatus::ok;
  std::string message;    ///< on failure: which body or constraint, when, what to try
  double h = 0;           ///< advance of the integrator in this call; 0 if it only interpolated [s]
  int evaluations = 0;    ///< of the right-hand side
  int rejected = 0;       ///< trial steps given up by the error control
  double drift = 0;       ///< max |phi| of the constraints after the step [m, rad]
  double drift_rate = 0;  ///< max |dphi/dt| [m/s, rad/s]
  ContactAudit contact;
  std::vector<StepEvent> events;
};

/// A time-stepping method bound to a system. It owns its scratch memory; `step` never throws, and never allocates once
/// settled.
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Advance `state` by at most one step and never beyond t_limit. A fixed-step method takes its step, or what is left
  /// of it to t_limit; time is step * h, not a sum. An adaptive method may already be past t_limit inside: then it
  /// interpolates there. Progress is made in every call. On failure `state` is the last good state.
  virtual StepReport step(State& state, double t_limit) = 0;
  /// Can it stop at any t_limit without changing the steps it takes (dense output)? If not, a run passes its end as
  /// t_limit, and who looks at the states sees those on the grid of the steps.
  virtual bool interpolates() const = 0;
  /// The contacts of the last step that bore an impulse or touch.
  virtual const std::vector<ContactRecord>& contacts() const;

  /// Can all that determines the future be saved now? Most methods: always. One that cannot save its history drops it
  /// from time to time, by a count of its own and never for the caller's sake: then, and only then, it can.
  virtual bool can_checkpoint(const State& state) = 0;
  /// What beside the state determines the future (step size, history), as numbers. A stepper restored from them goes
  /// on exactly as this one, and this one as if it had not been asked. Only where can_checkpoint().
  virtual std::vector<double> checkpoint(const State& state) = 0;
  virtual void restore(const State& state, const std::vector<double>& memory) = 0;
};

/// Does a formulation of that name know contact?
bool has_contact(const std::string& type);
/// Is it moved by `method.integrator`?
bool uses_integrator(const std::string& type);
/// Names of the formulations in `method.type`.
const std::vector<std::string>& formulation_names();
/// The settings were checked when the scene was compiled; an unknown name is our fault, not the user's.
std::unique_ptr<Stepper> make_stepper(const System& system, const MethodSettings& settings);

}  // namespace stiction
