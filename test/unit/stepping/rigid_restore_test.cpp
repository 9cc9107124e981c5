// A stepper that goes on from a checkpoint, as another process does, and one that never stopped.
#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

// Balls among themselves have masses that are computed once: not from where a process happens to begin.
TEST(RigidRestore, BallsGoOnBitForBit) {
  SceneText text;
  text.files.push_back({"balls.toml", R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 1
step = 0.002
[method]
type = "cone"
[contact.default]
friction = 0.3
restitution = 0.4
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.first]
density = 800
position = [0, 0, 0.05]
velocity = [1, 0.1, 0]
angular_velocity = [3, -2, 5]
shape = { type = "sphere", radius = 0.05 }
[body.second]
density = 800
position = [0.3, 0.02, 0.08]
shape = { type = "sphere", radius = 0.05 }
)"});
  Scene scene = read_scene(text);
  scene.method.step = scene.time.step;
  const System system = compile(scene);
  const auto whole = make_stepper(system, scene.method);
  State state = system.initial;
  const auto go_on = [](Stepper& stepper, State& from) {
    for (int i = 0; i < 150; ++i) ASSERT_EQ(stepper.step(from, 1e9).status, StepStatus::ok);
  };
  go_on(*whole, state);
  State resumed = state;
  const auto other = make_stepper(system, scene.method);
  other->restore(resumed, whole->checkpoint(state));
  go_on(*whole, state);
  go_on(*other, resumed);
  EXPECT_EQ(state.q, resumed.q);
  EXPECT_EQ(state.v, resumed.v);
  EXPECT_EQ(state.z, resumed.z);
}

}  // namespace
}  // namespace stiction
