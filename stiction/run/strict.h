#pragma once

#include <string>

#include "stiction/results/recorder.h"

namespace stiction {

/// Why a strict run ends after this step (results/verdict.h): what was measured, and what to do; "" if it need not.
std::string find_cause_at_step(const Recorder& recorder, const RunDescription& description);
/// The same of a run that has reached its end: what is known only then counts, too.
std::string find_cause_at_end(const Recorder& recorder, const RunDescription& description);

}  // namespace stiction
