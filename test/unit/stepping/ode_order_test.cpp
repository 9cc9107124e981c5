// Orders of convergence by step halving, on a problem with rotation and on one with a spring.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/stepping/ode/integrators.h"
#include "stiction/stepping/ode/ode_fixed.h"

#include "ode_problems.h"

namespace stiction {
namespace {

using test::DampedSpring;
using test::TorqueFreeBody;

template <class Problem>
double calc_error(const IntegratorInfo& info, const OdeSettings& settings, double t_end, double interval) {
  Problem problem;
  const auto integrator = info.make(problem, settings);
  double t = 0;
  VecX y = Problem::start();
  test::run(*integrator, t, y, t_end, interval);
  EXPECT_EQ(t, t_end);
  return (y - Problem::calc_exact(t_end)).cwiseAbs().maxCoeff();
}

class FixedStepOrder : public testing::TestWithParam<IntegratorInfo> {};

// The first steps, as powers of 2 by order: fine enough to be asymptotic, coarse enough to stay above rounding.
template <class Problem>
void expect_order(const IntegratorInfo& info, const std::array<int, 6>& exponents) {
  OdeSettings settings;
  settings.step = std::ldexp(1.0, exponents[static_cast<std::size_t>(info.order)]);
  const double t_end = 2;
  double error = calc_error<Problem>(info, settings, t_end, t_end);
  for (int halving = 0; halving < 3; ++halving) {
    settings.step /= 2;
    const double finer = calc_error<Problem>(info, settings, t_end, t_end);
    EXPECT_NEAR(std::log2(error / finer), info.order, 0.12) << "errors " << error << ", " << finer;
    error = finer;
  }
  EXPECT_GT(error, 1e-13) << "below this, rounding is measured";
}

TEST_P(FixedStepOrder, WithRotation) {
  expect_order<TorqueFreeBody>(GetParam(), {0, -11, -6, -6, -5, -4});
}
TEST_P(FixedStepOrder, WithSpring) {
  expect_order<DampedSpring>(GetParam(), {0, -11, -8, -7, -6, -6});
}

const auto by_method_name = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(All, FixedStepOrder, testing::ValuesIn(test::select([](auto& row) { return !row.adaptive; })),
                         by_method_name);

// A local error of order h^5 beside steps of order 5: the dense output converges with order 5 too, everywhere.
TEST(DenseOutputOrder, DormandPrince) {
  const auto calc_worst = [](double h) {
    DampedSpring problem;
    OdeSettings settings;
    settings.max_step = h;
    settings.relative_tolerance = settings.absolute_tolerance = 1e6;
    const auto integrator = find_integrator("dormand_prince")->make(problem, settings);
    double t = 0, worst = 0;
    VecX y = DampedSpring::start();
    // Looking at times that do not divide the step hits all parts of steps.
    test::run(*integrator, t, y, 2, 0.0037, [&](const OdeReport&) {
      worst = std::max(worst, (y - DampedSpring::calc_exact(t)).cwiseAbs().maxCoeff());
    });
    return worst;
  };
  double error = calc_worst(0.08);
  for (double h = 0.04; h > 0.015; h /= 2) {
    const double finer = calc_worst(h);
    EXPECT_NEAR(std::log2(error / finer), 5, 0.25) << "errors " << error << ", " << finer;
    error = finer;
  }
}

class AdaptiveTolerance : public testing::TestWithParam<IntegratorInfo> {};

// Tightening the tolerance by 1e4 reduces the error by (1e4)^(k/(k+1)) for a method of order k that controls the error
// of each step; the band allows for orders from 1 up and for the jumps that a variable order makes.
template <class Problem>
void expect_proportional(const IntegratorInfo& info) {
  OdeSettings settings;
  settings.relative_tolerance = settings.absolute_tolerance = 1e-5;
  const double first = calc_error<Problem>(info, settings, 2, 2);
  settings.relative_tolerance = settings.absolute_tolerance = 1e-9;
  const double last = calc_error<Problem>(info, settings, 2, 2);
  EXPECT_LT(first, 1e-5 * 500);
  EXPECT_LT(last, 1e-9 * 500);
  EXPECT_GT(first / last, 1e2);
  EXPECT_LT(first / last, 1e5);
}

TEST_P(AdaptiveTolerance, WithRotation) {
  expect_proportional<TorqueFreeBody>(GetParam());
}
TEST_P(AdaptiveTolerance, WithSpring) {
  expect_proportional<DampedSpring>(GetParam());
}
INSTANTIATE_TEST_SUITE_P(All, AdaptiveTolerance,
                         testing::ValuesIn(test::select([](auto& row) { return row.adaptive; })), by_method_name);

TEST(FixedStepTime, IsAMultipleOfTheStepAndMeetsTheLimit) {
  const double h = 1e-3, far = 1e9;
  double t = 0;
  for (int k = 1; k <= 100000; ++k) {
    t = calc_next_time(t, h, far);
    ASSERT_EQ(t, k * h);
  }
  // Within 1e-9 h of the limit: the limit. Beyond it: a shorter step, and then back to the multiples.
  EXPECT_EQ(calc_next_time(0.002, h, 0.003 + 0.9e-12), 0.003 + 0.9e-12);
  EXPECT_EQ(calc_next_time(0.003 + 0.9e-12, h, far), 0.004);
  EXPECT_EQ(calc_next_time(0.002, h, 0.0024), 0.0024);
  EXPECT_EQ(calc_next_time(0.0024, h, far), 0.003);
  // After 1e10 steps of 0.1 us.
  EXPECT_EQ(calc_next_time(1e10 * 1e-7, 1e-7, far), (1e10 + 1) * 1e-7);
}

}  // namespace
}  // namespace stiction
