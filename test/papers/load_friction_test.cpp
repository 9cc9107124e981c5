// Friction of joints that grows with their load; closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_text;

class LoadFriction : public testing::TestWithParam<const char*> {
 protected:
  static RunResult run_scene(const std::string& name, const std::string& world, const std::string& joint) {
    return run_text(name + GetParam(),
                    fmt::format("{}\n[time]\nduration = 1\nstep = 1e-4\noutput = 0.01\n[method]\ntype = \"smooth\"\n"
                                "integrator = \"rk4\"\njoints = \"{}\"\n[body.rotor]\nmass = 3\ninertia = [0.05, 0.02, "
                                "0.05]\n{}\n",
                                world, GetParam(), joint));
  }
};

INSTANTIATE_TEST_SUITE_P(Forms, LoadFriction, testing::Values("tree", "constraint"),
                         [](const auto& form) { return std::string(form.param); });

// A balanced rotor on a horizontal axis: the bearing bears m g, friction is mu r m g, and the speed falls linearly.
// Bristles at 10 rad/s are as good as sliding; charging them takes mu r m g / sigma_0, a turn of 1 mrad.
TEST_P(LoadFriction, ABalancedRotorSlowsDownLinearly) {
  const double mu_r = 0.2 * 0.01, alpha = mu_r * 3 * 9.81 / 0.02;
  const RunResult run = run_scene("rotor", "[world]\ngravity = [0, 0, -9.81]",
                                  "[joint.bearing]\ntype = \"revolute\"\nchild = \"rotor\"\naxis = [0, 1, 0]\n"
                                  "velocity = 10\nload_friction = 0.002");
  EXPECT_NEAR(run.signal("bearing.velocity").back(), 10 - alpha, 2e-3);
  EXPECT_NEAR(run.signal("energy.friction").back() + run.signal("energy.kinetic").back(), 1, 1e-4);
}

// An unbalanced rotor, no gravity: the bearing bears m e (w^2, dw/dt), so that with k = mu r m e / I
// dw/dt = -k sqrt(w^4 + (dw/dt)^2) = -c w^2, c = k / sqrt(1 - k^2): w = w_0 / (1 + c w_0 t). I is about the axis. The
// load lags by 1 ms, in which it falls by 2 c w / 1000.
TEST_P(LoadFriction, AnUnbalancedRotorSlowsDownHyperbolically) {
  const double e = 0.1, I = 0.02 + 3 * e * e, k = 0.02 * 3 * e / I, c = k / std::sqrt(1 - k * k), w0 = 10;
  const RunResult run = run_scene("unbalanced", "[world]\ngravity = [0, 0, 0]",
                                  "[joint.bearing]\ntype = \"revolute\"\nchild = \"rotor\"\naxis = [0, 1, 0]\n"
                                  "child_at = [0.1, 0, 0]\nvelocity = 10\nload_friction = 0.02");
  const auto& w = run.signal("bearing.velocity");
  for (const std::size_t i : {20u, 50u, 100u}) {
    const double expected = w0 / (1 + c * w0 * run.times[i]);
    EXPECT_NEAR(w[i], expected, 3e-3 * expected) << i;
  }
}

// A slide bears m g across its axis, whatever pulls along it: a = F/m - mu g.
TEST_P(LoadFriction, ASlideFeelsTheForceAcrossItsAxis) {
  const RunResult run = run_scene("slide", "[world]\ngravity = [0, 0, -9.81]",
                                  "[joint.guide]\ntype = \"prismatic\"\nchild = \"rotor\"\naxis = [1, 0, 0]\n"
                                  "velocity = 1\nload_friction = 0.3\n[motor.m]\njoint = \"guide\"\neffort = 12");
  EXPECT_NEAR(run.signal("guide.velocity").back(), 1 + 12 / 3.0 - 0.3 * 9.81, 1e-3);
}

}  // namespace
}  // namespace stiction
