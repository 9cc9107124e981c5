#pragma once

#include <cstddef>

namespace stiction {

/// An index of ours, which is an int, as one of the standard library's.
constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace stiction
