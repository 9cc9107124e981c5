// Limits and friction of joints in the formulations that are integrated: closed forms, and the robot of
// gonthier-thesis-2007, section 5.1.4, experiment A.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace joint_forces {
namespace {

constexpr double g = 9.81;

class JointForces : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  /// A slider of 2 kg on an axis through the origin.
  static RunResult run_slider(const std::string& name, const std::string& axis, const std::string& joint,
                              const std::string& duration) {
    const auto [integrator, form] = GetParam();
    return test::run_text(
        name + integrator + form,
        "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = " + duration +
            "\nstep = 1e-4\noutput = 1e-3\n[method]\ntype = \"smooth\"\nintegrator = \"" + integrator +
            "\"\nrelative_tolerance = 1e-9\nabsolute_tolerance = 1e-12\njoints = \"" + form +
            "\"\n[body.slider]\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n[joint.guide]\ntype = \"prismatic\"\nchild = "
            "\"slider\"\naxis = " +
            axis + "\n" + joint);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, JointForces,
                         testing::Values(std::pair("rk4", "tree"), std::pair("rk4", "constraint"),
                                         std::pair("dormand_prince", "tree"), std::pair("cvode_bdf", "constraint")),
                         [](const auto& row) { return std::string(row.param.first) + "_" + row.param.second; });

// On a limit of 1e4 N/m it comes to lie m g / k = 1.962 mm deep; all of m g (0.1 + that) but k x^2 / 2 is lost there.
TEST_P(JointForces, ALimitGivesWayByItsLoad) {
  const RunResult run =
      run_slider("limit", "[0, 0, 1]", "lower = -0.1\nlimit_stiffness = 1e4\nlimit_damping = 200\n", "1");
  const double depth = 2 * g / 1e4;
  EXPECT_NEAR(run.signal("guide.position").back(), -0.1 - depth, 1e-8);
  // Fixed steps meet the limit within a step: to the work of the stop in one of them, k (v h)^2 / 2.
  const double lost = 2 * g * (0.1 + depth) - 0.5 * 1e4 * depth * depth, reached = std::sqrt(2 * g * 0.1) * 1e-4;
  EXPECT_NEAR(run.signal("energy.dissipated").back(), lost, 0.5 * 1e4 * reached * reached);
  EXPECT_LT(run.summary.energy_worst_residual, 1e-5);
}

// Without damping it rebounds as it came. In contact x'' = -g - w^2 x: from v0 it takes (pi + 2 atan(g/(w v0))) / w.
TEST_P(JointForces, ALimitWithoutDampingLosesNothing) {
  const RunResult run = run_slider("rebound", "[0, 0, 1]",
                                   "lower = 0\nposition = 0.1\nlimit_stiffness = 2e4\nlimit_damping = 0\n", "0.4");
  ASSERT_GE(run.events.size(), 2u);
  const double v0 = std::sqrt(2 * g * 0.1), w = 100;
  EXPECT_EQ(run.events[0].kind, "impact");
  EXPECT_EQ(run.events[0].name, "guide");
  EXPECT_EQ(run.events[1].kind, "release");
  // Fixed steps see both at the ends of steps of 0.1 ms.
  EXPECT_NEAR(run.events[1].t - run.events[0].t, (std::numbers::pi + 2 * std::atan(g / (w * v0))) / w, 1.1e-4);
  EXPECT_LT(run.summary.energy_worst_residual, 1e-5 * 2 * g * 0.1);
}

// By default the limit has 50 Hz and no rebound: from rest on it, the weight presses it in by g / (2 pi 50)^2.
TEST_P(JointForces, LimitsHaveAUsualStiffness) {
  const RunResult run = run_slider("usual", "[0, 0, 1]", "lower = 0\n", "0.5");
  const double w = 2 * std::numbers::pi * 50;
  EXPECT_NEAR(run.signal("guide.position").back(), -g / (w * w), 1e-8);
}

// a = -F/m until it stands, after v^2 m / (2 F) = 0.2 m; then the bristles have given way by at most 0.1 mm, and ring
// out. Below v_S = 1 mm/s the friction is a spring's.
TEST_P(JointForces, FrictionBringsASliderToRest) {
  const RunResult run = run_slider("friction", "[1, 0, 0]", "friction = 5\nvelocity = 1\n", "2");
  EXPECT_NEAR(run.signal("guide.velocity")[200], 1 - 5 * 0.2 / 2, 1e-3);
  EXPECT_NEAR(run.signal("guide.position").back(), 0.2, 2e-4);
  EXPECT_NEAR(run.signal("guide.velocity").back(), 0, 1e-6);
  EXPECT_NEAR(run.signal("energy.friction").back(), 1, 1e-3);
  EXPECT_LT(run.summary.energy_worst_residual, 1e-5);
}

// m g = 19.62 N against 20 N: it stays where it is, as it has stood there long since. Against 15 N it falls with
// g - F/m. Under a push that grows to 20 N, well below v_S, where bristles deflect with the slider and nothing slips,
// it gives way by 20 N / (T_S / presliding). With static_friction = 25 N under a push that grows by 10 N/s it breaks
// away at 25 N, and slides with 15 N against it.
TEST_P(JointForces, FrictionHoldsAndBreaksAway) {
  const RunResult holds = run_slider("holds", "[0, 0, 1]", "friction = 20\n", "2");
  EXPECT_NEAR(holds.signal("guide.velocity").back(), 0, 1e-9);
  EXPECT_NEAR(holds.signal("guide.position").back(), 0, 1e-15);
  const RunResult hangs =
      run_slider("hangs", "[1, 0, 0]",
                 "friction = 60\nstribeck_velocity = 10\nbristle_damping = 1000\n[motor.push]\njoint = \"guide\"\n"
                 "effort = { table = { times = [0, 1, 2], values = [0, 20, 20] }, interpolation = \"linear\" }\n",
                 "2");
  EXPECT_NEAR(hangs.signal("guide.position").back(), 20 / 60.0 * 1e-4, 1e-9);
  const RunResult slides = run_slider("slides", "[0, 0, 1]", "friction = 15\n", "0.5");
  const auto& v = slides.signal("guide.velocity");
  EXPECT_NEAR(v.back() - v[v.size() - 101], -(g - 15 / 2.0) * 0.1, 1e-6);
  const RunResult pushed =
      run_slider("pushed", "[1, 0, 0]",
                 "friction = 15\nstatic_friction = 25\ndwell_time = 0.01\n[motor.push]\njoint = \"guide\"\n"
                 "effort = { table = { times = [0, 4], values = [0, 40] }, interpolation = \"linear\" }\n",
                 "3");
  const auto& x = pushed.signal("guide.position");
  std::size_t breakaway = 0;
  while (breakaway < x.size() && x[breakaway] < 2e-4) ++breakaway;
  ASSERT_LT(breakaway, x.size());
  EXPECT_NEAR(10 * pushed.times[breakaway], 25, 0.3);  // it takes a few ms to pass 0.2 mm
  const auto& u = pushed.signal("guide.velocity");
  // From 2.7 to 3 s the push is (27 + 30)/2 on average: (28.5 - 15) * 0.3 / 2
  EXPECT_NEAR(u.back() - u[2700], 13.5 * 0.3 / 2, 1e-3);
}

/// When a slider with T_C = 15 N, T_S = 25 N has gone 0.2 mm (it gives way by 0.1 mm before it slides).
double find_breakaway(const RunResult& run) {
  const auto& x = run.signal("guide.position");
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] > 2e-4) return run.times[i];
  return -1;
}

// A joint that stands at the start has stood long since: by default 20 N do not move it, though static friction takes
// 1 s to build up (10 presliding / v_S). It begins at `initial_dwell` s_0 where that is given: against a push of
// 15 + 8 t it holds while 8 t < 10 s_dw, s_dw = 1 - (1 - s_0) exp(-t).
TEST_P(JointForces, StaticFrictionIsThereAtTheStart) {
  const auto push = [&](const std::string& name, const std::string& joint, const std::string& values) {
    return run_slider("dwell" + name, "[1, 0, 0]",
                      "friction = 15\nstatic_friction = 25\n" + joint +
                          "[motor.push]\njoint = \"guide\"\neffort = { table = { times = [0, 2], values = " + values +
                          " }, interpolation = \"linear\" }\n",
                      "1");
  };
  EXPECT_EQ(find_breakaway(push("rest", "", "[20, 20]")), -1);
  EXPECT_GT(find_breakaway(push("fresh", "initial_dwell = 0\n", "[20, 20]")), 0);
  for (const double start : {0.0, 0.2}) {
    double low = 1e-3, high = 2;  // of 8 t = 10 s_dw beyond t = 0
    while (high - low > 1e-9) {
      const double t = 0.5 * (low + high);
      (8 * t < 10 * (1 - (1 - start) * std::exp(-t)) ? low : high) = t;
    }
    const double t = find_breakaway(push("start", "initial_dwell = " + std::to_string(start) + "\n", "[15, 31]"));
    // The push then grows beyond friction with c = 8 - 10 (1 - s_0) exp(-t) N/s, at first: 0.2 mm are gone after
    // cbrt(6 m x / c) at most, as friction falls, too.
    const double c = 8 - 10 * (1 - start) * std::exp(-low);
    EXPECT_GT(t, low) << start;
    EXPECT_LT(t, low + std::cbrt(6 * 2 * 2e-4 / c)) << start;
  }
  // One that slides at the start, far above v_S, has none: it comes to rest by T_C, and then 20 N move it on.
  EXPECT_GT(find_breakaway(push("moving", "velocity = -0.01\n", "[20, 20]")), 0);
}

TEST_P(JointForces, ViscousFrictionDecays) {
  const RunResult run = run_slider("viscous", "[1, 0, 0]", "viscous = 3\nvelocity = 1\n", "1");
  EXPECT_NEAR(run.signal("guide.velocity").back(), std::exp(-3.0 / 2), 1e-8);
}

// Experiment A: each joint in turn moves by 10 degrees and back, under position control. While the swing joint moves
// alone and steadily, its motor works against its friction and nothing else, and so it lags behind its target by
// (T_C + viscous times 10 degrees/s) / proportional.
TEST(ArmInFreeMotion, LagsBehindByItsFriction) {
  const RunResult run = test::run_example("arm_free_motion", {"time.duration=2.5"});
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const double rate = 10 * std::numbers::pi / 180;
  const auto sample = [&](double t) {
    return static_cast<std::size_t>(std::lround(t / (run.times[1] - run.times[0])));
  };
  EXPECT_NEAR(run.signal("swing.velocity")[sample(1.4)], rate, 1e-3 * rate);
  // The target is 10 degrees/s times (t - 0.5 s).
  EXPECT_NEAR(rate * 0.9 - run.signal("swing.position")[sample(1.4)], (20 + 15 * rate) / 1e4, 1e-2 * 20 / 1e4);
}

}  // namespace
}  // namespace joint_forces
}  // namespace stiction
