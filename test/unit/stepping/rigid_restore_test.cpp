// The state is all that a rigid step takes over from the steps before: a copy of it goes on as the original does, with
// another stepper, as in another process, and beside other states with the same one.
#include <gtest/gtest.h>

#include <numbers>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

// One ball slides and rolls, one falls and bounces, one rests on the floor and, where sleeping is on, sleeps; a box
// rests on four contacts, whose forces the warm start decides about.
constexpr const char* restored_scene = R"(
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
[body.third]
density = 800
position = [5, 0, 0.05]
shape = { type = "sphere", radius = 0.05 }
[body.box]
density = 800
position = [6, 0, 0.05]
shape = { type = "box", size = [0.2, 0.1, 0.1] }
)";

struct RestoredScene {
  explicit RestoredScene(const std::string& type, double sleep = 0)
      : scene(read_scene(SceneText{{{"restored.toml", restored_scene}}, {"method.type=\"" + type + "\""}})) {
    scene.method.step = scene.time.step;
    scene.method.sleep = sleep;
    system = compile(scene);
  }
  Scene scene;
  System system;
};

void take_steps(Stepper& stepper, State& state, int count) {
  for (int i = 0; i < count; ++i) {
    const StepReport report = stepper.step(state, 1e9);
    ASSERT_EQ(report.status, StepStatus::ok) << report.message;
  }
}

class RigidRestore : public testing::TestWithParam<std::tuple<const char*, double>> {};

INSTANTIATE_TEST_SUITE_P(Formulations, RigidRestore,
                         testing::Combine(testing::Values("cone", "stewart_trinkle", "anitescu_potra"),
                                          testing::Values(0.0, 0.05)));

// The hash is over all of a state.
TEST_P(RigidRestore, ACopyGoesOnBitForBitWithAnotherStepper) {
  const RestoredScene restored(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const auto whole = make_stepper(restored.system, restored.scene.method);
  State state = restored.system.initial;
  take_steps(*whole, state, 150);
  State copy = state;
  const auto other = make_stepper(restored.system, restored.scene.method);
  for (int i = 0; i < 150; ++i) {
    take_steps(*whole, state, 1);
    take_steps(*other, copy, 1);
    ASSERT_EQ(calc_hash(state), calc_hash(copy)) << "step " << i;
  }
}

// A state of long ago and one of now by turns, and both come to where they come alone.
TEST_P(RigidRestore, OneStepperAdvancesSeveralStatesByTurns) {
  const RestoredScene restored(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const auto stepper = make_stepper(restored.system, restored.scene.method);
  State early = restored.system.initial, late;
  take_steps(*stepper, early, 100);
  late = early;
  take_steps(*stepper, late, 100);
  State early_alone = early, late_alone = late;
  take_steps(*stepper, early_alone, 50);
  take_steps(*stepper, late_alone, 50);
  for (int i = 0; i < 50; ++i) {
    take_steps(*stepper, early, 1);
    take_steps(*stepper, late, 1);
  }
  EXPECT_EQ(calc_hash(early), calc_hash(early_alone));
  EXPECT_EQ(calc_hash(late), calc_hash(late_alone));
}

// What a contact remembers decides about the next step: two states that differ in nothing else have different hashes.
TEST(RigidRestoreMemory, IsHashed) {
  const RestoredScene restored("cone");
  const auto stepper = make_stepper(restored.system, restored.scene.method);
  State state = restored.system.initial;
  take_steps(*stepper, state, 10);
  ASSERT_GT(state.memory.size(), 1u);
  State other = state;
  other.memory.back() += 1;
  EXPECT_NE(calc_hash(state), calc_hash(other));
}

TEST(RigidRestoreMemory, OfAnotherSceneIsRefused) {
  const RestoredScene restored("cone"), sleeping("cone", 0.05);
  const auto stepper = make_stepper(restored.system, restored.scene.method);
  const auto sleeper = make_stepper(sleeping.system, sleeping.scene.method);
  State state = restored.system.initial;
  take_steps(*sleeper, state, 10);
  const std::string before = calc_hash(state);
  const StepReport report = stepper->step(state, 1e9);
  EXPECT_EQ(report.status, StepStatus::diverged);
  EXPECT_NE(report.message.find("another scene"), std::string::npos) << report.message;
  EXPECT_EQ(calc_hash(state), before);
  for (const std::vector<double>& memory : std::vector<std::vector<double>>{{-1}, {1}, {NAN}, {1e300}, {0, 1}}) {
    state.memory = memory;
    EXPECT_EQ(stepper->step(state, 1e9).status, StepStatus::diverged);
  }
  // Contacts that there cannot be, or no numbers: 0 is the floor, 1 to 4 are the bodies, 5 nothing.
  state = restored.system.initial;
  take_steps(*stepper, state, 10);
  const std::vector<double> good = state.memory;
  ASSERT_GT(good.size(), 17u);
  const auto expect_refused = [&](Stepper& with, std::size_t index, double number) {
    state.memory[index] = number;
    EXPECT_EQ(with.step(state, 1e9).status, StepStatus::diverged) << "number " << index << " = " << number;
  };
  for (const double shape : {0.0, 5.0, -1.0, 1e300, std::nan("")})  // the second shape of the first contact
    state.memory = good, expect_refused(*stepper, 2, shape);
  for (const auto& [index, number] : std::vector<std::pair<std::size_t, double>>{{3, 1e10}, {5, 3}, {5, -1}, {6, NAN}})
    state.memory = good, expect_refused(*stepper, index, number);
  // Of those that sleep, too: their last record begins 18 numbers before the end.
  State asleep = sleeping.system.initial;
  take_steps(*sleeper, asleep, 200);
  state = asleep;
  const std::vector<double> dormant = state.memory;
  for (const double number : {-1.0, 5.0, std::nan("")})
    state.memory = dormant, expect_refused(*sleeper, dormant.size() - 18, number);
  // Without any memory it is as good a start as others.
  state = restored.system.initial;
  state.memory.clear();
  take_steps(*stepper, state, 10);
}

// A wheel on a joint in constraint form turns at 4 rad/s: after 5 s by 20 rad, more than three whole turns.
TEST(RigidRestoreMemory, WholeTurnsOfJointsInConstraintFormAreCounted) {
  for (const char* type : {"cone", "stewart_trinkle", "anitescu_potra"}) {
    SceneText text;
    text.files.push_back({"wheel.toml", R"(
[time]
duration = 5
step = 0.01
[method]
joints = "constraint"
[body.wheel]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint.axle]
type = "revolute"
child = "wheel"
axis = [0, 0, 1]
velocity = 4
)"});
    text.overrides.push_back(std::string("method.type=\"") + type + "\"");
    Scene scene = read_scene(text);
    scene.method.step = scene.time.step;
    const System system = compile(scene);
    const auto stepper = make_stepper(system, scene.method);
    State state = system.initial;
    take_steps(*stepper, state, 500);
    ASSERT_EQ(system.named_joints.size(), 1u);
    // 500 turns of 0.04 rad, each exact to rounding.
    EXPECT_NEAR(state.z[system.named_joints[0].turns_start], 20, 1e-11) << type;
  }
}

}  // namespace
}  // namespace stiction
