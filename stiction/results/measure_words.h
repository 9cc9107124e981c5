#pragma once

#include <string>

#include "stiction/results/trust_measures.h"

namespace stiction {

/// How measures of the verdict are spoken of, in docs/verdict.md and by `stiction explain`.

const char* name_scale(MeasureScale scale);
const char* name_scope(MeasureScope scope);
/// "none" for 0, "never" for infinity.
std::string format_limit(double limit);
/// "look closer beyond 0.001 of the size of the smallest body, do not trust beyond 0.01 of ...".
std::string format_limits(const MeasureInfo& info);

}  // namespace stiction
