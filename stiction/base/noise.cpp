#include "stiction/base/noise.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <limits>

namespace stiction {

double round_time(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 32> text{};
  *fmt::format_to_n(text.data(), text.size() - 1, "{:.12g}", value).out = '\0';
  const double rounded = std::strtod(text.data(), nullptr);
  return std::abs(rounded - value) <= 2 * std::numeric_limits<double>::epsilon() * std::abs(value) ? rounded : value;
}

}  // namespace stiction
