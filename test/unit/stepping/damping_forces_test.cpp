// Forces that depend on velocities, in steps of cone: the implicit midpoint rule, with contact and without.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

struct DampedRun {
  DampedRun(const std::string& text, double step, int steps) {
    Scene scene = read_scene(SceneText{{{"damped.toml", text}}, {}});
    scene.method.step = step;
    const System system = compile(scene);
    const auto stepper = make_stepper(system, scene.method);
    state = system.initial;
    for (int i = 0; i < steps; ++i) {
      const StepReport report = stepper->step(state, 1e9);
      EXPECT_EQ(report.status, StepStatus::ok) << report.message;
      unconverged += report.contact.unconverged;
      for (const StepEvent& event : report.events) {
        if (event.kind == "impact" && touch == 0) touch = event.t;
      }
    }
  }
  State state;
  int unconverged = 0;
  double touch = 0;
};

/// A finger of 0.5 kg on a slider, at 5 mm from a wall; its motor wants 50 mm/s with the gain kd.
std::string make_finger(double kd) {
  return fmt::format(R"(
[time]
duration = 10
[method]
type = "cone"
[contact.default]
friction = 0.4
[body.wall]
fixed = true
position = [0.015, 0, 0]
shape = {{ type = "halfspace", normal = [-1, 0, 0] }}
[body.finger]
mass = 0.5
inertia = 1e-4
shape = {{ type = "sphere", radius = 0.01 }}
[joint.slide]
type = "prismatic"
child = "finger"
axis = [1, 0, 0]
[motor.close]
joint = "slide"
velocity = 0.05
derivative = {}
)",
                     kd);
}

// v0 - v falls by (1 - a) / (1 + a) a step, a = kd h / 2 m: whatever a is, it falls.
TEST(DampingForces, FollowTheMidpointRule) {
  for (const double kd : {400.0, 4e4}) {
    const double h = 5e-4, a = kd * h / (2 * 0.5), ratio = (1 - a) / (1 + a);
    const DampedRun run(make_finger(kd), h, 20);
    EXPECT_EQ(run.unconverged, 0);
    EXPECT_NEAR(run.state.v[0], 0.05 * (1 - std::pow(ratio, 20)), 1e-11) << kd;
  }
}

// The sum of these is the time constant m / kd itself: the finger touches at 0.005 / 0.05 s + 1.25 ms, to 1e-9 of its
// size of 17 mm at 50 mm/s.
TEST(DampingForces, AMotorClosesAGapInTime) {
  const DampedRun run(make_finger(400), 5e-4, 220);
  EXPECT_NEAR(run.touch, 0.10125, 1e-9);
}

// A motor pushes a block over a rough floor: at rest of all transients kd (v_set - v) = mu m g, exactly.
TEST(DampingForces, HoldAVelocityAgainstFriction) {
  for (const double kd : {500.0, 2e4}) {
    const DampedRun run(fmt::format(R"(
[world]
gravity = [0, 0, -10]
[time]
duration = 10
[method]
type = "cone"
[contact.default]
friction = 0.25
[body.floor]
fixed = true
shape = {{ type = "halfspace", normal = [0, 0, 1] }}
[body.carriage]
mass = 1
inertia = 1e-3
[joint.slide]
type = "prismatic"
child = "carriage"
at = [0, 0, 0.1]
axis = [1, 0, 0]
[body.block]
mass = 2
inertia = 1e-3
shape = {{ type = "sphere", radius = 0.1 }}
[joint.lower]
type = "prismatic"
parent = "carriage"
child = "block"
axis = [0, 0, 1]
[motor.push]
joint = "slide"
velocity = 0.05
derivative = {}
)",
                                    kd),
                        1e-3, 200);
    EXPECT_EQ(run.unconverged, 0);
    // In force to 1e-8 N: the solver's tolerance.
    EXPECT_NEAR(kd * (0.05 - run.state.v[0]), 0.25 * 2 * 10, 1e-8) << kd;
  }
}

}  // namespace
}  // namespace stiction
