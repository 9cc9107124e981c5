#include "stiction/math/time_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/base/random.h"

namespace stiction {
namespace {

/// rate and acceleration against central differences of value and rate, order h^2.
void expect_consistent(const TimeFunction& f, double t, double tolerance) {
  const double h = 1e-5;
  const Sample before = calc_sample(f, t - h), at = calc_sample(f, t), after = calc_sample(f, t + h);
  EXPECT_NEAR(at.rate, (after.value - before.value) / (2 * h), tolerance) << "t = " << t;
  EXPECT_NEAR(at.acceleration, (after.rate - before.rate) / (2 * h), tolerance) << "t = " << t;
}

TEST(TimeFunction, PolynomialByHand) {
  // f = 1 - 2 t + 3 t^2 + 0.5 t^3 at t = 2: 1 - 4 + 12 + 4 = 13; f' = -2 + 12 + 6 = 16; f'' = 6 + 6 = 12.
  const Sample s = calc_sample(Polynomial{{1, -2, 3, 0.5}}, 2);
  EXPECT_DOUBLE_EQ(s.value, 13);
  EXPECT_DOUBLE_EQ(s.rate, 16);
  EXPECT_DOUBLE_EQ(s.acceleration, 12);
  EXPECT_EQ(calc_sample(Polynomial{}, 3).value, 0);
}

TEST(TimeFunction, SineByHand) {
  // A quarter period after phase 0 the sine stands at its top.
  const Sine f{2, 0.25, 0, 1};
  const Sample top = calc_sample(f, 1);
  const double omega = 0.5 * std::numbers::pi;
  EXPECT_NEAR(top.value, 3, 1e-15);
  EXPECT_NEAR(top.rate, 0, 1e-15);
  EXPECT_NEAR(top.acceleration, -2 * omega * omega, 1e-14);
  expect_consistent(Sine{1.3, 0.7, 0.4, -2}, 0.3, 1e-8);
}

TEST(TimeFunction, TableThroughTwoPointsIsTheCubicStep) {
  // Clamped at both ends, the spline through (0, 0) and (1, 1) is 3 t^2 - 2 t^3.
  const TimeFunction f = make_table({0, 1}, {0, 1});
  for (const double t : {0.1, 0.25, 0.5, 0.9}) {
    const Sample s = calc_sample(f, t);
    EXPECT_NEAR(s.value, t * t * (3 - 2 * t), 1e-15);
    EXPECT_NEAR(s.rate, 6 * t * (1 - t), 1e-15);
    EXPECT_NEAR(s.acceleration, 6 - 12 * t, 1e-14);
  }
}

TEST(TimeFunction, TableReproducesAClampedCubicExactly) {
  // A cubic with zero slope at both ends of [0, 2] is its own clamped spline on any knots.
  const auto cubic = [](double t) { return t * t * (3 - t); };
  const std::vector<double> times = {0, 0.3, 0.5, 1.1, 1.9, 2};
  std::vector<double> values;
  for (const double t : times) values.push_back(cubic(t));
  const TimeFunction f = make_table(times, values);
  for (double t = 0.01; t < 2; t += 0.07) {
    EXPECT_NEAR(calc_sample(f, t).value, cubic(t), 1e-14);
    EXPECT_NEAR(calc_sample(f, t).rate, 6 * t - 3 * t * t, 1e-13);
    EXPECT_NEAR(calc_sample(f, t).acceleration, 6 - 6 * t, 1e-12);
  }
}

TEST(TimeFunction, TableIsSmoothThroughItsKnotsAndConstantOutside) {
  Random random(1);
  std::vector<double> times, values;
  for (double t = -1; t < 3; t += random.uniform(0.1, 0.6)) {
    times.push_back(t);
    values.push_back(random.uniform(-1, 1));
  }
  const TimeFunction f = make_table(times, values);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(calc_sample(f, times[i]).value, values[i], 1e-14);
  // Value, rate and acceleration on both sides of the inner knots; at the ends the rate vanishes.
  for (std::size_t i = 1; i + 1 < times.size(); ++i) {
    const Sample left = calc_sample(f, times[i] - 1e-12), right = calc_sample(f, times[i] + 1e-12);
    EXPECT_NEAR(left.rate, right.rate, 1e-8);
    EXPECT_NEAR(left.acceleration, right.acceleration, 1e-6);
  }
  EXPECT_NEAR(calc_sample(f, times.front() + 1e-12).rate, 0, 1e-8);
  EXPECT_NEAR(calc_sample(f, times.back() - 1e-12).rate, 0, 1e-8);
  EXPECT_EQ(calc_sample(f, times.front() - 5).value, values.front());
  EXPECT_EQ(calc_sample(f, times.back() + 5).value, values.back());
  EXPECT_EQ(calc_sample(f, times.back() + 5).rate, 0);
  for (std::size_t i = 0; i + 1 < times.size(); ++i) expect_consistent(f, 0.5 * (times[i] + times[i + 1]), 1e-5);
}

TEST(TimeFunction, KnowsWhatIsConstant) {
  EXPECT_TRUE(is_constant(make_constant(3)));
  EXPECT_TRUE(is_constant(Polynomial{}));
  EXPECT_TRUE(is_constant(Polynomial{{1, 0, 0}}));
  EXPECT_FALSE(is_constant(Polynomial{{1, 0, 2}}));
  EXPECT_TRUE(is_constant(Sine{0, 1, 0, 2}));
  EXPECT_TRUE(is_constant(Sine{1, 0, 1, 2}));
  EXPECT_FALSE(is_constant(Sine{1, 1, 0, 0}));
  EXPECT_TRUE(is_constant(make_table({0, 1, 2}, {4, 4, 4})));
  EXPECT_FALSE(is_constant(make_table({0, 1, 2}, {4, 4, 5})));
}

TEST(TimeFunction, BreaksAreTheKnotsOfATable) {
  EXPECT_TRUE(calc_breaks(Sine{1, 1, 0, 0}).empty());
  EXPECT_EQ(calc_breaks(make_table({0, 1, 2.5}, {4, 4, 5})), (std::vector<double>{0, 1, 2.5}));
}

}  // namespace
}  // namespace stiction
