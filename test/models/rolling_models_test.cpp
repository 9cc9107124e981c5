// Models of docs/tutorials.md with bodies that roll: ball_in_bowl, cart.
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

using test::max_abs;
using test::run_example;

constexpr double g_rolling = 9.81;

// Times at which a signal changes its sign, between samples by a straight line.
std::vector<double> find_crossings(const std::vector<double>& times, const std::vector<double>& x) {
  std::vector<double> crossings;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i - 1] * x[i] < 0)
      crossings.push_back(times[i - 1] + (times[i] - times[i - 1]) * x[i - 1] / (x[i - 1] - x[i]));
  }
  return crossings;
}

// A rolling ball has 7/5 of its inertia: a pendulum of length L = 7/5 (R - r), of period 4 sqrt(L / g) K(sin(a/2)).
// cone is of second order: the midpoint rule is wrong by (w h)^2 / 24 of the period, 1e-6 at h = 0.5 ms with
// w = v / (R - r) = 4 1/s, and loads and speeds alike. Bar: 1e-5 of each number.
TEST(ModelBallInBowl, IsAPendulum) {
  const RunResult run = run_example("ball_in_bowl");
  const double length = 0.45, m = 0.2, angle = std::numbers::pi / 3;
  const double period = 4 * std::sqrt(7 * length / (5 * g_rolling)) * std::comp_ellint_1(std::sin(angle / 2));
  const std::vector<double> crossings = find_crossings(run.times, run.signal("ball.position.x"));
  ASSERT_EQ(crossings.size(), 4u);
  for (std::size_t k = 0; k < crossings.size(); ++k) {
    EXPECT_NEAR(crossings[k], (0.25 + 0.5 * static_cast<double>(k)) * period, 1e-5 * period) << k;
  }
  const double v = std::sqrt(10.0 / 7 * g_rolling * length * (1 - std::cos(angle)));
  EXPECT_NEAR(max_abs(run.signal("ball.velocity.x")), v, 1e-5 * v);
  const double load = m * g_rolling * (17 - 10 * std::cos(angle)) / 7;
  EXPECT_NEAR(max_abs(run.signal("contact.ball/bowl.force")), load, 1e-5 * load);
  // At the release friction bears 2/7 m g sin, the bowl m g cos. The record is the mean of a step, in which the ball
  // turns by 5/7 g sin / (R - r) h^2 / 6: 6e-7.
  const double ratio = run.signal("contact.ball/bowl.friction").at(1) / run.signal("contact.ball/bowl.force").at(1);
  EXPECT_NEAR(ratio, 2.0 / 7 * std::tan(angle), 2e-5);
  EXPECT_LT(max_abs(run.signal("energy.friction")), 1e-7);
}

// Below mu = 2/7 tan 60 it slips from the start.
TEST(ModelBallInBowl, RollsOnlyWithEnoughFriction) {
  const auto slips = [](const char* friction) {
    const RunResult run =
        run_example("ball_in_bowl", {std::string("contact.\"ball/bowl\".friction=") + friction, "time.duration=0.1"});
    return run.signal("energy.friction").back();
  };
  EXPECT_GT(slips("0.485"), 1e-7);  // 2 % less than 0.4949
  EXPECT_LT(std::abs(slips("0.505")), 1e-9);
}

// a = (4 T / r - M g sin) / (M + 4 I / r^2), constant: exact but for rounding.
TEST(ModelCart, ClimbsAsTheHandCalculationSays) {
  const RunResult run = run_example("cart");
  const double slope = 10 * std::numbers::pi / 180, mass = 6, r = 0.1, torque = 0.5, wheel = 0.5 * 0.5 * r * r;
  const double a = (4 * torque / r - mass * g_rolling * std::sin(slope)) / (mass + 4 * wheel / (r * r));
  EXPECT_NEAR(run.signal("cart.velocity.x").back(), a, 1e-9);
  EXPECT_NEAR(run.signal("cart.position.x").back(), a / 2, 1e-9);
  EXPECT_NEAR(run.signal("rear_left.angular_velocity.y").back() * r, a, 1e-9);
  EXPECT_NEAR(max_abs(run.signal("cart.position.y")), 0, 1e-9);
  // The load of all wheels: M g cos.
  double load = 0;
  for (const char* wheel_name : {"front_left", "front_right", "rear_left", "rear_right"}) {
    load += run.signal(std::string("contact.") + wheel_name + "/ramp.force").back();
  }
  EXPECT_NEAR(load, mass * g_rolling * std::cos(slope), 1e-8);
}

// With too much torque all wheels spin, however the load is shared: a = g (mu cos - sin).
TEST(ModelCart, SpinsItsWheelsWithTooMuchTorque) {
  std::vector<std::string> changes = {"time.duration=0.1"};
  for (const char* wheel_name : {"front_left", "front_right", "rear_left", "rear_right"}) {
    changes.push_back(std::string("motor.") + wheel_name + ".effort=1.5");
    changes.push_back(std::string("contact.\"") + wheel_name + "/ramp\".friction=0.5");
  }
  const RunResult run = run_example("cart", changes);
  const double slope = 10 * std::numbers::pi / 180, a = g_rolling * (0.5 * std::cos(slope) - std::sin(slope));
  EXPECT_NEAR(run.signal("cart.velocity.x").back(), 0.1 * a, 1e-9);
}

}  // namespace
}  // namespace stiction
