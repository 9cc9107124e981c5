#pragma once

#include <cstddef>
#include <vector>

namespace stiction {

/// Sets that have nothing in common, as trees: parent[i] == i is a root and names the set. Two sets become one when a
/// root gets another root as its parent. Halves the path on its way.
inline int find_root(std::vector<int>& parent, int i) {
  const auto parent_of = [&](int k) -> int& { return parent[static_cast<std::size_t>(k)]; };
  while (parent_of(i) != i) i = parent_of(i) = parent_of(parent_of(i));
  return i;
}

}  // namespace stiction
