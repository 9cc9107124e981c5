#include "stiction/multibody/state.h"

#include "stiction/base/hash.h"

namespace stiction {

std::string calc_hash(const State& state) {
  Hash64 hash;
  const auto add = [&hash](const VecX& x) {
    hash.add_bytes(x.data(), sizeof(double) * static_cast<std::size_t>(x.size()));
  };
  hash.add_bytes(&state.t, sizeof state.t);
  hash.add_bytes(&state.step, sizeof state.step);
  add(state.q), add(state.v), add(state.z);
  hash.add_bytes(state.modes.data(), sizeof(int) * state.modes.size());
  hash.add_bytes(state.memory.data(), sizeof(double) * state.memory.size());
  return hash.text();
}

}  // namespace stiction
