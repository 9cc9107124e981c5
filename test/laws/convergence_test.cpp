// The order of every rigid formulation with contact: errors at three steps against closed forms, or against an
// integration of the equations of motion that shares nothing with the program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "support/examples.h"

namespace stiction {
namespace {

/// Of errors at h, h / 2 and h / 4, between the first and the last.
double calc_order(const std::array<double, 3>& errors) {
  return 0.5 * std::log2(errors[0] / errors[2]);
}

std::array<double, 3> calc_errors(const std::string& method, const std::string& text, const std::string& signal,
                                  double exact, const std::array<double, 3>& steps, double duration = 0.8) {
  std::array<double, 3> errors = {};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const RunResult run = test::run_text(
        "order",
        fmt::format("[method]\ntype = \"{}\"\n[time]\nduration = {}\nstep = {}\n", method, duration, steps[i]) + text);
    EXPECT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    EXPECT_EQ(run.summary.audit.at("unconverged"), 0) << steps[i];
    errors[i] = std::abs(run.signal(signal).back() - exact);
  }
  return errors;
}

/// Classical Runge-Kutta with steps of 1 us of x'' = f(x), until `end`; where x falls below `wall`, x' rebounds with e.
double integrate(const std::function<double(double)>& f, double x, double v, double end, double wall, double e) {
  const int count = 800000;
  const double h = end / count;
  const auto step = [&](double dt) {
    const double a1 = f(x), a2 = f(x + dt / 2 * v), a3 = f(x + dt / 2 * v + dt * dt / 4 * a1),
                 a4 = f(x + dt * v + dt * dt / 2 * a2);
    x += dt * v + dt * dt / 6 * (a1 + a2 + a3);
    v += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  };
  for (int i = 0; i < count; ++i) {
    const double x_before = x, v_before = v;
    step(h);
    if (x >= wall) continue;
    // The time to the wall by Newton's method, within the step.
    double dt = (wall - x_before) / v_before;
    for (int k = 0; k < 5; ++k) {
      x = x_before, v = v_before;
      step(dt);
      dt -= (x - wall) / v;
    }
    x = wall, v = -e * v;
    step(h - dt);
  }
  return x;
}

class ContactOrder : public testing::TestWithParam<std::tuple<const char*, double>> {
 protected:
  std::string method() const { return std::get<0>(GetParam()); }
  double order() const { return std::get<1>(GetParam()); }
  /// The order within a fifth: the next term of the error is that small at these steps.
  static void expect_order(double order, const std::array<double, 3>& errors) {
    EXPECT_NEAR(calc_order(errors), order, 0.2)
        << fmt::format("errors {:.3g} {:.3g} {:.3g}", errors[0], errors[1], errors[2]);
  }
};
INSTANTIATE_TEST_SUITE_P(Formulations, ContactOrder,
                         testing::Values(std::tuple("cone", 2.0), std::tuple("stewart_trinkle", 1.0),
                                         std::tuple("anitescu_potra", 1.0), std::tuple("berard", 1.0),
                                         std::tuple("geometric_implicit", 1.0)));

// A ball on a massless arm falls from 60 degrees against a wall below its bearing and rebounds with e = 0.7, three
// times. angle'' = -g / l sin(angle); the wall stands where the angle is 0.
TEST_P(ContactOrder, OfImpacts) {
  const double g = 9.81, l = 0.5;
  const double exact = integrate([&](double x) { return -g / l * std::sin(x); }, M_PI / 3, 0, 0.8, 0, 0.7);
  expect_order(order(), calc_errors(method(), R"(
[world]
gravity = [0, 0, -9.81]
[contact.default]
restitution = 0.7
[body.wall]
fixed = true
position = [-0.05, 0, 0]
shape = { type = "halfspace", normal = [1, 0, 0] }
[body.ball]
mass = 1
inertia = 1e-12
shape = { type = "sphere", radius = 0.05 }
[joint.arm]
type = "revolute"
child = "ball"
axis = [0, -1, 0]
child_at = [0, 0, 0.5]
position = 1.0471975511965976
)",
                                    "arm.position", exact, {4e-3, 2e-3, 1e-3}));
}

// A block on a slope of 30 degrees that is thrown upwards: it slides up, turns, and slides down with mu = 0.3.
// a = -g (sin +- mu cos); all of it constant but for the instant at which it turns, which lies a third, two thirds and
// again a third within a step. Friction of a step in which slip turns has one sign: all formulations are of first
// order.
TEST_P(ContactOrder, OfSlidingThatTurnsRound) {
  const double g = 9.81, sine = 0.5, cosine = std::sqrt(3) / 2, mu = 0.3, t = 0.8;
  const double up = g * (sine + mu * cosine), down = g * (sine - mu * cosine);
  const double turn = (68 + 1.0 / 3) * 4e-3, v0 = up * turn;
  const double exact = v0 * v0 / (2 * up) - 0.5 * down * (t - turn) * (t - turn);
  // Gravity leans instead of the slope: x is along it.
  expect_order(1, calc_errors(method(),
                              fmt::format(R"(
[world]
gravity = [{:.17g}, 0, {:.17g}]
[contact.default]
friction = 0.3
[body.floor]
fixed = true
shape = {{ type = "halfspace", normal = [0, 0, 1] }}
[body.block]
mass = 1
position = [0, 0, 0.05]
velocity = [{:.17g}, 0, 0]
shape = {{ type = "box", size = [0.4, 0.3, 0.1] }}
)",
                                          -g * sine, -g * cosine, v0),
                              "block.position.x", exact, {4e-3, 2e-3, 1e-3}));
}

// A ball rolls in a pipe without slipping: (R - r) angle'' = -5/7 g sin(angle).
TEST_P(ContactOrder, OfRollingInAPipe) {
  const double g = 9.81, R = 1, r = 0.1, start = 0.5;
  const double angle = integrate([&](double x) { return -5.0 / 7 * g / (R - r) * std::sin(x); }, start, 0, 0.8, -10, 0);
  expect_order(order(), calc_errors(method(),
                                    fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
[contact.default]
friction = 0.8
[body.pipe]
fixed = true
shape = {{ type = "hollow_cylinder", radius = 1, axis = [0, 1, 0] }}
[body.ball]
mass = 2
position = [{:.17g}, 0, {:.17g}]
shape = {{ type = "sphere", radius = 0.1 }}
)",
                                                (R - r) * std::sin(start), -(R - r) * std::cos(start)),
                                    "ball.position.x", (R - r) * std::sin(angle), {4e-3, 2e-3, 1e-3}));
}

// A rod falls over its tip, a ball that rolls on the floor: with l from the tip's centre to the middle and r the radius
//     A w' = -m g l cos(angle) - m r l cos(angle) w^2,   A = m (r^2 + 2 r l sin(angle) + l^2) + I
TEST_P(ContactOrder, OfATipThatSticks) {
  const double g = 9.81, m = 1, l = 0.25, r = 0.05, inertia = 0.02, end = 0.2;
  double angle = M_PI / 3, w = 0;
  const auto rate = [&](double x, double speed) {
    const double A = m * (r * r + 2 * r * l * std::sin(x) + l * l) + inertia;
    return -m * l * std::cos(x) * (g + r * speed * speed) / A;
  };
  const int count = 20000;
  const double dt = end / count;
  for (int i = 0; i < count; ++i) {
    const double a1 = rate(angle, w), w2 = w + dt / 2 * a1, a2 = rate(angle + dt / 2 * w, w2);
    const double w3 = w + dt / 2 * a2, a3 = rate(angle + dt / 2 * w2, w3), w4 = w + dt * a3;
    const double a4 = rate(angle + dt * w3, w4);
    angle += dt / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  expect_order(order(), calc_errors(method(), R"(
[world]
gravity = [0, -9.81, 0]
[contact.default]
friction = 5
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 1, 0] }
[body.rod]
planar = true
mass = 1
inertia = 0.02
position = [0, 0.26650635094610964, 0]
orientation = { axis = [0, 0, 1], angle = 1.0471975511965976 }
shape = { type = "capsule", axis = [1, 0, 0], length = 0.5, radius = 0.05 }
)",
                                    "rod.angular_velocity.z", w, {4e-3, 2e-3, 1e-3}, end));
}

// Three links that spin and fold in free flight: no torque acts, so their energy stays. Joints turn the masses of each
// other, by which forces taken at the start of a step feed energy (more than a tenth of it in these 0.4 s).
class JointedFlight : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formulations, JointedFlight,
                         testing::Values("cone", "stewart_trinkle", "anitescu_potra", "berard", "geometric_implicit"));
TEST_P(JointedFlight, KeepsItsEnergyToSecondOrder) {
  const std::string links = R"(
[world]
gravity = [0, 0, 0]
[contact.default]
[body.a]
density = 1000
angular_velocity = [6, -4, 8]
shape = { type = "box", size = [0.2, 0.06, 0.04] }
[body.b]
density = 1000
shape = { type = "box", size = [0.2, 0.06, 0.04] }
[body.c]
density = 1000
shape = { type = "box", size = [0.2, 0.06, 0.04] }
[joint.ab]
type = "spherical"
parent = "a"
child = "b"
at = [0.1, 0, 0]
child_at = [-0.1, 0, 0]
[joint.bc]
type = "revolute"
parent = "b"
child = "c"
at = [0.1, 0, 0]
child_at = [-0.1, 0, 0]
axis = [0, 1, 0.3]
[contact."a/b"]
touch = false
[contact."b/c"]
touch = false
[contact."a/c"]
touch = false
)";
  std::array<double, 2> errors = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const RunResult run = test::run_text(
        "links",
        fmt::format("[method]\ntype = \"{}\"\n[time]\nduration = 0.4\nstep = {}\n", GetParam(), i == 0 ? 2e-3 : 1e-3) +
            links);
    const auto& total = run.signal("energy.total");
    for (const double energy : total) errors[i] = std::max(errors[i], std::abs(energy / total[0] - 1));
  }
  EXPECT_LT(errors[0], 1e-2);  // what the physics fuzz calls wrong
  EXPECT_LT(errors[1], 0.3 * errors[0]);
}

// Coins lose nothing as long as nothing that takes energy is modelled: one that wobbles down on its rim (Euler's disc,
// in steady motion at 30 degrees), and one that rolls upright in a circle. The bar is that of a user who looks at the
// decay: 1e-3 in 3 s.
TEST(RollingCoins, KeepTheirEnergy) {
  const std::string scene = R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 3
step = 1e-3
[method]
type = "cone"
[contact.default]
friction = 0.8
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.coin]
mass = 0.2
shape = { type = "cylinder", radius = 0.05, length = 0.004 }
)";
  const std::array<std::string, 2> starts = {
      "position = [0, 0, 0.026732050807568877]\norientation = { axis = [0, 1, 0], angle = 0.52359877559829882 }\n"
      "velocity = [0, 0.039618177646126018, 0]\nangular_velocity = [-17.155174146594955, 0, 9.9045444115315036]\n",
      "position = [0, 0, 0.04994988612258]\norientation = { axis = [1, 0, 0], angle = 1.4708 }\n"
      "velocity = [0.5, 0, 0]\nangular_velocity = [0, 10, 0]\n"};
  for (const std::string& start : starts) {
    const RunResult run = test::run_text("coin", scene + start);
    EXPECT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    const auto& total = run.signal("energy.total");
    // From where it has begun to roll: the second start slips for some steps.
    const double reference = total[total.size() / 100];
    for (std::size_t i = total.size() / 100; i < total.size(); ++i)
      ASSERT_NEAR(total[i], reference, 1e-3 * reference) << run.times[i];
  }
}

}  // namespace
}  // namespace stiction
