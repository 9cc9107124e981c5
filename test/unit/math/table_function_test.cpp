#include "stiction/math/table_function.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/random.h"

namespace stiction {
namespace {

TEST(TableFunction, HoldKeepsEachValueUpToTheNextPoint) {
  const TimeFunction f = make_table({0, 1, 2.5}, {3, -1, 7}, Interpolation::hold);
  const double before = std::nextafter(1.0, 0.0);
  for (const auto& [t, value] :
       {std::pair{-1.0, 3.0}, {0.0, 3.0}, {before, 3.0}, {1.0, -1.0}, {2.4, -1.0}, {2.5, 7.0}, {9.0, 7.0}}) {
    EXPECT_EQ(calc_sample(f, t).value, value) << t;
    EXPECT_EQ(calc_sample(f, t).rate, 0) << t;
    EXPECT_EQ(calc_sample(f, t).acceleration, 0) << t;
  }
  EXPECT_EQ(calc_sample(make_table({0, 1}, {3, -1}, Interpolation::hold), 0.5).value, 3);
}

TEST(TableFunction, LinearJoinsThePointsByLines) {
  const TimeFunction f = make_table({0, 1, 3}, {0, 2, 1}, Interpolation::linear);
  EXPECT_DOUBLE_EQ(calc_sample(f, 0.25).value, 0.5);
  EXPECT_EQ(calc_sample(f, 0.25).rate, 2);
  EXPECT_DOUBLE_EQ(calc_sample(f, 2).value, 1.5);
  EXPECT_EQ(calc_sample(f, 2).rate, -0.5);
  EXPECT_EQ(calc_sample(f, 2).acceleration, 0);
  // At a corner the side after it; constant outside.
  EXPECT_EQ(calc_sample(f, 0).rate, 2);
  EXPECT_EQ(calc_sample(f, 1).rate, -0.5);
  EXPECT_EQ(calc_sample(f, -1).rate, 0);
  EXPECT_EQ(calc_sample(f, 3).value, 1);
  EXPECT_EQ(calc_sample(f, 3).rate, 0);
}

TEST(TableFunction, MonotoneThroughTwoPointsIsTheCubicStep) {
  // At rest at both ends, the cubic through (0, 0) and (1, 1) is 3 t^2 - 2 t^3.
  const TimeFunction f = make_table({0, 1}, {0, 1}, Interpolation::monotone);
  for (const double t : {0.1, 0.25, 0.5, 0.9}) {
    const Sample s = calc_sample(f, t);
    EXPECT_NEAR(s.value, t * t * (3 - 2 * t), 1e-15);
    EXPECT_NEAR(s.rate, 6 * t * (1 - t), 1e-15);
    EXPECT_NEAR(s.acceleration, 6 - 12 * t, 1e-14);
  }
}

TEST(TableFunction, MonotoneRateByHand) {
  const auto rate_at_1 = [](std::vector<double> times, std::vector<double> values) {
    return calc_sample(make_table(std::move(times), std::move(values), Interpolation::monotone), 1).rate;
  };
  // h = 1, 3; secants 2, 1: w_1 = 7, w_2 = 5, m = 12 / (7 / 2 + 5 / 1) = 24 / 17.
  EXPECT_NEAR(rate_at_1({0, 1, 4}, {0, 2, 5}), 24.0 / 17, 1e-15);
  // Equal secants are kept; the rate at a turn and beside a level piece is 0.
  EXPECT_NEAR(rate_at_1({0, 1, 4}, {0, 2, 8}), 2, 1e-15);
  EXPECT_NEAR(rate_at_1({0, 1, 2}, {0, 2, 1}), 0, 1e-15);
  EXPECT_NEAR(rate_at_1({0, 1, 2}, {0, 2, 2}), 0, 1e-15);
}

// "Hold, lift, hold": the spline sinks before it lifts, the monotone cubic does not.
TEST(TableFunction, HoldLiftHoldStaysWithinItsPoints) {
  const std::vector<double> times = {0, 1, 2, 3}, values = {0.1, 0.1, 0.3, 0.3};
  const TimeFunction monotone = make_table(times, values, Interpolation::monotone);
  const TimeFunction cubic = make_table(times, values, Interpolation::cubic);
  double lowest_monotone = 1, lowest_cubic = 1;
  for (double t = 0; t < 1; t += 0.01) {
    lowest_monotone = std::min(lowest_monotone, calc_sample(monotone, t).value);
    lowest_cubic = std::min(lowest_cubic, calc_sample(cubic, t).value);
  }
  EXPECT_EQ(lowest_monotone, 0.1);
  EXPECT_LT(lowest_cubic, 0.09);
  // Between the holds it is the cubic step of 0.2.
  EXPECT_NEAR(calc_sample(monotone, 1.25).value, 0.1 + 0.2 * (3 * 0.0625 - 2 * 0.015625), 1e-15);
}

TEST(TableFunction, MonotoneNeverOvershootsOnRandomTables) {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    // Intervals and rises over five orders of magnitude, level pieces among them.
    std::vector<double> times = {random.uniform(-1, 1)}, values = {random.uniform(-1, 1)};
    for (int i = 0; i < 8; ++i) {
      times.push_back(times.back() + std::pow(10, random.uniform(-3, 2)));
      const double rise = random.uniform(0, 1) < 0.2 ? 0 : std::pow(10, random.uniform(-3, 2));
      values.push_back(values.back() + (random.uniform(0, 1) < 0.5 ? rise : -rise));
    }
    const TimeFunction f = make_table(times, values, Interpolation::monotone);
    EXPECT_EQ(find_continuity(f), Continuity::rate);
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
      const double low = std::min(values[i], values[i + 1]), high = std::max(values[i], values[i + 1]);
      const double rise = values[i + 1] - values[i], h = times[i + 1] - times[i];
      // Some units in the last place of what is added up; times of up to 800 s blur the place in a short interval.
      const double rounding = 1e-14 * (std::abs(low) + std::abs(high)), blur = 1e-12 / h;
      for (double s = 0; s < 1; s += 1.0 / 64) {
        const Sample at = calc_sample(f, times[i] + s * h);
        ASSERT_GE(at.value, low - rounding) << trial;
        ASSERT_LE(at.value, high + rounding) << trial;
        ASSERT_GE(at.rate * rise, -(1e-13 + 20 * blur) * rise * rise / h) << trial;
      }
    }
  }
}

// Value and rate are continuous; inside the pieces the three are derivatives of one another.
TEST(TableFunction, MonotoneIsSmoothThroughItsKnots) {
  const std::vector<double> times = {0, 0.4, 1, 1.3, 2}, values = {0, 0.2, 0.9, 1, -1};
  const TimeFunction f = make_table(times, values, Interpolation::monotone);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(calc_sample(f, times[i]).value, values[i]);
    const Sample left = calc_sample(f, times[i] - 1e-12), right = calc_sample(f, times[i] + 1e-12);
    EXPECT_NEAR(left.value, right.value, 1e-11);
    EXPECT_NEAR(left.rate, right.rate, 1e-9);
  }
  // Central differences of order h^2 = 1e-10, times derivatives of some 100.
  const double h = 1e-5;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const double t = 0.3 * times[i] + 0.7 * times[i + 1];
    const Sample before = calc_sample(f, t - h), at = calc_sample(f, t), after = calc_sample(f, t + h);
    EXPECT_NEAR(at.rate, (after.value - before.value) / (2 * h), 1e-7);
    EXPECT_NEAR(at.acceleration, (after.rate - before.rate) / (2 * h), 1e-7);
  }
}

TEST(TableFunction, CubicReproducesAClampedCubic) {
  // A cubic with zero slope at both ends of [0, 2] is its own spline on any knots.
  const auto cubic = [](double t) { return t * t * (3 - t); };
  const std::vector<double> times = {0, 0.3, 0.5, 1.1, 1.9, 2};
  std::vector<double> values;
  for (const double t : times) values.push_back(cubic(t));
  const TimeFunction f = make_table(times, values, Interpolation::cubic);
  for (double t = 0.01; t < 2; t += 0.07) EXPECT_NEAR(calc_sample(f, t).value, cubic(t), 1e-14);
}

TEST(TableFunction, ContinuityOfTables) {
  const std::vector<double> times = {0, 1, 2}, values = {0, 1, 0}, level = {1, 1, 1};
  EXPECT_EQ(find_continuity(make_table(times, values, Interpolation::hold)), Continuity::none);
  EXPECT_EQ(find_continuity(make_table(times, values, Interpolation::linear)), Continuity::value);
  EXPECT_EQ(find_continuity(make_table(times, values, Interpolation::monotone)), Continuity::rate);
  EXPECT_EQ(find_continuity(make_table(times, values, Interpolation::cubic)), Continuity::rate);
  EXPECT_EQ(find_continuity(make_table(times, level, Interpolation::hold)), Continuity::rate);
  EXPECT_EQ(find_continuity(Sine{1, 1, 0, 0}), Continuity::rate);
}

}  // namespace
}  // namespace stiction
