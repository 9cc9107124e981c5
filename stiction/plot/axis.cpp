#include "stiction/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/base/text.h"

namespace stiction {
namespace {

// Labels of more digits than this get an offset.
constexpr std::int64_t largest_plain_count = 99999;

// 10^e correctly rounded, the same on every machine.
double power_of_ten(int e) {
  const std::string text = fmt::format("1e{}", e);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// n * 10^e with one rounding where 10^|e| is exact.
double scale(std::int64_t n, int e) {
  return e < 0 ? static_cast<double>(n) / power_of_ten(-e) : static_cast<double>(n) * power_of_ten(e);
}

int floor_log10(double value) {
  return static_cast<int>(std::floor(std::log10(value)));
}

// n * 10^e as plain decimal digits: (-125, -2) -> "-1.25".
std::string format_decimal(std::int64_t n, int e) {
  std::string digits = fmt::format("{}", std::abs(n));
  if (e > 0 && n != 0) digits.append(static_cast<std::size_t>(e), '0');
  if (e < 0) {
    const auto decimals = static_cast<std::size_t>(-e);
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, 1, '.');
  }
  return n < 0 ? "-" + digits : digits;
}

// "1000.00" -> "1000"
std::string trim_decimals(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

struct Step {
  std::int64_t multiple = 1;  // 1, 2 or 5
  int exponent = 0;
};

// The smallest round step that gives at most so many intervals; rounding of the span does not make it larger.
Step choose_step(double span, int intervals) {
  const double raw = span / intervals * (1 - 1e-9);
  const int e = floor_log10(raw);
  for (const int multiple : {1, 2, 5}) {
    if (multiple * power_of_ten(e) >= raw) return {multiple, e};
  }
  return {1, e + 1};
}

// A round count near the ticks, in the same units: what remains has as few digits as the ticks' spread needs.
std::int64_t choose_offset(std::int64_t first, std::int64_t last) {
  if (std::max(std::abs(first), std::abs(last)) <= largest_plain_count) return 0;
  std::int64_t unit = 1;
  while (unit <= last - first) unit *= 10;
  return last >= 0 ? last / unit * unit : first / unit * unit;
}

}  // namespace

Range widen_range(Range data, double margin) {
  const double size = std::max(std::abs(data.low), std::abs(data.high));
  const double noise = 64 * std::numeric_limits<double>::epsilon() * size;
  const double span = data.high - data.low;
  constexpr double smallest = 1e-300;
  if (span > std::max(noise, smallest)) return {data.low - margin * span, data.high + margin * span};
  if (size <= smallest) return {-1, 1};
  return {data.low - 0.5 * size, data.high + 0.5 * size};
}

Axis make_axis(Range range, int intervals) {
  STICTION_CHECK(std::isfinite(range.high - range.low) && range.low < range.high);
  const Step step = choose_step(range.high - range.low, std::max(intervals, 5));
  const double length = scale(step.multiple, step.exponent);

  // Ticks in counts of 10^step.exponent; a tick on the border, up to rounding, belongs to the axis.
  const std::int64_t first = step.multiple * static_cast<std::int64_t>(std::ceil(range.low / length - 1e-6));
  const std::int64_t last = step.multiple * static_cast<std::int64_t>(std::floor(range.high / length + 1e-6));
  const std::int64_t offset = choose_offset(first, last);

  Axis axis{.range = range, .ticks = {}, .exponent = 0, .offset = {}};
  const std::int64_t largest = std::max(std::abs(first - offset), std::abs(last - offset));
  const int magnitude = step.exponent + (largest > 0 ? floor_log10(static_cast<double>(largest)) : 0);
  if (magnitude < -3 || magnitude > 4) axis.exponent = 3 * static_cast<int>(std::floor(magnitude / 3.0));
  if (offset != 0) {
    const bool plain = std::abs(step.exponent) <= 15;
    axis.offset =
        plain ? trim_decimals(format_decimal(offset, step.exponent)) : format_number(scale(offset, step.exponent));
  }
  for (std::int64_t n = first; n <= last; n += step.multiple) {
    axis.ticks.push_back({scale(n, step.exponent), format_decimal(n - offset, step.exponent - axis.exponent)});
  }
  return axis;
}

}  // namespace stiction
