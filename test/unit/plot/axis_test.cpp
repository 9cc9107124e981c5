#include "stiction/plot/axis.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace stiction {
namespace {

std::vector<std::string> labels_of(const Axis& axis) {
  std::vector<std::string> labels;
  for (const Axis::Tick& tick : axis.ticks) labels.push_back(tick.label);
  return labels;
}

// What a reader makes of a label, by the rule in the header; decimal text is read by the C library.
double read_label(const Axis& axis, const std::string& label) {
  const std::string scaled = label + "e" + std::to_string(axis.exponent);
  return (axis.offset.empty() ? 0 : std::strtod(axis.offset.c_str(), nullptr)) + std::strtod(scaled.c_str(), nullptr);
}

TEST(axis, ticks_are_round_and_labels_have_equal_decimals) {
  const std::vector<std::string> tenths = {"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"};
  EXPECT_EQ(labels_of(make_axis({0, 1}, 5)), tenths);
  const std::vector<std::string> fives = {"-10", "-5", "0", "5"};
  EXPECT_EQ(labels_of(make_axis({-11, 9}, 5)), fives);
  const std::vector<std::string> tens = {"0", "20", "40", "60", "80", "100"};
  EXPECT_EQ(labels_of(make_axis({0, 100}, 5)), tens);
}

TEST(axis, a_tick_on_the_border_is_kept_in_spite_of_rounding) {
  // 3 * 0.1 > 0.3 in binary.
  const Axis axis = make_axis({0, 0.3}, 5);
  ASSERT_EQ(axis.ticks.size(), 4u);
  EXPECT_EQ(axis.ticks.back().label, "0.3");
}

TEST(axis, very_large_and_small_numbers_get_a_power_of_ten) {
  const Axis tiny = make_axis({0, 4e-9}, 5);
  EXPECT_EQ(tiny.exponent, -9);
  EXPECT_EQ(labels_of(tiny), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  const Axis large = make_axis({0, 1e11}, 5);
  EXPECT_EQ(large.exponent, 9);
  EXPECT_EQ(labels_of(large), (std::vector<std::string>{"0", "20", "40", "60", "80", "100"}));
}

TEST(axis, a_large_common_part_becomes_an_offset) {
  const Axis axis = make_axis({1234567 - 2.1e-6, 1234567 + 2.1e-6}, 5);
  EXPECT_EQ(axis.offset, "1234567");
  EXPECT_EQ(axis.exponent, -6);
  EXPECT_EQ(labels_of(axis), (std::vector<std::string>{"-2", "-1", "0", "1", "2"}));
  const Axis below = make_axis({-50000.35, -50000.05}, 5);
  EXPECT_EQ(below.offset, "-50000");
  EXPECT_EQ(labels_of(below), (std::vector<std::string>{"-0.3", "-0.2", "-0.1"}));
}

TEST(axis, data_that_does_not_spread_gets_a_range_around_it) {
  for (const double value : {2.5, -3e8, 1e-12, 1e300}) {
    const Range range = widen_range({value, value}, 0.05);
    EXPECT_LT(range.low, value);
    EXPECT_GT(range.high, value);
    EXPECT_TRUE(std::isfinite(range.high - range.low));
  }
  const Range zero = widen_range({0, 0}, 0.05);
  EXPECT_EQ(zero.low, -1);
  EXPECT_EQ(zero.high, 1);
  // One unit in the last place is noise, not a signal.
  const Range noise = widen_range({1, std::nextafter(1.0, 2.0)}, 0.05);
  EXPECT_LE(noise.low, 0.5);
  EXPECT_GE(noise.high, 1.5);
}

RC_GTEST_PROP(axis, ticks_of_any_range_read_back_as_their_values, ()) {
  const double size = std::pow(10.0, *rc::gen::inRange(-200, 200));
  const double center = size * (*rc::gen::inRange(-1000, 1001)) * 1e-3;
  const double span = size * std::pow(10.0, -*rc::gen::inRange(0, 12)) * (*rc::gen::inRange(1, 1000));
  const Range range = widen_range({center - span, center + span}, 0.05);
  const int intervals = *rc::gen::inRange(5, 15);
  const Axis axis = make_axis(range, intervals);

  RC_ASSERT(axis.ticks.size() >= 2u);
  RC_ASSERT(axis.ticks.size() <= static_cast<std::size_t>(intervals) + 1);
  RC_ASSERT(axis.exponent % 3 == 0);
  const double width = range.high - range.low;
  const double rounding =
      4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(range.low), std::abs(range.high));
  for (const Axis::Tick& tick : axis.ticks) {
    RC_ASSERT(tick.value >= range.low - 1e-5 * width && tick.value <= range.high + 1e-5 * width);
    RC_ASSERT(std::abs(read_label(axis, tick.label) - tick.value) <= rounding);
    RC_ASSERT(tick.label.size() <= 9u);
  }
  // The step is 1, 2 or 5 times a power of ten: its shortest decimal form has that single digit.
  if (rounding < 1e-9 * width) {
    const double step = axis.ticks[1].value - axis.ticks[0].value;
    const double mantissa = step / std::pow(10.0, std::floor(std::log10(step * (1 + 1e-6))));
    const double digit = std::round(mantissa);
    RC_ASSERT(std::abs(mantissa - digit) < 1e-5);
    RC_ASSERT(digit == 1 || digit == 2 || digit == 5);
  }
}

}  // namespace
}  // namespace stiction
