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
};

/// 16 hexadecimal digits over t, step, q, v, z and modes, bit for bit.
std::string calc_hash(const State& state);

}  // namespace stiction
