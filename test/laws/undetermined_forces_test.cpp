// Forces that the laws of rigid contact leave open: those of least norm are taken, which are those of bodies that give
// a little, alike at every contact (solvers/cone/cone_least_norm.h). They follow closed forms, have the symmetries of
// the scene, stay as they are while nothing moves, and do not depend on how the rest was reached.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double g_open = 9.81;
/// A guess is taken as it is up to a residual of 1e-12 N s, which are 1e-9 N over 1 ms; ten times that.
constexpr double force_tolerance = 1e-8;

struct HeldScene {
  std::string shape = "type = \"sphere\", radius = 0.05";
  std::string start = "position = [0, 0, 0.05]";
  std::string effort = "20";
  double reach = 0;  ///< distance of the fingers from the body at the start
  double duration = 0.2, step = 1e-3, output = 0.01;
};

/// A body of 0.5 kg, 0.1 m wide, on a floor between two flat fingers that slide along x.
RunResult run_held(const HeldScene& scene) {
  std::string text = fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = {}
step = {}
output = {}
[method]
type = "cone"
[contact.default]
friction = 0.5
[contact."left/floor"]
touch = false
[contact."right/floor"]
touch = false
[body.floor]
fixed = true
shape = {{ type = "halfspace", normal = [0, 0, 1] }}
[body.held]
mass = 0.5
{}
shape = {{ {} }}
)",
                                 scene.duration, scene.step, scene.output, scene.start, scene.shape);
  for (const int side : {-1, 1}) {
    const char* name = side < 0 ? "left" : "right";
    text += fmt::format(R"(
[body.{0}]
mass = 0.5
inertia = 1e-3
shape = {{ type = "box", size = [0.02, 0.06, 0.06] }}
[joint.{0}_slide]
type = "prismatic"
child = "{0}"
at = [{1}, 0, 0.05]
axis = [{2}, 0, 0]
[motor.{0}]
joint = "{0}_slide"
effort = {3}
)",
                        name, side * (0.06 + scene.reach), -side, scene.effort);
  }
  const RunResult run = test::run_text("held", text);
  EXPECT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_EQ(run.summary.audit.at("unconverged"), 0);
  return run;
}

const std::vector<std::string> held_forces = {"contact.floor/held.force",    "contact.floor/held.friction",
                                              "contact.held/left.force",     "contact.held/left.friction",
                                              "contact.held/right.force",    "contact.held/right.friction",
                                              "contact.held/left.impulse.z", "contact.held/right.impulse.z"};

/// Least floor^2 + 2 f^2 with floor + 2 f = m g: all three m g / 3. Friction of the floor has nothing to do.
TEST(UndeterminedForces, ABallBetweenFingersRestsOnAllThreeAlikeForThirtySeconds) {
  const RunResult run = run_held({.duration = 30, .output = 0.1});
  const double third = 0.5 * g_open / 3;
  // The first sample is the start, before any impulse.
  for (const std::string& name : held_forces) {
    const auto& values = run.signal(name);
    for (std::size_t i = 2; i < values.size(); ++i)
      ASSERT_NEAR(values[i], values[1], force_tolerance) << name << " " << run.times[i];
  }
  EXPECT_NEAR(run.signal("contact.floor/held.force").back(), third, force_tolerance);
  EXPECT_NEAR(run.signal("contact.held/left.friction").back(), third, force_tolerance);
  EXPECT_NEAR(run.signal("contact.held/right.friction").back(), third, force_tolerance);
  EXPECT_NEAR(run.signal("contact.held/left.force").back(), 20, force_tolerance);
  // One component is open: what the floor bears and the fingers do not.
  EXPECT_EQ(run.summary.audit.at("undetermined"), 1);
  EXPECT_EQ(run.summary.audit.at("undetermined_left"), 0);
}

/// The same rest by other ways: fingers that come from afar, that press more or less before, a ball that falls between
/// them, other steps and recording intervals.
TEST(UndeterminedForces, DoNotDependOnHistory) {
  const double third = 0.5 * g_open / 3;
  const std::vector<HeldScene> histories = {
      {.reach = 0.005, .duration = 0.5},
      {.effort = "{ table = { times = [0.1, 0.3], values = [1, 20] } }", .duration = 0.5},
      {.effort = "{ table = { times = [0.1, 0.3], values = [60, 20] } }", .duration = 0.5},
      {.start = "position = [0, 0, 0.06]",
       .effort = "{ table = { times = [0.1, 0.3], values = [0, 20] } }",
       .reach = 0.001,
       .duration = 0.6},
      {.step = 2e-3, .output = 0.05},
      {.step = 5e-4, .output = 5e-4}};
  for (std::size_t k = 0; k < histories.size(); ++k) {
    const RunResult run = run_held(histories[k]);
    EXPECT_NEAR(run.signal("contact.floor/held.force").back(), third, force_tolerance) << k;
    EXPECT_NEAR(run.signal("contact.held/left.friction").back(), third, force_tolerance) << k;
    EXPECT_NEAR(run.signal("contact.held/right.friction").back(), third, force_tolerance) << k;
  }
}

/// With little grip friction ends at its cone, mu N, and the floor bears the rest.
TEST(UndeterminedForces, FrictionEndsAtItsCone) {
  const RunResult run = run_held({.effort = "2"});
  EXPECT_NEAR(run.signal("contact.held/left.friction").back(), 1, force_tolerance);
  EXPECT_NEAR(run.signal("contact.held/right.friction").back(), 1, force_tolerance);
  EXPECT_NEAR(run.signal("contact.floor/held.force").back(), 0.5 * g_open - 2, force_tolerance);
}

/// A can and a box in mirror-symmetric scenes. Statics: what the fingers and the floor bear is the weight.
TEST(UndeterminedForces, MirrorImagesHaveTheSameForces) {
  for (const char* shape :
       {"type = \"cylinder\", radius = 0.05, length = 0.1", "type = \"box\", size = [0.1, 0.1, 0.1]"}) {
    const RunResult run = run_held({.shape = shape, .duration = 0.4, .output = 0.1});
    const auto& left = run.signal("contact.held/left.friction");
    const auto& right = run.signal("contact.held/right.friction");
    const auto& floor = run.signal("contact.floor/held.force");
    for (std::size_t i = 1; i < left.size(); ++i) {
      EXPECT_NEAR(left[i], right[i], force_tolerance) << shape << " " << run.times[i];
      EXPECT_NEAR(left[i], left[1], force_tolerance) << shape;
      EXPECT_NEAR(floor[i], floor[1], force_tolerance) << shape;
    }
    const double lifted =
        run.signal("contact.held/left.impulse.z").back() + run.signal("contact.held/right.impulse.z").back();
    EXPECT_NEAR(std::abs(lifted) / 0.1 + floor.back(), 0.5 * g_open, force_tolerance) << shape;
    EXPECT_GT(run.summary.audit.at("undetermined"), 1) << shape;
  }
}

/// The gripper of examples/gripper.toml with flat fingers, which touch the box at four points each. Where all four bear
/// alike, friction holds the box against turning about the line between the fingers; where one bears all, it does not.
/// Friction is m (g + z'') / 2 a finger, with z = 0.1 (3 s^2 - 2 s^3), s = (t - 0.3) / 0.5; a record is the mean of the
/// step before.
TEST(UndeterminedForces, ABoxBetweenFlatFingersIsLiftedUpright) {
  const std::string flat = "{ type = \"box\", size = [0.02, 0.04, 0.04] }";
  const RunResult run = test::run_example(
      "gripper", {"body.left.shape=" + flat, "body.right.shape=" + flat, "contact.\"box/left\".ellipse=[1, 1, 0]",
                  "contact.\"box/right\".ellipse=[1, 1, 0]"});
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const double h = 5e-4;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const double t = run.times[i], mean = (t - 0.5 * h - 0.3) / 0.5;
    ASSERT_LT(run.signal("box.tilt")[i], 1e-9) << t;
    if (t < 0.302 || (t > 0.799 && t < 0.802)) continue;
    const double expected = t < 0.8 ? (g_open + 2.4 - 4.8 * mean) / 2 : g_open / 2;
    for (const char* pair : {"contact.box/left.friction", "contact.box/right.friction"})
      ASSERT_NEAR(run.signal(pair)[i], expected, 1e-6) << pair << " " << t;
  }
}

}  // namespace
}  // namespace stiction
