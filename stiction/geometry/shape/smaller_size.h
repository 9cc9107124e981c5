#pragma once

#include <algorithm>

namespace stiction {

/// The smaller of two lengths of shapes, by which small distances between them are judged. What has none, a point or a
/// half-space, gives 0 and does not count; 0 if neither has one.
inline double calc_smaller_size(double a, double b) {
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

}  // namespace stiction
