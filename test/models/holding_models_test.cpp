// Models of docs/tutorials.md in which friction holds a load: gripper, peg_in_bore, chain_over_cylinder.
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

using test::max_abs;
using test::run_example;

constexpr double g_holding = 9.81;

// v0 (1 - exp(-t / tau)), tau = m / kd: the gap is closed at gap / v0 + tau (but for exp(-80)). By the midpoint rule
// v0 - v falls by (1 - h/2 tau) / (1 + h/2 tau) a step, of which the sum is tau, too. The gap is then closed to 1e-9 of
// the finger's size of 17 mm, at 50 mm/s.
TEST(ModelGripper, ClosesAndLiftsAsTheHandCalculationSays) {
  const RunResult run = run_example("gripper");
  const double v0 = 0.05, kd = 400, finger = 0.5, gap = 0.005, m = 1, h = 5e-4;
  std::vector<double> touches;
  for (const StepEvent& event : run.events) {
    if (event.kind == "impact" && (event.name == "box/left" || event.name == "box/right")) touches.push_back(event.t);
  }
  ASSERT_EQ(touches.size(), 2u);
  EXPECT_EQ(touches[0], touches[1]);
  EXPECT_NEAR(touches[0], gap / v0 + finger / kd, 1e-9);
  EXPECT_NEAR(run.signal("left_slide.velocity").at(90), v0, 1e-9);
  for (const char* pair : {"contact.box/left", "contact.box/right"}) {
    const auto& force = run.signal(std::string(pair) + ".force");
    const auto& friction = run.signal(std::string(pair) + ".friction");
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const double t = run.times[i], s = (t - 0.3) / 0.5;
      if (t > 0.2) {
        EXPECT_NEAR(force[i], kd * v0, 1e-6) << t;
      }
      // m (g + z'') / 2 with z = 0.1 (3 s^2 - 2 s^3); the record is the mean of the step before.
      const double mean = s - 0.5 * h / 0.5;
      if (t > 0.302 && t < 0.799) {
        EXPECT_NEAR(friction[i], m * (g_holding + 2.4 - 4.8 * mean) / 2, 1e-6) << t;
      }
      if (t > 0.802) {
        EXPECT_NEAR(friction[i], m * g_holding / 2, 1e-6) << t;
      }
    }
  }
  // The palm is where its table says; the box, moved by mean velocities, keeps h^2 / 6 of each jump of acceleration.
  EXPECT_NEAR(run.signal("box.position.z").back(), 0.15, 2 * h * h * 2.4 / 6);
}

// Holds m (g + 2.4) = 12.21 N with 2 mu 20 N: from mu = 0.30525 on. With 0.3 the box lags until the palm's
// acceleration, 2.4 - 9.6 t, has fallen to 2 mu N / m - g = 2.19 m/s^2 and the speeds meet again.
TEST(ModelGripper, SlipsWithTooLittleFriction) {
  const auto lag = [](double mu) {
    const std::string friction = ".friction=" + std::to_string(mu);
    const RunResult run =
        run_example("gripper", {"contact.\"box/left\"" + friction, "contact.\"box/right\"" + friction});
    return run.signal("lift.position").back() - (run.signal("box.position.z").back() - 0.05);
  };
  EXPECT_NEAR(lag(0.31), 0, 2e-7);  // two jumps of 2.4 m/s^2, h^2 / 6 of each
  const double excess = 2.4 - (2 * 0.3 * 20 - g_holding), until = excess / 4.8;
  EXPECT_NEAR(lag(0.3), excess * until * until / 2 - 1.6 * until * until * until, 1e-6);
}

// A couple C jams the tilted peg between its rims: N = C / b a side, b = L cos a - 2 r sin a with the tilt a of
// 2 r cos a + L sin a = 2 R.
double calc_lever(double r, double length, double bore) {
  double low = 0, high = 0.1;
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    (2 * r * std::cos(a) + length * std::sin(a) < 2 * bore ? low : high) = a;
  }
  return length * std::cos(low) - 2 * r * std::sin(low);
}

TEST(ModelPegInBore, JamsBeyondTheCriticalCouple) {
  const double r = 0.01, length = 0.05, bore = 0.0101, mu = 0.2, m = 7850 * std::numbers::pi * r * r * length;
  const double b = calc_lever(r, length, bore), critical = m * g_holding * b / (2 * mu);
  EXPECT_NEAR(critical, 0.151, 5e-4);  // as the scene and the docs say

  const RunResult held = run_example("peg_in_bore");
  const auto& z = held.signal("peg.position.z");
  for (std::size_t i = 10; i < z.size(); ++i) ASSERT_NEAR(z[i], z[10], 1e-12);
  EXPECT_NEAR(held.signal("contact.peg/block.friction").back(), m * g_holding, 1e-8);

  // With 0.1 N m it slides: a = g - 2 mu C / (b m) from the second step on. In the first the rims meet the bore while
  // the peg turns: friction first acts against that turn, at one rim downwards.
  const auto gain = [](const RunResult& run) {
    const auto& v = run.signal("peg.velocity.z");
    return v.back() - v[10];  // from 10 to 50 ms
  };
  const RunResult slides = run_example("peg_in_bore", {"force.couple.torque=[0, 0.1, 0]", "time.duration=0.05"});
  const double a = g_holding - 2 * mu * 0.1 / (b * m);
  EXPECT_NEAR(slides.signal("contact.peg/block.force").back(), 2 * 0.1 / b, 1e-6);
  ASSERT_EQ(slides.times[10], 0.01);
  EXPECT_NEAR(gain(slides), -0.04 * a, 1e-7);

  // 1 % beside the critical couple.
  const auto run_with = [](double couple) {
    return run_example("peg_in_bore",
                       {"force.couple.torque=[0, " + std::to_string(couple) + ", 0]", "time.duration=0.05"});
  };
  EXPECT_LT(std::abs(run_with(1.01 * critical).signal("peg.velocity.z").back()), 1e-12);
  EXPECT_NEAR(gain(run_with(0.99 * critical)), -0.04 * 0.01 * g_holding, 1e-5);
}

// The tension behind the last bead of a chain over a half circle, in front of the first M1 (g + a), all beads about to
// slip or slipping forward with acceleration a. A bead at the polar angle p has chords at half an angle to its tangent
// (at the ends one side hangs straight down):
//   N = T sL + T' sR + m g sin p,   T' cR - T cL - mu N + m g cos p = m a.
double calc_tension(double left, double mu, double a) {
  const int beads = 11;
  const double m = 0.02, angle = std::numbers::pi / (beads - 1), c = std::cos(angle / 2), s = std::sin(angle / 2);
  double tension = left * (g_holding + a);
  for (int i = 0; i < beads; ++i) {
    const double p = std::numbers::pi - i * angle;
    const double c_left = i == 0 ? 1 : c, s_left = i == 0 ? 0 : s;
    const double c_right = i == beads - 1 ? 1 : c, s_right = i == beads - 1 ? 0 : s;
    tension =
        (tension * (c_left + mu * s_left) + mu * m * g_holding * std::sin(p) - m * g_holding * std::cos(p) + m * a) /
        (c_right - mu * s_right);
  }
  return tension;
}

TEST(ModelChainOverCylinder, HoldsUpToTheRopeFormula) {
  const double mu = 0.3, critical = calc_tension(1, mu, 0) / g_holding;
  EXPECT_NEAR(critical, 2.730, 5e-4);  // as the scene and the docs say
  const auto fall = [](double mass, const char* duration) {
    return run_example("chain_over_cylinder", {"body.right.mass=" + std::to_string(mass), duration});
  };
  for (const double part : {0.9, 0.9999}) {
    const RunResult held = fall(part * critical, "time.duration=0.1");
    EXPECT_LT(max_abs(held.signal("right.velocity.y")), 1e-9) << part;
  }
  // Heavier, it slides: M2 (g - a) = T(a), linear in a. After 10 ms beads have moved by less than 1e-3 of a chord.
  const double mass = 1.1 * critical, rest = calc_tension(1, mu, 0), slope = calc_tension(1, mu, 1) - rest;
  const double a = (mass * g_holding - rest) / (mass + slope);
  const RunResult slides = fall(mass, "time.duration=0.01");
  EXPECT_NEAR(slides.signal("right.velocity.y").back(), -0.01 * a, 1e-3 * 0.01 * a);
}

}  // namespace
}  // namespace stiction
