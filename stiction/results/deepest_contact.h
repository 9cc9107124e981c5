#pragma once

#include <optional>
#include <string>

#include "stiction/results/run_store.h"

namespace stiction {

/// The contact of a run that penetrates most.
struct DeepestContact {
  std::string a, b;        ///< its shapes
  double penetration = 0;  ///< [m]
  double time = 0;         ///< of the first sample at or after its step [s]
};

/// By audit.penetration, audit.worst_a and audit.worst_b, which speak of every step; for a run that did not record
/// them, by the contacts recorded at its samples. None where nothing penetrates.
std::optional<DeepestContact> find_deepest_contact(const RunReader& run);

}  // namespace stiction
