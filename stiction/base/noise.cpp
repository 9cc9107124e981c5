#include "stiction/base/noise.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

namespace stiction {

double round_time(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 32> text{};
  const char* end = fmt::format_to_n(text.data(), text.size(), "{:.12g}", value).out;
  double rounded = value;
  std::from_chars(text.data(), end, rounded);  // in the locale of no host
  return std::abs(rounded - value) <= 2 * std::numeric_limits<double>::epsilon() * std::abs(value) ? rounded : value;
}

}  // namespace stiction
