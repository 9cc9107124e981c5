#pragma once

#include <cstddef>
#include <vector>

#include "stiction/stepping/stepper.h"

namespace stiction {

/// The greatest number L with
///     sum_i min(counts_i, L) <= budget                                (1)
/// so that those who need less than L leave the rest to the others; the largest count where all have room.
std::size_t share_budget(std::vector<std::size_t> counts, std::size_t budget);

/// At most so many of the events, in their order: each kind has its share by (1), so that rare ones stay whole, and is
/// spread evenly over its number.
std::vector<StepEvent> thin_events(const std::vector<StepEvent>& events, std::size_t most);

}  // namespace stiction
