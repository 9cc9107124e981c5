#pragma once

#include "stiction/report/page_data.h"

namespace stiction {

/// Judges a run by what its audit measured: one check a measure, each with its worst value, when and at which contact
/// that was, and a level. A measure is judged against a scale of the run itself, never as a bare number:
///     penetration        size of the smallest body that can touch
///     complementarity    that size times the largest contact impulse; a body that rebounds within a step leaves a gap
///                        of e v h with its impulse, so that this is never tiny where restitution acts
///     cone               the largest contact impulse
///     energy             the energy that changed hands: the largest of kinetic energy, input, dissipation, and at
///     least
///                        a billionth of the total energy, whose rounding is all there is where nothing moves
///     drift              size of the smallest body
///     finite             every recorded number, contact and event, also those that the page leaves out
/// Times that do not ascend, poses that are none and a scene that is not understood are found when the run is read, and
/// stand in PageData::checks before these.
/// Penetration of compliant contact is told, not judged. A measure that should be there and is not makes the run
/// doubtful.
/// good up to the first limit, doubtful up to the second, bad beyond it or where a number is not finite. The limits
/// are stated in the reasons. Where a scale is zero (nothing moves) the check is good if its value is tiny at all.
std::vector<PageCheck> judge_run(const RunReader& run, const PageData& page);

/// The worst level, and the reasons of all checks that have it.
struct Verdict {
  PageCheck::Level level = PageCheck::Level::good;
  std::string reason;
};
Verdict sum_up(const std::vector<PageCheck>& checks);

const char* name_of(PageCheck::Level level);

}  // namespace stiction
