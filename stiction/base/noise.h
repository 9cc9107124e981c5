#pragma once

#include <cmath>

namespace stiction {

/// `value` without noise, for people: 0 if it is below 1e-13 of `scale`, the largest number beside it; never -0.
inline double drop_noise(double value, double scale) {
  return std::abs(value) < 1e-13 * std::abs(scale) ? 0.0 : value + 0.0;
}

/// A time as people write it: the number of at most 12 significant digits that `value` is but for rounding (k h is off
/// by one unit in the last place or two: 175 * 1e-3 = 0.17500000000000002), else `value` itself.
double round_time(double value);

}  // namespace stiction
