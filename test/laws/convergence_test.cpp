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
                                  double exact, const std::array<double, 3>& steps) {
  std::array<double, 3> errors = {};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const RunResult run = test::run_text(
        "order", fmt::format("[method]\ntype = \"{}\"\n[time]\nduration = 0.8\nstep = {}\n", method, steps[i]) + text);
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
                                         std::tuple("anitescu_potra", 1.0), std::tuple("berard", 1.0)));

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

}  // namespace
}  // namespace stiction
