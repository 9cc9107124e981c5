#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// All that changes while a system moves. Plain data: copy it, hash it, save it.
struct State {
  double t = 0;            ///< [s]
  std::int64_t step = 0;   ///< steps taken
  VecX q;                  ///< generalized coordinates (nq)
  VecX v;                  ///< generalized velocities (nv)
  VecX z;                  ///< other continuous states (nz): the energy ledger first, then what elements ask for
  std::vector<int> modes;  ///< discrete modes of elements, changed by events only
  /// What a method with fixed steps remembers of the steps before, as it writes it: of rigid contact the warm starts,
  /// and since when who rests or sleeps (stepping/rigid/stepper_rigid.h). Empty: nothing yet.
  std::vector<double> memory;
};

/// 16 hexadecimal digits over all of it, bit for bit.
std::string calc_hash(const State& state);

}  // namespace stiction
