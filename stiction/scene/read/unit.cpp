#include "stiction/scene/read/unit.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace stiction {
namespace {

namespace dim = dimension;

struct NamedDimension {
  Dimension dimension;
  std::string_view name;
  std::string_view unit;
};
constexpr NamedDimension named_dimensions[] = {
    {dim::number, "a pure number", ""},
    {dim::mass, "a mass", "kg"},
    {dim::length, "a length", "m"},
    {dim::time, "a time", "s"},
    {dim::angle, "an angle", "rad"},
    {dim::velocity, "a velocity", "m/s"},
    {dim::angular_velocity, "an angular velocity", "rad/s"},
    {dim::acceleration, "an acceleration", "m/s^2"},
    {{.time = -2, .angle = 1}, "an angular acceleration", "rad/s^2"},
    {dim::frequency, "a frequency", "Hz"},
    {{.time = -1}, "a rate", "1/s"},
    {dim::density, "a density", "kg/m^3"},
    {dim::inertia, "a moment of inertia", "kg m^2"},
    {dim::force, "a force", "N"},
    {dim::torque, "a torque", "N m"},
    {dim::stiffness, "a stiffness", "N/m"},
    {dim::torsional_stiffness, "a torsional stiffness", "N m/rad"},
    {dim::damping, "a damping", "N s/m"},
    {dim::torsional_damping, "a torsional damping", "N m s/rad"},
    {{.mass = 1, .length = -1, .time = -2}, "a pressure", "Pa"},
    {{.mass = 1, .length = 2, .time = -3}, "a power", "W"},
    {{.mass = 1, .length = -2, .time = -2}, "a stiffness of volumes", "N/m^3"},
    {{.length = 2}, "an area", "m^2"},
    {{.length = 3}, "a volume", "m^3"},
    {{.mass = 1, .length = 1, .time = -2, .angle = -1}, "a force per angle", "N/rad"},
    {{.mass = 1, .length = 1, .time = -1, .angle = -1}, "a damping force per angular velocity", "N s/rad"},
};

const NamedDimension* find_named(const Dimension& dimension) {
  for (const NamedDimension& named : named_dimensions) {
    if (named.dimension == dimension) return &named;
  }
  return nullptr;
}

}  // namespace

Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.mass + b.mass, a.length + b.length, a.time + b.time, a.angle + b.angle, a.cycle + b.cycle};
}

Dimension power(const Dimension& d, int n) {
  return {d.mass * n, d.length * n, d.time * n, d.angle * n, d.cycle * n};
}

Dimension operator/(const Dimension& a, const Dimension& b) {
  return a * power(b, -1);
}

std::string unit_of(const Dimension& dimension) {
  if (const NamedDimension* named = find_named(dimension)) return std::string(named->unit);
  // Above and below the line, in the order kg m s rad cycles.
  const std::array<std::pair<const char*, int>, 5> powers = {{{"kg", dimension.mass},
                                                              {"m", dimension.length},
                                                              {"s", dimension.time},
                                                              {"rad", dimension.angle},
                                                              {"cycle", dimension.cycle}}};
  std::string above, below;
  int below_count = 0;
  for (const auto& [name, n] : powers) {
    if (n == 0) continue;
    std::string& side = n > 0 ? above : below;
    if (!side.empty()) side += ' ';
    side += std::abs(n) == 1 ? std::string(name) : fmt::format("{}^{}", name, std::abs(n));
    below_count += n < 0;
  }
  if (below.empty()) return above;
  if (below_count > 1) below = fmt::format("({})", below);
  return fmt::format("{}/{}", above.empty() ? "1" : above, below);
}

std::string describe_dimension(const Dimension& dimension) {
  if (const NamedDimension* named = find_named(dimension)) return std::string(named->name);
  return "a quantity in " + unit_of(dimension);
}

bool fits(const Dimension& given, const Dimension& wanted) {
  return given.mass == wanted.mass && given.length == wanted.length && given.time == wanted.time &&
         (given.angle == wanted.angle || given.angle == 0) && (given.cycle == wanted.cycle || given.cycle == 0);
}

}  // namespace stiction
