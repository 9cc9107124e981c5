#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/results/extremes.h"
#include "stiction/results/judgement.h"

namespace stiction {

/// How the message of a run begins that `method.strict` did not accept.
inline constexpr std::string_view strict_prefix = "strict: ";

/// Of a run that goes on: the first measure that is beyond its limit and known at this step, for `method.strict`.
/// Energies are compared with at least the weight of the bodies times their size, as the energy that will be exchanged
/// is not known yet. Allocates nothing.
std::optional<TrustMeasure> find_cause(const Extremes& extremes, const RunDescription& description);

/// What to do where a measure is beyond its limit: that of trust_measures.h, and for energies what fits the method and
/// integrator of the run.
std::string find_remedy(TrustMeasure measure, const RunDescription& description);

/// The judgement of one measure, whatever its level.
Judgement judge_measure(TrustMeasure measure, const MeasuredWorst& worst, const Exchanged& exchanged,
                        const RunDescription& description, bool at_a_step = false);
/// The table of measures as Markdown: part of docs/verdict.md.
std::string format_measures_reference();
/// "penetration at 0.31 s, ball/floor: 0.012 m, ...": one line for messages.
std::string format_judgement(const Judgement& judgement);

}  // namespace stiction
