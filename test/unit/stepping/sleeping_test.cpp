// Sleeping through the Stepper's interface.
#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

#include "allocation_counter.h"

namespace stiction {
namespace {

constexpr double sleeping_step = 0.002;

/// Two boxes on each other, and a ball that rolls away from them.
Scene make_sleeping_stack(const std::string& type) {
  const std::string box = "shape = { type = \"box\", size = [0.1, 0.1, 0.1] }\nmass = 1\n";
  return read_scene(SceneText{
      {{"stack.toml", "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 10\nstep = 0.002\n[method]\ntype = \"" +
                          type +
                          "\"\nsleep = 0.1\n[contact.default]\nfriction = 0.5\nrestitution = 0\n"
                          "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
                          "[body.low]\nposition = [0, 0, 0.05]\n" +
                          box + "[body.top]\nposition = [0.01, 0, 0.15]\n" + box +
                          "[body.ball]\nmass = 1\nposition = [0.2, 0, 0.05]\nvelocity = [1, 0, 0]\n"
                          "angular_velocity = [0, 20, 0]\nshape = { type = \"sphere\", radius = 0.05 }\n"}},
      {}});
}

// As many allocations as the ball that rolls alone makes: none by sleepers. Eight contacts are recorded, and the
// ball's.
TEST(SleepingSteps, SleepersDoNotAllocate) {
  const Scene scene = make_sleeping_stack("cone");
  const System system = compile(scene);
  MethodSettings settings = scene.method;
  settings.step = sleeping_step;
  const auto stepper = make_stepper(system, settings);
  State state = system.initial;
  while (state.t < 0.2) ASSERT_EQ(stepper->step(state, 10).status, StepStatus::ok);
  const long before = test::count_allocations();
  for (int i = 0; i < 100; ++i) {
    const StepReport report = stepper->step(state, 10);
    ASSERT_EQ(report.contact.asleep, 2);
    ASSERT_EQ(report.contact.contacts, 1);
  }
  EXPECT_EQ(test::count_allocations(), before);
  EXPECT_EQ(stepper->contacts().size(), 9u);
}

// Balls that are stopped while they roll have quaternions fresh from a rotation: dividing them by their norms again
// would change last digits of some.
TEST(SleepingSteps, PositionsDoNotChangeByABit) {
  std::string text =
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 1\nstep = 0.002\n[method]\ntype = \"cone\"\nsleep = 0.05\n"
      "sleep_speed = 100\n[contact.default]\nfriction = 0.5\nrestitution = 0\n"
      "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n";
  constexpr int balls = 100;
  for (int i = 0; i < balls; ++i) {
    const std::string number = std::to_string(i), turn = std::to_string(1 + 0.37 * i);
    text += "[body.ball" + number + "]\nmass = 1\nposition = [0, " + number + ", 0.05]\nvelocity = [" +
            std::to_string(0.05 * (1 + 0.37 * i)) + ", 0, 0]\nangular_velocity = [0, " + turn + ", " + turn +
            "]\nshape = { type = \"sphere\", radius = 0.05 }\n";
  }
  const Scene scene = read_scene(SceneText{{{"balls.toml", text}}, {}});
  const System system = compile(scene);
  MethodSettings settings = scene.method;
  settings.step = sleeping_step;
  const auto stepper = make_stepper(system, settings);
  State state = system.initial;
  while (state.t < 0.0519) ASSERT_EQ(stepper->step(state, 1).contact.asleep, 0);
  const VecX q = state.q;
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(stepper->step(state, 1).contact.asleep, balls);
    ASSERT_EQ((state.q - q).cwiseAbs().maxCoeff(), 0);
  }
}

// Impulses are forces times the length of the step, of a short one, too.
TEST(SleepingSteps, ShortStepsHaveSmallImpulses) {
  for (const char* type : {"cone", "stewart_trinkle", "anitescu_potra"}) {
    const Scene scene = make_sleeping_stack(type);
    const System system = compile(scene);
    MethodSettings settings = scene.method;
    settings.step = sleeping_step;
    const auto stepper = make_stepper(system, settings);
    State state = system.initial;
    while (state.t < 0.2) ASSERT_EQ(stepper->step(state, 10).status, StepStatus::ok);
    for (const double part : {1.0, 0.25}) {
      ASSERT_EQ(stepper->step(state, state.t + part * sleeping_step).contact.asleep, 2);
      double floor = 0;
      for (const ContactRecord& record : stepper->contacts()) {
        if (system.contact.shapes[static_cast<std::size_t>(record.shape_b)].name == "low") floor += record.impulse.z();
      }
      EXPECT_NEAR(floor, 2 * 9.81 * part * sleeping_step, 1e-9) << type;
    }
  }
}

}  // namespace
}  // namespace stiction
