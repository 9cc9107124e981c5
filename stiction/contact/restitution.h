#pragma once

#include <algorithm>

namespace stiction {

/// e of an impact whose bodies approach each other with v_i: constant, or, where alpha > 0,
///     e = 1 - alpha v_i, not below 0.01                                    (gonthier-thesis-2007, eq. 3.12)
/// LIMIT: real bodies lose with v^(1/4) at high speeds (Johnson 1985, section 11.5); the line holds for slow impacts.
inline double calc_restitution(double restitution, double slope, double approach) {
  constexpr double smallest = 0.01;
  return slope > 0 ? std::max(1 - slope * std::max(approach, 0.0), smallest) : restitution;
}

}  // namespace stiction
