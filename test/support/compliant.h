#pragma once

#include <numbers>

namespace stiction::test {

inline constexpr double degree = std::numbers::pi / 180;
inline constexpr double earth_gravity = 9.81;  ///< of the scenes [m/s^2]

}  // namespace stiction::test
