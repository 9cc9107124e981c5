#include "stiction/plot/log_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "stiction/base/text.h"

namespace stiction {
namespace {

// n 10^exponent, read by the decimal parser so that 1e-05 is what its digits say.
std::string format_label(int n, int exponent) {
  if (exponent < -3 || exponent > 4) return std::to_string(n) + "e" + std::to_string(exponent);
  const std::string text = fmt::format("{}e{}", n, exponent);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return format_number(value);
}

}  // namespace

Axis make_log_axis(Range exponents, int intervals) {
  Axis axis;
  axis.range = exponents;
  // A tick that rounding put just outside still belongs to the end.
  const double slack = 1e-9 * (exponents.high - exponents.low);
  const int first = static_cast<int>(std::floor(exponents.low)), last = static_cast<int>(std::ceil(exponents.high));
  const int decades = static_cast<int>(std::floor(exponents.high + slack) - std::ceil(exponents.low - slack));
  const int stride = std::max(1, (decades + intervals - 1) / std::max(1, intervals));
  const bool between = decades < 2;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (const int n : {1, 2, 5}) {
      if (n > 1 && !between) continue;
      if (n == 1 && exponent % stride != 0) continue;
      const double place = exponent + std::log10(n);
      if (place < exponents.low - slack || place > exponents.high + slack) continue;
      axis.ticks.push_back({std::clamp(place, exponents.low, exponents.high), format_label(n, exponent)});
    }
  }
  return axis;
}

}  // namespace stiction
