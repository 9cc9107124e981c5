// Limits and friction of joints, and the moment against spin, under the rigid methods; closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double g = 9.81;

using test::run_text;

class RigidJoints : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  /// A slider of 2 kg on an axis through the origin, h = 1 ms.
  static RunResult run_slider(const std::string& name, const std::string& axis, const std::string& joint,
                              const std::string& duration) {
    const auto [method, form] = GetParam();
    return run_text(name + method + form, "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = " + duration +
                                              "\nstep = 1e-3\noutput = 1e-3\n[method]\ntype = \"" + method +
                                              "\"\njoints = \"" + form +
                                              "\"\n[body.slider]\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n"
                                              "[joint.guide]\ntype = \"prismatic\"\nchild = \"slider\"\naxis = " +
                                              axis + "\n" + joint);
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, RigidJoints,
                         testing::Values(std::pair("cone", "tree"), std::pair("cone", "constraint"),
                                         std::pair("stewart_trinkle", "tree"),
                                         std::pair("stewart_trinkle", "constraint"), std::pair("berard", "tree"),
                                         std::pair("berard", "constraint"), std::pair("anitescu_potra", "tree"),
                                         std::pair("anitescu_potra", "constraint")),
                         [](const auto& row) { return std::string(row.param.first) + "_" + row.param.second; });

// It falls 0.1 m in sqrt(2 s / g) = 0.143 s, and lies on its limit from then on.
TEST_P(RigidJoints, ALimitStopsAFall) {
  const RunResult run = run_slider("limit", "[0, 0, 1]", "lower = -0.1\n", "0.3");
  const auto& z = run.signal("guide.position");
  for (const double position : z) EXPECT_GT(position, -0.1 - 1e-9);
  EXPECT_NEAR(z.back(), -0.1, 1e-9);
  EXPECT_NEAR(run.signal("guide.velocity").back(), 0, 1e-9);
  // Before: free fall, within the first order of the papers' steps.
  EXPECT_NEAR(z[100], -0.5 * g * 0.01, 0.5 * g * 0.1 * 1e-3 + 1e-9);
}

// It lands at sqrt(2 s / g) = 0.143 s and stays there: one event, at the end of its step; methods of first order are up
// to another step off.
TEST_P(RigidJoints, AFallOnALimitIsOneEvent) {
  const RunResult run = run_slider("landing", "[0, 0, 1]", "lower = -0.1\n", "0.3");
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].kind, "impact");
  EXPECT_EQ(run.events[0].name, "guide");
  EXPECT_NEAR(run.events[0].t, std::sqrt(2 * 0.1 / g), 2e-3);
}

// x = v/w sin(w t) with w = sqrt(k/m) = 10 rad/s reaches 0.1 m after asin(0.1 w / v) / w = 52.36 ms. The limit takes
// the speed, and the spring draws the slider away again in the next step: 10 m/s^2 h^2 / 2 = 5 um. It is back after a
// period.
TEST_P(RigidJoints, ASpringDrawsASliderOffItsLimit) {
  const RunResult run = run_slider("swing", "[1, 0, 0]",
                                   "velocity = 2\nupper = 0.1\n[spring.s]\ntype = \"torsional\"\n"
                                   "joint = \"guide\"\nstiffness = 200\n",
                                   "0.3");
  const double reached = std::asin(0.1 * 10 / 2) / 10;
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].kind, "impact");
  EXPECT_NEAR(run.events[0].t, reached, 2e-3);
  EXPECT_EQ(run.events[1].kind, "release");
  EXPECT_GT(run.events[1].t, run.events[0].t);
  EXPECT_NEAR(run.events[1].t, reached, 3e-3);
}

// A motor's friction acts with the joint's: 2 and 3 N hold against a push of 4.9 N, and leave 0.2 N of one of 5.2 N.
TEST_P(RigidJoints, AMotorsFrictionJoinsThatOfTheJoint) {
  const auto push = [](const std::string& effort) {
    return run_slider("motor", "[1, 0, 0]",
                      "friction = 2\n[motor.m]\njoint = \"guide\"\nfriction = 3\neffort = " + effort + "\n", "0.6");
  };
  EXPECT_NEAR(push("4.9").signal("guide.position").back(), 0, 1e-12);
  EXPECT_NEAR(push("5.2").signal("guide.velocity").back(), 0.2 / 2 * 0.6, 1e-9);
}

// a = -F/m until it stands, after v^2 m / (2 F) = 1 * 2 / (2 * 5) = 0.2 m and m v / F = 0.4 s.
TEST_P(RigidJoints, FrictionBringsASliderToRest) {
  const RunResult run = run_slider("friction", "[1, 0, 0]", "friction = 5\nvelocity = 1\n", "0.6");
  const bool second_order = std::string(GetParam().first) == "cone";
  // First order: positions take the velocity at the end of each step, v h / 2 = 0.5 mm too short in all.
  EXPECT_NEAR(run.signal("guide.position").back(), 0.2, second_order ? 1e-9 : 0.6e-3);
  EXPECT_NEAR(run.signal("guide.velocity")[200], 0.5, 1e-9);
  EXPECT_NEAR(run.signal("guide.velocity").back(), 0, 1e-12);
  // All of m v^2 / 2 = 1 J went there.
  EXPECT_NEAR(run.signal("energy.friction").back(), 1, 1e-9);
}

// 20 N hold m g = 19.62 N, 19 N do not: a = g - F/m.
TEST_P(RigidJoints, FrictionHoldsWhatItCan) {
  const RunResult holds = run_slider("holds", "[0, 0, 1]", "friction = 20\n", "0.5");
  EXPECT_NEAR(holds.signal("guide.position").back(), 0, 1e-12);
  const RunResult slides = run_slider("slides", "[0, 0, 1]", "friction = 19\n", "0.5");
  EXPECT_NEAR(slides.signal("guide.velocity").back(), -(g - 19 / 2.0) * 0.5, 1e-9);
}

// With a dwell time of 1 s static friction builds up from `initial_dwell` s_0 on: against a push of 15 + 8 t N the
// slider holds while 8 t < 10 s_dw, s_dw = 1 - (1 - s_0) exp(-t), and not a step longer. By default it has stood long
// since, and holds until 8 t = 10.
TEST_P(RigidJoints, StaticFrictionBuildsUpWithTheDwellTime) {
  for (const double start : {0.0, 0.2, 1.0}) {
    double low = 1e-3, high = 2;  // of 8 t = 10 s_dw beyond t = 0
    while (high - low > 1e-9) {
      const double t = 0.5 * (low + high);
      (8 * t < 10 * (1 - (1 - start) * std::exp(-t)) ? low : high) = t;
    }
    const std::string given = start < 1 ? "initial_dwell = " + std::to_string(start) + "\n" : "";
    const RunResult run =
        run_slider("dwell", "[1, 0, 0]",
                   "friction = 15\nstatic_friction = 25\ndwell_time = 1\n" + given +
                       "[motor.push]\njoint = \"guide\"\neffort = { table = { times = [0, 2], values = [15, 31] }, "
                       "interpolation = \"linear\" }\n",
                   "1.5");
    const auto& v = run.signal("guide.velocity");
    std::size_t moves = 0;
    // The bound lags by a step, by which the push is 8 mN h larger at most. Beyond, it grows by c = 8 - 10 (1 - s_0)
    // exp(-t) N/s: 10 um/s after sqrt(2 m v / c).
    while (moves < v.size() && v[moves] < 1e-5) ++moves;
    ASSERT_LT(moves, v.size());
    const double c = 8 - 10 * (1 - start) * std::exp(-low);
    EXPECT_GT(run.times[moves], low) << start;
    EXPECT_LT(run.times[moves], low + std::sqrt(2 * 2 * 1e-5 / c) + 3e-3) << start;
  }
  // After it has slid, static friction is gone: at rest again under 20 N from the first step on it slides.
  const RunResult slides = run_slider("slid", "[1, 0, 0]",
                                      "friction = 15\nstatic_friction = 25\ndwell_time = 1\nvelocity = -0.1\n"
                                      "[motor.push]\njoint = \"guide\"\neffort = 20\n",
                                      "0.2");
  EXPECT_GT(slides.signal("guide.velocity").back(), 0.1);
}

// A ball that spins about the normal: moment mu m g e_r, against I = 2/5 m r^2. From 5 rad/s to rest in
// omega I / (mu m g e_r), and no way at all.
TEST(RigidSpin, TheMomentAgainstSpinIsThatOfTheEllipsoid) {
  const double mu = 0.5, e_r = 0.002, radius = 0.1, alpha = mu * g * e_r / (0.4 * radius * radius);
  const RunResult run = run_text("spin", R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 3
output = 1e-3
step = 1e-3
[method]
type = "cone"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.ball]
mass = 3
position = [0, 0, 0.1]
angular_velocity = [0, 0, 5]
shape = { type = "sphere", radius = 0.1 }
[contact."ball/floor"]
friction = 0.5
ellipse = [1, 1, 0.002]
)");
  const auto& spin = run.signal("ball.angular_velocity.z");
  EXPECT_NEAR(spin[1000], 5 - alpha, 1e-9);
  EXPECT_NEAR(spin.back(), 0, 1e-12);  // at rest from 2.04 s on
  EXPECT_NEAR(run.signal("ball.position.x").back(), 0, 1e-12);
  EXPECT_NEAR(run.signal("energy.friction").back(), 0.5 * 0.4 * 3 * radius * radius * 25, 1e-9);
}

// A pendulum between limits, with friction in its joint: rows with an ellipse of friction beside rows without any. It
// swings, rests on a limit or sticks, and every step is solved.
TEST(RigidLimits, BesideFrictionAreSolved) {
  const RunResult run = test::run_text(
      "limits_and_friction",
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 2\nstep = 0.001\n[method]\ntype = \"cone\"\nstrict = true\n"
      "[body.rod]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n[joint.hinge]\ntype = \"revolute\"\nchild = \"rod\"\n"
      "axis = [0, 1, 0]\nchild_at = [0, 0, 0.5]\nposition = 0.4\nlower = -0.3\nupper = 0.5\nfriction = 0.2\n");
  EXPECT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_LE(run.summary.audit.at("residual"), 1e-10);
  const auto& angle = run.signal("hinge.position");
  EXPECT_GE(*std::min_element(angle.begin(), angle.end()), -0.3 - 1e-9);  // the gap is linear in the angle: exact
}

}  // namespace
}  // namespace stiction
