#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace stiction {

/// Powers of kg, m and s. Angles are pure numbers in SI; their power is kept all the same, so that a length given in
/// degrees is noticed. Cycles (Hz) are kept apart from angles: 2 Hz is no angular velocity.
struct Dimension {
  int mass = 0, length = 0, time = 0, angle = 0, cycle = 0;
  bool operator==(const Dimension&) const = default;
};
Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& d, int n);

namespace dimension {
inline constexpr Dimension number{};
inline constexpr Dimension mass{.mass = 1};
inline constexpr Dimension length{.length = 1};
inline constexpr Dimension time{.time = 1};
inline constexpr Dimension angle{.angle = 1};
inline constexpr Dimension velocity{.length = 1, .time = -1};
inline constexpr Dimension angular_velocity{.time = -1, .angle = 1};
inline constexpr Dimension acceleration{.length = 1, .time = -2};
inline constexpr Dimension frequency{.time = -1, .cycle = 1};
inline constexpr Dimension density{.mass = 1, .length = -3};
inline constexpr Dimension inertia{.mass = 1, .length = 2};
inline constexpr Dimension force{.mass = 1, .length = 1, .time = -2};
inline constexpr Dimension torque{.mass = 1, .length = 2, .time = -2};
inline constexpr Dimension stiffness{.mass = 1, .time = -2};
inline constexpr Dimension torsional_stiffness{.mass = 1, .length = 2, .time = -2, .angle = -1};
inline constexpr Dimension damping{.mass = 1, .time = -1};
inline constexpr Dimension torsional_damping{.mass = 1, .length = 2, .time = -1, .angle = -1};
}  // namespace dimension

/// "a mass", "an angular velocity"; for a dimension without a name of its own "a quantity in kg m/s".
std::string describe_dimension(const Dimension& dimension);
/// The SI unit: "kg", "rad/s", "N m/rad"; "" for a pure number.
std::string unit_of(const Dimension& dimension);

/// May a quantity of dimension `given` stand where `wanted` is asked for? Angles and cycles may be left out of the unit
/// ("5 N m" for 5 N m/rad, "1/s" for rad/s) but not put where there are none.
bool fits(const Dimension& given, const Dimension& wanted);

struct Quantity {
  double value = 0;  ///< SI
  Dimension dimension;
};
struct QuantityFault {
  std::string message;
  std::string hint;
};
/// "15 mm", "9.81 m/s^2", "5 N m/rad", "0.1 kg*m^2/s", "2 N/(m s)": a number and a product or quotient of units, each
/// with an SI prefix where that is customary, and a whole power. Decimal prefixes move the decimal point of the number
/// as written, so that "20 us" is the very double 20e-6.
std::variant<Quantity, QuantityFault> parse_quantity(std::string_view text);

}  // namespace stiction
