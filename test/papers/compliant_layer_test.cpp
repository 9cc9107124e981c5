// compliant-implicit-2007: compliant layers over rigid cores (eqs 10-15), against closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "support/compliant.h"
#include "support/examples.h"

namespace stiction {
namespace {

using test::earth_gravity;
using test::run_example;
using test::run_text;

// All conditions at the end of every step: gap with the layer, complementarity, cone, the layer's law.
void expect_layer_conditions(const RunResult& run) {
  for (const char* measure : {"penetration", "complementarity", "cone", "layer"})
    EXPECT_LT(run.summary.audit.at(measure), 1e-9) << measure;
  EXPECT_EQ(run.summary.audit.at("unconverged"), 0);
}

/// A particle of 1 kg with a round surface of radius 0.1 m that touches a floor and moves along z.
std::string make_particle(double gravity, double speed, double step, const std::string& rest, double output = 0) {
  return fmt::format(R"(
world.gravity = [0, 0, {}]
time = {{ duration = 2, step = {}, output = {} }}
method.type = "geometric_implicit"
[body.floor]
fixed = true
material = "ground"
shape = {{ type = "halfspace", normal = [0, 0, 1] }}
[body.ball]
particle = true
material = "rubber"
mass = 1
position = [0, 0, 0.1]
velocity = [0, 0, {}]
shape = {{ type = "sphere", radius = 0.1 }}
{}
[material.{}]
density = 1000
)",
                     -gravity, step, output > 0 ? output : step, speed, rest,
                     rest.find("[material") == std::string::npos ? "ground]\n[material.rubber" : "unused");
}

// Closed form: at rest the deflection is K^-1 f, K full and f the weight and a push along the floor.
TEST(CompliantLayer, RestsAtTheInverseStiffness) {
  const RunResult run = run_text("rest", make_particle(earth_gravity, 0, 1e-3, R"(
[force.push]
body = "ball"
force = [2, 1, 0]
[contact."ball/floor"]
friction = 0.5
layer = { stiffness = [[4000, 300, -200], [300, 2500, 150], [-200, 150, 1800]], damping = 100 }
)"));
  expect_layer_conditions(run);
  // n = z up, t = x, o = n x t = y where B is the ball; the layer is pressed against the motion of the ball.
  Mat3 K;
  K << 4000, 300, -200, 300, 2500, 150, -200, 150, 1800;
  const Vec3 delta = K.inverse() * Vec3(earth_gravity, -2, -1);
  EXPECT_NEAR(run.signal("ball.position.z").back(), 0.1 - delta[0], 1e-9);
  EXPECT_NEAR(run.signal("ball.position.x").back(), -delta[1], 1e-9);
  EXPECT_NEAR(run.signal("ball.position.y").back(), -delta[2], 1e-9);
  EXPECT_NEAR(run.signal("contact.ball/floor.deflection").back(), delta[0], 1e-9);
  EXPECT_NEAR(run.signal("contact.ball/floor.shear").back(), std::hypot(delta[1], delta[2]), 1e-9);
  EXPECT_NEAR(run.signal("energy.layers").back(), 0.5 * delta.dot(K * delta), 1e-9);
}

// Closed form: the recursion of implicit Euler for m x'' = -k x - c x', step by step until the contact lets go.
TEST(CompliantLayer, SwingsAsImplicitEulerDoes) {
  const double k = 1000, c = 5, h = 1e-3;
  const RunResult run = run_text("swing", make_particle(0, -1, h, R"(
[contact."ball/floor"]
layer = { stiffness = 1000, damping = 5 }
)"));
  expect_layer_conditions(run);
  double x = 0, v = -1;
  const auto position = run.signal("ball.position.z");
  std::size_t steps = 0;
  for (std::size_t i = 1; i < position.size(); ++i) {
    v = (v - h * k * x) / (1 + h * c + h * h * k);
    if (k * (x + h * v) + c * v > 0) break;
    x += h * v;
    ASSERT_NEAR(position[i], 0.1 + x, 1e-12) << i;
    ++steps;
  }
  EXPECT_GT(steps, 80u);
}

// First order in h to the solution of the compliant equations: a half swing on an undamped spring, then free. Closed
// form with gravity g: x = -g/w^2 (1 - cos wt) - v/w sin wt while x <= 0.
TEST(CompliantLayer, TendsToTheCompliantMotion) {
  const double w = std::sqrt(1000.0), v = 1, t = 0.08;
  const double exact = 0.1 - earth_gravity / (w * w) * (1 - std::cos(w * t)) - v / w * std::sin(w * t);
  const auto calc_error = [&](double h) {
    const RunResult run = run_text("bounce", make_particle(earth_gravity, -v, h, R"(
[contact."ball/floor"]
layer = { stiffness = 1000 }
)",
                                                           t));
    EXPECT_NEAR(run.times[1], t, 1e-12);
    return std::abs(run.signal("ball.position.z")[1] - exact);
  };
  const double coarse = calc_error(4e-4), middle = calc_error(2e-4), fine = calc_error(1e-4);
  EXPECT_NEAR(coarse / middle, 2, 0.1);
  EXPECT_NEAR(middle / fine, 2, 0.1);
  EXPECT_LT(fine, 1e-3);
}

// Closed form: layers of both materials in series, and damped: deflections m g / k_1 and m g / k_2.
TEST(CompliantLayer, TwoLayersActInSeries) {
  const RunResult run = run_text("series", make_particle(earth_gravity, 0, 1e-3, R"(
[material.ground]
layer = { stiffness = 2000, damping = 200 }
[material.rubber]
layer = { stiffness = 500, damping = 50 }
[contact."ball/floor"]
)"));
  expect_layer_conditions(run);
  EXPECT_NEAR(run.signal("ball.position.z").back(), 0.1 - earth_gravity * (1 / 2000.0 + 1 / 500.0), 1e-6);
  EXPECT_NEAR(run.signal("contact.ball/floor.force").back(), earth_gravity, 1e-6);
}

// The weight presses a thin layer to its core, which bears the rest.
TEST(CompliantLayer, TheCoreBearsWhatTheLayerDoesNot) {
  const RunResult run = run_text("core", make_particle(earth_gravity, 0, 1e-3, R"(
[contact."ball/floor"]
layer = { stiffness = 1000, damping = 20, thickness = 0.004 }
)"));
  expect_layer_conditions(run);
  EXPECT_NEAR(run.signal("ball.position.z").back(), 0.096, 1e-12);
  EXPECT_NEAR(run.signal("contact.ball/floor.core_force").back(), earth_gravity - 4, 1e-9);
}

// Limits: an infinitely stiff layer, and one without thickness, are rigid contact. The difference is that of the
// depths, m (g + v/h) / k and the thickness.
TEST(CompliantLayer, StiffAndThinLayersAreRigid) {
  const auto slide = [](const std::string& layer) {
    return run_text("limit", fmt::format(R"(
world.gravity = [0, 0, -9.81]
time = {{ duration = 0.3, step = 1e-3 }}
method.type = "geometric_implicit"
[body.floor]
fixed = true
shape = {{ type = "halfspace", normal = [0, 0, 1] }}
[body.egg]
mass = 1
position = [0, 0, 0.15]
velocity = [0.5, 0.2, 0]
angular_velocity = [0, 3, 1]
shape = {{ type = "ellipsoid", semi_axes = [0.15, 0.1, 0.08] }}
[contact."egg/floor"]
friction = 0.3
{}
)",
                                         layer));
  };
  const RunResult rigid = slide(""), stiff = slide("layer = { stiffness = 1e13 }"),
                  thin = slide("layer = { stiffness = [1000, 1e13, 1e13], thickness = 1e-10 }");
  for (const char* signal : {"egg.position.x", "egg.position.y", "egg.position.z", "egg.orientation.w"}) {
    EXPECT_NEAR(stiff.signal(signal).back(), rigid.signal(signal).back(), 1e-6) << signal;
    EXPECT_NEAR(thin.signal(signal).back(), rigid.signal(signal).back(), 1e-6) << signal;
  }
}

// Hertz's law, closed form: from v the depth reaches (5 m v^2 / (4 k))^(2/5), and the rebound has the speed v, to first
// order in h.
TEST(CompliantLayer, AHertzianLayerReboundsWithItsSpeed) {
  const double k = 1e6, v = 1;
  const auto depth_at = [&](double h) {
    const RunResult run = run_text("hertz", make_particle(0, -v, h, R"(
[contact."ball/floor"]
layer = { stiffness = [1e6, 1e4, 1e4], exponent = 1.5 }
)"));
    expect_layer_conditions(run);
    double deepest = 0;
    for (const double z : run.signal("ball.position.z")) deepest = std::max(deepest, 0.1 - z);
    EXPECT_NEAR(run.signal("ball.velocity.z").back(), v, 1.5e3 * h);
    return deepest;
  };
  const double exact = std::pow(5 * v * v / (4 * k), 0.4);
  const double coarse = std::abs(depth_at(1e-4) - exact), fine = std::abs(depth_at(5e-5) - exact);
  EXPECT_LT(coarse, 0.05 * exact);
  EXPECT_NEAR(coarse / fine, 2, 0.3);
}

/// Hunt and Crossley's law, m v' = -k x^p (1 + a v), integrated over x: F(v) + k x^(p+1) / ((p + 1) m) stays.
double calc_hunt_crossley(double a, double v) {
  return v / a - std::log1p(a * v) / (a * a);
}

// Closed form: F is the same when it touches and when it leaves, whatever k and p, and gives the depth where v = 0.
// Both to first order in h.
TEST(CompliantLayer, ALayerOfHuntAndCrossleyReboundsAsItsIntegral) {
  const double k = 1e6, p = 1.5, a = 0.5, v = 1;
  double low = 0, high = v;  // F falls from 0 to -v
  for (int i = 0; i < 60; ++i) {
    const double speed = 0.5 * (low + high);
    (calc_hunt_crossley(a, -speed) < calc_hunt_crossley(a, v) ? low : high) = speed;
  }
  const double depth = std::pow(calc_hunt_crossley(a, v) * (p + 1) / k, 1 / (p + 1));
  const auto calc_errors = [&](double h) {
    const RunResult run = run_text("hunt", make_particle(0, -v, h, R"(
[contact."ball/floor"]
layer = { stiffness = [1e6, 1e4, 1e4], exponent = 1.5, dissipation = 0.5 }
)"));
    expect_layer_conditions(run);
    double deepest = 0;
    for (const double z : run.signal("ball.position.z")) deepest = std::max(deepest, 0.1 - z);
    return std::array{std::abs(run.signal("ball.velocity.z").back() - low), std::abs(deepest - depth)};
  };
  const auto coarse = calc_errors(8e-5), fine = calc_errors(4e-5);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(coarse[i] / fine[i], 2, 0.2) << i;
  EXPECT_LT(fine[0], 0.02 * low);
  EXPECT_LT(fine[1], 0.02 * depth);
}

// Figs 3 and 4. Closed forms: the layer is touched at sqrt(2 d / g), d = 0.5 m, and the core after a quarter of a swing
// of w = sqrt(k/m) at most; what the core takes is the kinetic energy there, m g (d + delta) - k delta^2 / 2.
TEST(CompliantLayer, TheDiscReachesTheCore) {
  const RunResult run = run_example("disc_core");
  expect_layer_conditions(run);
  const auto events = run.events;
  const auto reached =
      std::find_if(events.begin(), events.end(), [](const auto& e) { return e.kind == "core_reached"; });
  ASSERT_NE(reached, events.end());
  const double k = 1000, w = std::sqrt(k), delta = 0.05, touched = std::sqrt(2 * 0.5 / earth_gravity);
  // x = g/w^2 (1 - cos wt) + v/w sin wt = delta, by bisection.
  const double v = earth_gravity * touched;
  double low = 0, high = 0.5 * std::numbers::pi / w;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (low + high);
    const double x = earth_gravity / (w * w) * (1 - std::cos(w * t)) + v / w * std::sin(w * t);
    (x < delta ? low : high) = t;
  }
  EXPECT_NEAR(reached->t, touched + low, 2e-4);
  const double taken = earth_gravity * (0.5 + delta) - 0.5 * k * delta * delta;
  EXPECT_NEAR(run.signal("energy.impact").back(), taken, 5e-3 * taken);
  // It swings up from there: w (delta - g/w^2) at the most.
  double fastest = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    if (run.times[i] > 0.36) fastest = std::max(fastest, run.signal("disc.velocity.y")[i]);
  }
  EXPECT_NEAR(fastest, w * (delta - earth_gravity / k), 0.01 * fastest);
}

// Fig. 5: the core is not reached, the deepest deflection is g/w^2 + sqrt((g/w^2)^2 + (v/w)^2), and what is lost is
// of the order of 1e-5 J a step.
TEST(CompliantLayer, TheDiscOnADeepLayer) {
  const RunResult run = run_example("disc_soft");
  expect_layer_conditions(run);
  for (const auto& event : run.events) EXPECT_NE(event.kind, "core_reached");
  const double sag = earth_gravity / 1000, deepest = sag + std::sqrt(sag * sag + 2 * 0.5 * earth_gravity / 1000);
  double depth = 0;
  for (const double x : run.signal("contact.disc/floor.deflection")) depth = std::max(depth, x);
  EXPECT_NEAR(depth, deepest, 0.01 * deepest);
  EXPECT_EQ(run.signal("energy.dissipated").back(), 0);
  const double steps = run.summary.time / 1e-4,
               lost = run.signal("energy.total").front() - run.signal("energy.total").back();
  EXPECT_GT(lost, 0);
  EXPECT_LT(lost / steps, 5e-5);
}

// Fig. 6. Closed forms: touch-down at sqrt(2 d / g); the moment mu e_r f_n stops the spin when the impulse of f_n,
// which is m g t while the body neither rises nor falls, has become I omega / (mu e_r): at t = I omega / (mu e_r m g).
TEST(CompliantLayer, TheFlatEllipsoidStopsSpinning) {
  for (const char* name : {"ellipsoid_flat", "ellipsoid_core"}) {
    SCOPED_TRACE(name);
    const RunResult run = run_example(name);
    expect_layer_conditions(run);
    const double inertia = (0.25 * 0.25 + 0.005 * 0.005) / 5, stop = inertia * 5 / (0.4 * 0.04 * earth_gravity);
    const auto spin = run.signal("ellipsoid.angular_velocity.z");
    double touched = 0, stopped = 0;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      if (run.signal("contact.ellipsoid/floor.force")[i] == 0 && touched == run.times[std::max<std::size_t>(i, 1) - 1])
        touched = run.times[i];
      if (std::abs(spin[i]) > 1e-6) stopped = run.times[i];
    }
    EXPECT_NEAR(touched, std::sqrt(2 * 0.145 / earth_gravity), 2e-3);
    EXPECT_NEAR(stopped, stop, 2e-3);
    const bool reaches = std::any_of(run.events.begin(), run.events.end(),
                                     [](const auto& event) { return event.kind == "core_reached"; });
    EXPECT_EQ(reaches, name == std::string("ellipsoid_core"));
    // At rest on the layer under its weight.
    EXPECT_NEAR(run.signal("contact.ellipsoid/floor.deflection").back(), earth_gravity / 36000, 1e-8);
  }
}

// Fig. 7. What follows from the printed numbers: it lands on one end, then on the other; friction sticks long before
// the paper's 0.5 s, and the moment of friction holds the spin about the vertical at 0. From then on it rolls about its
// long axis for ever. Closed form without slip: the speed of its centre is r w, r = 5 mm, and the kinetic energy
// (m + I / r^2) v^2 / 2 with I = (r^2 + r^2) m / 5. At 2 s it still rocks on its layer, by 0.4 mm/s up and down where
// it rolls with 84 mm/s: 1 % of the speed, 2 % of the energy. Its mean speed stays.
TEST(CompliantLayer, TheTiltedEllipsoidRollsOn) {
  const RunResult run = run_example("ellipsoid_tilted", {"time.duration=3", "time.step=1e-4"});
  expect_layer_conditions(run);
  const auto signal = [&](const char* name, std::size_t i) { return run.signal(std::string("ellipsoid.") + name)[i]; };
  const double r = 0.005;
  std::vector<double> speeds;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    if (run.times[i] < 0.3) continue;
    // What sticks does not spin: rounding of 10 rad/s and the solver's 1e-10.
    ASSERT_NEAR(signal("angular_velocity.z", i), 0, 1e-9) << run.times[i];
    if (run.times[i] < 2) continue;
    const double spin = std::hypot(signal("angular_velocity.x", i), signal("angular_velocity.y", i));
    speeds.push_back(std::hypot(signal("velocity.x", i), signal("velocity.y", i)));
    ASSERT_NEAR(speeds.back(), r * spin, 0.01 * r * spin) << run.times[i];
    const double rolling = 0.5 * (1 + 2.0 / 5) * speeds.back() * speeds.back();
    ASSERT_NEAR(run.signal("energy.kinetic")[i], rolling, 0.02 * rolling) << run.times[i];
  }
  ASSERT_GT(speeds.size(), 900u);
  EXPECT_NEAR(speeds.back(), speeds.front(), 1e-3 * speeds.front());
}

// Two layers, driven bodies. Closed form: a peg of radius r that sticks to a finger which moves by s along a line at
// the distance x of its centre turns by (x/r) asinh(s/x); the flesh gives by less than 1e-3 of that along the peg.
TEST(CompliantLayer, FingertipsRollAPeg) {
  const RunResult run = run_example("fingertips");
  expect_layer_conditions(run);
  const auto& w = run.signal("peg.orientation.w");
  const double angle = 2 * std::acos(w.back()), expected = 15.5 / 5 * std::asinh(5 / 15.5);
  EXPECT_NEAR(angle, expected, 1e-3 * expected);
  EXPECT_NEAR(run.signal("peg.position.x").back(), 0, 1e-4);
  EXPECT_NEAR(run.signal("peg.position.y").back(), 0, 1e-4);
}

// Closed form of two balls with layers in series: the reduced mass m/2 swings with w = sqrt(2 k/m) for half a period,
// and equal masses exchange their velocities.
TEST(CompliantLayer, SoftBallsExchangeTheirVelocities) {
  const RunResult run = run_example("soft_balls");
  expect_layer_conditions(run);
  const double w = std::sqrt(2 / (1 / 40000.0 + 1 / 120000.0));
  double deepest = 0;
  for (const double x : run.signal("contact.left/right.deflection")) deepest = std::max(deepest, x);
  EXPECT_NEAR(deepest, 2 / w, 0.01 * 2 / w);
  double touched = 0, released = 0;
  for (const auto& event : run.events) (event.kind == "impact" ? touched : released) = event.t;
  EXPECT_NEAR(released - touched, std::numbers::pi / w, 0.01 * std::numbers::pi / w);
  EXPECT_NEAR(run.signal("left.velocity.x").back(), 0, 0.02);
  EXPECT_NEAR(run.signal("right.velocity.x").back(), 2, 0.02);
  EXPECT_NEAR(run.signal("momentum.linear.x").back(), 2, 1e-12);
}

// Statics: the moment of the hand about the bolt's axis is that of the spring.
TEST(CompliantLayer, TheWrenchHoldsTheBolt) {
  const RunResult run = run_example("wrench");
  expect_layer_conditions(run);
  const double angle = 2 * std::asin(run.signal("wrench.orientation.z").back());
  const double arm = run.signal("wrench.position.x").back() + 0.15 * std::cos(angle);
  EXPECT_NEAR(5 * run.signal("thread.position").back(), 10 * arm, 1e-4);
}

// Exact surfaces of two ellipsoids: momentum is kept to rounding. Angular momentum is kept to h p v, since positions
// move with the velocities at the end of the step: p is below 1 N s here, v below 1 m/s.
TEST(GeometricImplicitExamples, EllipsoidsKeepTheirMomenta) {
  const RunResult run = run_example("ellipsoids_collide");
  for (const char* axis : {"x", "y", "z"}) {
    const auto linear = run.signal(std::string("momentum.linear.") + axis);
    EXPECT_NEAR(linear.back(), linear.front(), 1e-12);
    const auto angular = run.signal(std::string("momentum.angular.") + axis);
    EXPECT_NEAR(angular.back(), angular.front(), 1e-3);
  }
  EXPECT_LT(run.summary.audit.at("penetration"), 1e-9);
  EXPECT_LT(run.summary.audit.at("complementarity"), 1e-9);
}

}  // namespace
}  // namespace stiction
