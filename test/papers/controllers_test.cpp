// Sampled controllers: exact recursions of masses under forces that are held between samples, and the force
// accommodation of gonthier-thesis-2007, section 5.1.4.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/examples.h"

namespace stiction {
namespace controllers_test {
namespace {

constexpr double g = 9.81;

const std::string slider = R"(
[body.slider]
mass = 2
inertia = [0.1, 0.1, 0.1]
[joint.guide]
type = "prismatic"
child = "slider"
axis = [0, 0, 1]
)";

RunResult run_slider(const std::string& name, const std::string& method, const std::string& gravity,
                     const std::string& controller) {
  return test::run_text(name, "[world]\ngravity = [0, 0, -" + gravity +
                                  "]\n[time]\nduration = 2\nstep = 1e-3\noutput = 1e-2\n[method]\n" + method + "\n" +
                                  slider + "[controller.c]\ntype = \"joint\"\njoint = \"guide\"\n" + controller);
}

const std::vector<std::string> methods = {"type = \"smooth\"\nintegrator = \"rk4\"",
                                          "type = \"smooth\"\nintegrator = \"dormand_prince\"",
                                          "type = \"smooth\"\nintegrator = \"cvode_bdf\"", "type = \"cone\""};

// Between samples the force is constant: x+ = x + v T + u T^2/(2 m), v+ = v + u T/m, with what was measured two samples
// ago. Every method moves a mass under a constant force exactly, or to its tolerance.
TEST(SampledControl, FollowsTheExactRecursionWithDelay) {
  for (const std::string& method : methods) {
    const RunResult run = run_slider("pd", method + "\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12", "0",
                                     "sample_time = 0.01\ndelay = 0.02\nposition = 0.3\nproportional = 50\n"
                                     "derivative = 20\n");
    const double T = 0.01, m = 2;
    std::vector<double> x = {0}, v = {0};
    for (std::size_t k = 0; k < 200; ++k) {
      const std::size_t seen = k < 2 ? 0 : k - 2;
      const double u = 50 * (0.3 - x[seen]) - 20 * v[seen];
      x.push_back(x[k] + v[k] * T + u * T * T / (2 * m));
      v.push_back(v[k] + u * T / m);
    }
    ASSERT_EQ(run.times.size(), x.size()) << method;
    for (std::size_t k = 0; k < x.size(); ++k) {
      ASSERT_NEAR(run.signal("guide.position")[k], x[k], 1e-8) << method << " " << k;
      ASSERT_NEAR(run.signal("guide.velocity")[k], v[k], 1e-7) << method << " " << k;
    }
  }
}

// PD alone sags by m g / kp; an integral takes that away; with the weight fed forward there is never any error.
TEST(SampledControl, HoldsAWeight) {
  for (const std::string& method : methods) {
    const std::string gains = "sample_time = 0.002\nproportional = 400\nderivative = 60\n";
    EXPECT_NEAR(run_slider("sags", method, "9.81", gains).signal("guide.position").back(), -2 * g / 400, 1e-5)
        << method;
    EXPECT_NEAR(run_slider("integral", method, "9.81", gains + "integral = 2000\n").signal("guide.position").back(), 0,
                1e-4)
        << method;
    const RunResult held = run_slider("feed_forward", method, "9.81", gains + "gravity = true\n");
    EXPECT_LT(test::max_abs(held.signal("guide.position")), 1e-9) << method;
  }
}

// A force that cannot lift the weight: after the first sample, which sees no error, it falls with g - F/m.
TEST(SampledControl, IsLimited) {
  const RunResult run = run_slider("limited", methods[0], "9.81",
                                   "sample_time = 0.001\nproportional = 1e7\nintegral = 1e4\nlimit = 10\n");
  EXPECT_NEAR(run.signal("guide.velocity").back(), -(g * 0.001 + (g - 5) * 1.999), 1e-9);
}

// Impedance: a push of 8 N moves a free body by 8/200 m, a moment of 0.5 N m turns it by 0.5/5 rad.
TEST(SampledControl, ImpedanceGivesWayAsASpring) {
  const RunResult run = test::run_text("impedance", R"(
[time]
duration = 4
step = 1e-3
[method]
type = "smooth"
[body.hand]
mass = 2
inertia = [0.05, 0.05, 0.05]
[controller.c]
type = "impedance"
body = "hand"
sample_time = "1 ms"
position = [0, 0, 0]
stiffness = [5, 5, 5, 200, 200, 200]
damping = [0.7, 0.7, 0.7, 30, 30, 30]
[force.push]
body = "hand"
force = [8, 0, 0]
torque = [0, 0, 0.5]
)");
  EXPECT_NEAR(run.signal("hand.position.x").back(), 8.0 / 200, 1e-6);
  EXPECT_NEAR(2 * std::atan2(run.signal("hand.orientation.z").back(), run.signal("hand.orientation.w").back()), 0.1,
              1e-6);
}

// Force accommodation: a commanded 2 mm/s into a wall ends with dead band + speed / yield = 10 + 2e-3/1e-4 = 30 N,
// by explicit Euler with the thesis' 1 ms, and by rk4. (A rigid wall answers a sampled force control with impacts.)
TEST(SampledControl, AccommodationBoundsTheForce) {
  for (const std::string method :
       {"type = \"compliant\"\nintegrator = \"rk1\"", "type = \"compliant\"\nintegrator = \"rk4\""}) {
    const RunResult run = test::run_text("accommodation", R"(
[time]
duration = 3
step = 1e-3
output = 1e-2
[method]
)" + method + R"(
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.hand]
mass = 50
position = [0, 0, 0.101]
shape = { type = "sphere", radius = 0.1 }
[controller.c]
type = "admittance"
body = "hand"
sample_time = "1 ms"
velocity = [0, 0, "-2 mm/s"]
yield = [1e-4, 1e-4, 1e-4]
dead_band = [10, 10, 10]
bandwidth = 50
[contact."hand/floor"]
normal = { law = "hertz", stiffness = 2.5e8, restitution = 0.85, small_velocity = "1 mm/s" }
friction = 0
)");
    ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    EXPECT_NEAR(run.signal("contact.hand/floor.force").back(), 30, 0.1) << method;
  }
}

// Moment accommodation: a ball held d = 10 mm beside its centre is pressed on the floor. The moment of the force f
// about the held point turns it by yield times what is beyond the dead band, w = 0.02 (d f - 0.1), and its centre,
// which the floor holds, has the speed 2 mm/s - 1e-4 (f - 10) - d w = 0 downwards: f = 3.02e-3 / 1.02e-4 = 29.608 N.
// About x and z there is no moment and no turning.
TEST(SampledControl, AccommodatesMoments) {
  const RunResult run = test::run_text("moments", R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 4
step = 1e-3
output = 1e-2
[method]
type = "compliant"
integrator = "rk1"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.hand]
mass = 50
inertia = [2, 2, 2]
position = [0, 0, 0.1]
shape = { type = "sphere", radius = 0.1 }
[controller.c]
type = "admittance"
body = "hand"
at = [0.01, 0, 0]
sample_time = "1 ms"
gravity = true
velocity = [0, 0, "-2 mm/s"]
yield = [1e-4, 1e-4, 1e-4]
dead_band = [10, 10, 10]
rotational_yield = [0.02, 0.02, 0.02]
rotational_dead_band = [0.1, 0.1, 0.1]
bandwidth = 50
[contact."hand/floor"]
normal = { law = "hertz", stiffness = 2.5e8, restitution = 0.85, small_velocity = "1 mm/s" }
friction = 0
)");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const double force = 3.02e-3 / 1.02e-4;
  // By then it has turned by 15 mrad, and the lever arm d cos(turn) has become 1e-4 shorter.
  EXPECT_NEAR(run.signal("contact.hand/floor.force").back(), force, 3e-4 * force);
  EXPECT_NEAR(std::abs(run.signal("hand.angular_velocity.y").back()), 0.02 * (0.01 * force - 0.1), 2e-6);
  EXPECT_LT(test::max_abs(run.signal("hand.angular_velocity.x")), 1e-12);
  EXPECT_LT(test::max_abs(run.signal("hand.angular_velocity.z")), 1e-12);
}

// Gravity fed forward in Cartesian space holds an arm of two links and a slider where it is: three joints, and a point
// with three freedoms in the plane. Without it the arm sags.
TEST(SampledControl, CartesianGravityIsFedForward) {
  for (const bool gravity : {true, false}) {
    const RunResult run = test::run_text("cartesian_gravity", std::string(R"(
[world]
gravity = [0, -9.81, 0]
[time]
duration = 1
step = 1e-3
output = 1e-2
[method]
type = "smooth"
integrator = "rk4"
[body.upper]
mass = 3
inertia = [0.1, 0.1, 0.1]
[body.lower]
mass = 2
inertia = [0.1, 0.1, 0.1]
[body.hand]
mass = 1
inertia = [0.02, 0.02, 0.02]
[joint.shoulder]
type = "revolute"
child = "upper"
axis = [0, 0, 1]
child_at = [-0.3, 0, 0]
position = "30 deg"
[joint.elbow]
type = "revolute"
parent = "upper"
child = "lower"
at = [0.3, 0, 0]
axis = [0, 0, 1]
child_at = [-0.25, 0, 0]
position = "-70 deg"
[joint.wrist]
type = "revolute"
parent = "lower"
child = "hand"
at = [0.25, 0, 0]
axis = [0, 0, 1]
child_at = [-0.1, 0, 0]
position = "20 deg"
[controller.c]
type = "admittance"
body = "hand"
at = [0.05, 0, 0]
sample_time = "1 ms"
velocity = [0, 0, 0]
bandwidth = 20
)") + (gravity ? "gravity = true\n" : ""));
    ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    const auto &x = run.signal("hand.position.x"), &y = run.signal("hand.position.y");
    double moved = 0;
    for (std::size_t i = 0; i < x.size(); ++i) moved = std::max(moved, std::hypot(x[i] - x[0], y[i] - y[0]));
    if (gravity) {
      EXPECT_LT(moved, 1e-11);
    } else {
      // An acceleration g against b^2: 9.81 / 400 at the point, and a part of that here.
      EXPECT_GT(moved, 1e-3);
    }
  }
}

}  // namespace
}  // namespace controllers_test
}  // namespace stiction
