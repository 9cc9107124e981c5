#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "stiction/base/text.h"
#include "stiction/scene/compile/notices.h"
#include "stiction/scene/describe/joint_coordinates.h"

namespace stiction {
namespace {

/// A whole number beyond a turn: degrees are written so, and hardly ever radians. "720 deg" is no whole number of rad.
bool looks_like_degrees(double angle) {
  return std::abs(angle) > 2 * std::numbers::pi && angle == std::round(angle);
}

/// Is "elbow" or "slide.angle" an angle?
bool turns(const Scene& scene, const std::string& reference) {
  const std::size_t dot = reference.find('.');
  const std::string coordinate = dot == std::string::npos ? "" : reference.substr(dot + 1);
  for (const auto& [name, joint] : scene.joints) {
    if (name != reference.substr(0, dot)) continue;
    for (const CoordinateName& known : list_coordinates(joint.type))
      if (known.name == coordinate) return !slides(known);
  }
  return false;
}

}  // namespace

void list_angle_notices(const Scene& scene, std::vector<Notice>& notices) {
  const auto look = [&](const std::string& path, double value, bool turns) {
    if (!turns || !looks_like_degrees(value)) return;
    const std::string number = format_number(value);
    Notice& notice = notices.emplace_back();
    notice.kind = Notice::Kind::warning;
    notice.text = fmt::format("{} is {} rad, {} turns: degrees are written \"{} deg\"", path, number,
                              format_digits(value / (2 * std::numbers::pi), 3), number);
  };
  for (const auto& [name, joint] : scene.joints) {
    const std::vector<CoordinateName> coordinates = list_coordinates(joint.type);
    const auto look_at_each = [&, &of = name](const char* key, const std::vector<double>& values) {
      for (std::size_t k = 0; k < values.size() && k < coordinates.size(); ++k)
        look(fmt::format("joint.{}.{}", of, key), values[k], !slides(coordinates[k]));
    };
    look_at_each("position", joint.position);
    look_at_each("lower", joint.lower.value_or(std::vector<double>()));
    look_at_each("upper", joint.upper.value_or(std::vector<double>()));
  }
  for (const auto& [name, motor] : scene.motors)
    if (motor.position && is_constant(*motor.position))
      look(fmt::format("motor.{}.position", name), calc_sample(*motor.position, 0).value, turns(scene, motor.joint));
  for (const auto& [name, spring] : scene.springs)
    if (spring.rest) look(fmt::format("spring.{}.rest", name), *spring.rest, turns(scene, spring.joint));
}

}  // namespace stiction
