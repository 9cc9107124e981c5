// Friction of joints that grows with their load; closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_text;

/// A method with its settings, and the form of the joints.
class LoadFriction : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  static bool is_rigid() { return std::string(GetParam().first) != "smooth"; }
  static RunResult run_scene(const std::string& world, const std::string& joint, const std::string& step = "1e-4",
                             const std::string& duration = "1") {
    const auto [method, form] = GetParam();
    return run_text(fmt::format("load_{}_{}", method, form),
                    fmt::format("{}\n[time]\nduration = {}\nstep = {}\noutput = 0.01\n[method]\ntype = \"{}\"\n"
                                "integrator = \"rk4\"\njoints = \"{}\"\n[body.rotor]\nmass = 3\ninertia = [0.05, 0.02, "
                                "0.05]\n{}\n",
                                world, duration, step, method, form, joint));
  }
  static RunResult run_unbalanced(const std::string& step, const std::string& load_time) {
    return run_scene("[world]\ngravity = [0, 0, 0]",
                     "[joint.bearing]\ntype = \"revolute\"\nchild = \"rotor\"\naxis = [0, 1, 0]\n"
                     "child_at = [0.1, 0, 0]\nvelocity = 10\nload_friction = 0.02\nload_time = " +
                         load_time,
                     step);
  }
};

/// The rigid methods among them.
class RigidLoadFriction : public LoadFriction {};

const auto rigid_rows =
    testing::Values(std::pair("cone", "tree"), std::pair("cone", "constraint"), std::pair("stewart_trinkle", "tree"),
                    std::pair("stewart_trinkle", "constraint"), std::pair("berard", "tree"),
                    std::pair("anitescu_potra", "constraint"), std::pair("geometric_implicit", "tree"));
const auto name_row = [](const auto& row) { return std::string(row.param.first) + "_" + row.param.second; };
INSTANTIATE_TEST_SUITE_P(Integrated, LoadFriction,
                         testing::Values(std::pair("smooth", "tree"), std::pair("smooth", "constraint")), name_row);
INSTANTIATE_TEST_SUITE_P(Rigid, LoadFriction, rigid_rows, name_row);
INSTANTIATE_TEST_SUITE_P(Rigid, RigidLoadFriction, rigid_rows, name_row);

// A balanced rotor on a horizontal axis: the bearing bears m g, friction is mu r m g, and the speed falls linearly.
// Bristles at 10 rad/s are as good as sliding; charging them takes mu r m g / sigma_0, a turn of 1 mrad.
TEST_P(LoadFriction, ABalancedRotorSlowsDownLinearly) {
  const double mu_r = 0.2 * 0.01, alpha = mu_r * 3 * 9.81 / 0.02;
  const RunResult run = run_scene("[world]\ngravity = [0, 0, -9.81]",
                                  "[joint.bearing]\ntype = \"revolute\"\nchild = \"rotor\"\naxis = [0, 1, 0]\n"
                                  "velocity = 10\nload_friction = 0.002");
  // The load is constant: rigid methods have no error but rounding.
  EXPECT_NEAR(run.signal("bearing.velocity").back(), 10 - alpha, is_rigid() ? 1e-9 : 2e-3);
  EXPECT_NEAR(run.signal("energy.friction").back() + run.signal("energy.kinetic").back(), 1, is_rigid() ? 1e-9 : 1e-4);
}

/// k = mu r m e / I and c of the next test.
constexpr double eccentricity = 0.1, inertia_about_axis = 0.02 + 3 * eccentricity * eccentricity,
                 coupling = 0.02 * 3 * eccentricity / inertia_about_axis;
double unbalanced_speed(double t) {
  const double c = coupling / std::sqrt(1 - coupling * coupling), w0 = 10;
  return w0 / (1 + c * w0 * t);
}

// An unbalanced rotor, no gravity: the bearing bears m e (w^2, dw/dt), so that with k = mu r m e / I
// dw/dt = -k sqrt(w^4 + (dw/dt)^2) = -c w^2, c = k / sqrt(1 - k^2): w = w_0 / (1 + c w_0 t). I is about the axis. The
// load lags by 1 ms, in which it falls by 2 c w / 1000.
TEST_P(LoadFriction, AnUnbalancedRotorSlowsDownHyperbolically) {
  const RunResult run = run_unbalanced("1e-4", "1e-3");
  const auto& w = run.signal("bearing.velocity");
  for (const std::size_t i : {20u, 50u, 100u})
    EXPECT_NEAR(w[i], unbalanced_speed(run.times[i]), 3e-3 * unbalanced_speed(run.times[i])) << i;
}

// The same with a load that does not lag: in rigid methods the friction of a step has the load of its start, which is
// of first order. cone has no other error of that order: with d = w - w_exact,
//     dd/dt = -2 c w d - c^2 w^3 h,   d(t) = -c h w^2 ln(1 + c w_0 t)
TEST_P(RigidLoadFriction, TheLagIsOfFirstOrder) {
  const auto error = [&](const std::string& step) {
    return run_unbalanced(step, "1e-7").signal("bearing.velocity").back() - unbalanced_speed(1);
  };
  const double coarse = error("2e-3"), fine = error("1e-3");
  EXPECT_NEAR(coarse / fine, 2, 0.1);
  if (std::string(GetParam().first) != "cone") return;
  const double c = coupling / std::sqrt(1 - coupling * coupling), w = unbalanced_speed(1);
  EXPECT_NEAR(fine, -c * 1e-3 * w * w * std::log(1 + c * 10), 0.1e-3);
}

// A slide bears m g across its axis, whatever pulls along it: a = F/m - mu g.
TEST_P(LoadFriction, ASlideFeelsTheForceAcrossItsAxis) {
  const RunResult run = run_scene("[world]\ngravity = [0, 0, -9.81]",
                                  "[joint.guide]\ntype = \"prismatic\"\nchild = \"rotor\"\naxis = [1, 0, 0]\n"
                                  "velocity = 1\nload_friction = 0.3\n[motor.m]\njoint = \"guide\"\neffort = 12");
  EXPECT_NEAR(run.signal("guide.velocity").back(), 1 + 12 / 3.0 - 0.3 * 9.81, is_rigid() ? 1e-9 : 1e-3);
}

// It holds what it can: below mu m g = 8.83 N the slide does not move.
TEST_P(LoadFriction, ASlideSticksBelowTheBound) {
  const RunResult run = run_scene("[world]\ngravity = [0, 0, -9.81]",
                                  "[joint.guide]\ntype = \"prismatic\"\nchild = \"rotor\"\naxis = [1, 0, 0]\n"
                                  "load_friction = 0.3\n[motor.m]\njoint = \"guide\"\neffort = 8.7");
  // Bristles give way by presliding: 0.1 mm.
  EXPECT_NEAR(run.signal("guide.position").back(), 0, is_rigid() ? 1e-12 : 2e-4);
  // Of the motor and of friction together.
  EXPECT_NEAR(run.signal("guide.force").back(), 0, is_rigid() ? 1e-9 : 0.1);
}

/// A slide under the rigid methods and what touches it.
class LoadedSlide : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  static RunResult run_slide(const std::string& gravity, const std::string& slide, const std::string& rest) {
    const auto [method, form] = GetParam();
    return run_text(fmt::format("loaded_slide_{}_{}", method, form),
                    fmt::format("[world]\ngravity = [0, 0, {}]\n[time]\nduration = 0.5\nstep = 1e-3\noutput = 0.01\n"
                                "[method]\ntype = \"{}\"\njoints = \"{}\"\n[body.slide]\nmass = 2\ninertia = 0.1\n"
                                "{}\n{}\n",
                                gravity, method, form, slide, rest));
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, LoadedSlide,
                         testing::Values(std::pair("cone", "tree"), std::pair("cone", "constraint"),
                                         std::pair("stewart_trinkle", "tree"), std::pair("berard", "constraint"),
                                         std::pair("anitescu_potra", "tree"), std::pair("geometric_implicit", "tree"),
                                         std::pair("geometric_implicit", "constraint")),
                         [](const auto& row) { return std::string(row.param.first) + "_" + row.param.second; });

// A block of 3 kg sticks to a platform of 2 kg on a guide with mu = 0.1: both slow down with mu g, as the guide bears
// the weight of both. The load starts without the contact and follows within load_time = 1 ms, in which 3/5 of the
// friction are missing: 3/5 mu g load_time of the speed, at most.
TEST_P(LoadedSlide, TheGuideBearsWhatRestsOnIt) {
  const RunResult run = run_slide(
      "-9.81", "position = [0, 0, 0.5]\nshape = { type = \"box\", size = [1, 1, 0.1] }",
      "[joint.guide]\ntype = \"prismatic\"\nchild = \"slide\"\naxis = [1, 0, 0]\nvelocity = 1\nload_friction = 0.1\n"
      "[body.block]\nmass = 3\nposition = [0, 0, 0.6]\nvelocity = [1, 0, 0]\n"
      "shape = { type = \"box\", size = [0.2, 0.2, 0.1] }\n[contact.default]\nfriction = 0.5");
  const double g = 9.81, mu = 0.1;
  EXPECT_NEAR(run.signal("guide.velocity").back(), 1 - mu * g * 0.5, 0.6 * mu * g * 2e-3);
  // What the guide transmits: up the weight of both, back what slows both down.
  EXPECT_NEAR(run.signal("guide.reaction.force.z").back(), 5 * g, 1e-6);
  EXPECT_NEAR(run.signal("guide.force").back(), -mu * 5 * g, 1e-6);
}

// A ball of 0.5 kg hits a slide of 2 kg across its guide with 4 m/s, e = 0.5: the guide takes p = 0.5 * 4 * 1.5 =
// 3 N s, and its friction mu p of the slide's momentum, within some load_time.
TEST_P(LoadedSlide, AnImpactAcrossTheGuideSlowsTheSlide) {
  const RunResult run = run_slide(
      "0", "shape = { type = \"sphere\", radius = 0.1 }",
      "[joint.guide]\ntype = \"prismatic\"\nchild = \"slide\"\naxis = [1, 0, 0]\nvelocity = 1\nload_friction = 0.2\n"
      "[body.ball]\nmass = 0.5\nposition = [0, -0.2405, 0]\nvelocity = [1, 4, 0]\n"
      "shape = { type = \"sphere\", radius = 0.1 }\n[contact.default]\nrestitution = 0.5");
  EXPECT_NEAR(run.signal("ball.velocity.y").back(), -2, 1e-9);
  EXPECT_NEAR(run.signal("guide.velocity").back(), 1 - 0.2 * 3 / 2, 1e-9);
}

}  // namespace
}  // namespace stiction
