// Settled steps of geometric_implicit, whose warm starts are solutions, allocate nothing. Where impulses change from
// step to step, as where a body swings on its layer, the solvers of the cone allocate; Newton's method on the whole
// step does not (end_newton_test.cpp).
#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

#include "allocation_counter.h"

namespace stiction {
namespace {

constexpr const char* rolling_ball = R"(
world.gravity = [0, 0, -9.81]
time = { duration = 10, step = 1e-3 }
method.type = "geometric_implicit"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.ball]
mass = 1
position = [0, 0, 0.1]
velocity = [1, 0, 0]
angular_velocity = [0, 10, 0]
shape = { type = "sphere", radius = 0.1 }
[contact.default]
friction = 0.3
)";

TEST(GeometricAllocation, SettledStepsNeverAllocate) {
  const Scene scene = read_scene(SceneText{{{"scene.toml", rolling_ball}}, {}});
  const System system = compile(scene);
  MethodSettings settings = scene.method;
  settings.step = scene.time.step;
  const auto stepper = make_stepper(system, settings);
  State state = system.initial;
  while (state.t < 0.1) ASSERT_EQ(stepper->step(state, 1e9).status, StepStatus::ok);
  const long before = test::count_allocations();
  for (int i = 0; i < 100; ++i) {
    const StepReport report = stepper->step(state, 1e9);
    ASSERT_TRUE(report.events.empty());
    ASSERT_EQ(report.contact.contacts, 1);
  }
  EXPECT_EQ(test::count_allocations(), before);
}

}  // namespace
}  // namespace stiction
