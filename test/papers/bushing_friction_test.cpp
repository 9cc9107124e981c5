// A bushing with dry friction against closed forms, in every formulation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

const double mass = 2, friction = 4, tolerance = 0.01;  // kg, N, m/s

/// A block on a rail, held by friction alone.
std::string make_block(const std::string& method, double duration, double velocity, double push) {
  return fmt::format(R"(
[world]
gravity = [0, 0, 0]
[time]
duration = {}
step = 1e-4
output = 1e-2
[method]
{}
[body.block]
mass = {}
shape = {{ type = "sphere", radius = 0.1 }}
[joint.rail]
type = "prismatic"
child = "block"
axis = [1, 0, 0]
velocity = {}
[force.push]
body = "block"
force = [{}, 0, 0]
[spring.drag]
type = "bushing"
b = "block"
stiffness_matrix = [0, 0, 0, 0, 0, 0]
friction = [0, 0, 0, {}, 0, 0]
tolerance_velocity = {}
)",
                     duration, method, mass, velocity, push, friction, tolerance);
}

struct Method {
  std::string text;
  bool first_order;
};
const Method methods[] = {
    {"type = \"smooth\"\nintegrator = \"semi_implicit_euler\"", true},
    {"type = \"smooth\"\nintegrator = \"rk4\"", false},
    {"type = \"smooth\"\nintegrator = \"dormand_prince\"", false},
    {"type = \"smooth\"\nintegrator = \"cvode_bdf\"", false},
    {"type = \"cone\"", false},
    {"type = \"stewart_trinkle\"", true},
    {"type = \"anitescu_potra\"", true},
};

// From v0 it slows down by friction / m to v_eps = tolerance, and from there on by friction (3/2 r - 1/2 r^3) / m, r =
// v / v_eps:
//     x = m (v0^2 - v_eps^2) / (2 friction) + (m v_eps^2 / friction) int_0^1 2 dr / (3 - r^2),
// the integral being (2 / sqrt 3) artanh(1 / sqrt 3). All of m v0^2 / 2 is dissipated, never less than before.
TEST(BushingFriction, StopsABlock) {
  const double v0 = 1, root = std::sqrt(3.0);
  const double x = 0.5 * mass * (v0 * v0 - tolerance * tolerance) / friction +
                   mass * tolerance * tolerance / friction * 2 / root * std::atanh(1 / root);
  for (const auto& [method, first_order] : methods) {
    // After 0.505 s it is slower than v_eps, from where it decays with 3/2 friction / (m v_eps) = 300 1/s: e^-28.
    const RunResult run = test::run_text("stop", make_block(method, 0.6, v0, 0));
    ASSERT_EQ(run.summary.status, RunStatus::completed) << method;
    // Methods of first order err by h v0 / 2. `cone`, an explicit midpoint rule to this force, errs by z^2 / 4 of what
    // a decay of 300 1/s has left at v_eps, v_eps / 300 1/s, z = 300 1/s h, at most; the others by less.
    const double h = 1e-4, decay = 1.5 * friction / (mass * tolerance);
    const double error = first_order ? 0.5 * h * v0 : 0.25 * decay * h * decay * h * tolerance / decay;
    EXPECT_NEAR(run.signal("block.position.x").back(), x, 1.01 * error) << method;
    EXPECT_NEAR(run.signal("block.velocity.x").back(), 0, 1e-11) << method;
    // Books of first order take the power at the start of a step: they are wrong by friction times that error.
    const auto& dissipated = run.signal("energy.dissipated");
    EXPECT_NEAR(dissipated.back(), 0.5 * mass * v0 * v0, 1.01 * friction * error) << method;
    for (std::size_t i = 1; i < dissipated.size(); ++i) EXPECT_GE(dissipated[i], dissipated[i - 1]) << method;
    EXPECT_LT(run.summary.energy_worst_residual, 1.01 * friction * error) << method;
  }
}

// Pushed with half of the friction it creeps with r v_eps where 3/2 r - 1/2 r^3 = 1/2: r = 2 sin 10 degrees. Pushed
// with twice the friction it accelerates with friction / m.
TEST(BushingFriction, CreepsBelowAndGivesWayAbove) {
  const double r = 2 * std::sin(std::numbers::pi / 18);
  for (const Method& each : methods) {
    const std::string& method = each.text;
    const RunResult held = test::run_text("held", make_block(method, 0.3, 0, 0.5 * friction));
    EXPECT_NEAR(held.signal("block.velocity.x").back(), r * tolerance, 1e-10) << method;
    const RunResult moves = test::run_text("moves", make_block(method, 0.3, tolerance, 2 * friction));
    EXPECT_NEAR(moves.signal("block.velocity.x").back(), tolerance + friction / mass * 0.3, 1e-10) << method;
  }
}

}  // namespace
}  // namespace stiction
