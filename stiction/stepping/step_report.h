#pragma once

#include <string>
#include <vector>

#include "stiction/stepping/contact_record.h"

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

}  // namespace stiction
