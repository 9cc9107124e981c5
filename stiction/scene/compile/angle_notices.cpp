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

}  // namespace

void list_angle_notices(const Scene& scene, std::vector<Notice>& notices) {
  for (const auto& [name, joint] : scene.joints) {
    const std::vector<CoordinateName> coordinates = list_coordinates(joint.type);
    const auto look = [&, &of = name](const char* key, const std::vector<double>& values) {
      for (std::size_t k = 0; k < values.size() && k < coordinates.size(); ++k) {
        if (slides(coordinates[k]) || !looks_like_degrees(values[k])) continue;
        const std::string number = format_number(values[k]);
        Notice& notice = notices.emplace_back();
        notice.kind = Notice::Kind::warning;
        notice.text = fmt::format("joint.{}.{} is {} rad, {} turns: degrees are written \"{} deg\"", of, key, number,
                                  format_digits(values[k] / (2 * std::numbers::pi), 3), number);
      }
    };
    look("position", joint.position);
    look("lower", joint.lower.value_or(std::vector<double>()));
    look("upper", joint.upper.value_or(std::vector<double>()));
  }
}

}  // namespace stiction
