#pragma once

#include <cmath>

namespace stiction {

/// `value` without noise, for people: 0 if it is below 1e-13 of `scale`, the largest number beside it; never -0.
inline double drop_noise(double value, double scale) {
  return std::abs(value) < 1e-13 * std::abs(scale) ? 0.0 : value + 0.0;
}

}  // namespace stiction
