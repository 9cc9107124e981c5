// Islands that advance on several threads: for the thread sanitizer (./dev tsan), and for bits.
#include "stiction/stepping/rigid/island_advance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

namespace stiction {
namespace {

/// Pairs of boxes of which one falls onto the other, far apart but for the last two, which meet in the air: impacts,
/// resting contact, islands that join and sleepers that wake.
System make_islands() {
  std::string text = R"(
[world]
gravity = [0, 0, -9.81]
[time]
step = 0.002
duration = 1
[method]
type = "cone"
sleep = 0.01
sleep_speed = 0.01
[contact.default]
friction = 0.4
restitution = 0.3
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
)";
  for (int i = 0; i < 6; ++i)
    text += fmt::format(
        "[body.low{0}]\nmass = 1\nposition = [{1}, 0, 0.1]\nshape = {{ type = \"box\", size = [0.2, 0.2, 0.2] }}\n"
        "[body.high{0}]\nmass = 1\nposition = [{1}, 0, {2}]\nvelocity = [{3}, 0, -1]\n"
        "shape = {{ type = \"sphere\", radius = 0.1 }}\n",
        i, 0.5 * i, 0.35 + 0.02 * i, i == 4 ? 3 : i == 5 ? -3 : 0);
  return compile(read_scene(SceneText{{{"islands.toml", text}}, {}}));
}

State run(const System& system, int threads, int* watched) {
  MethodSettings settings;
  settings.type = "cone";
  settings.step = 0.002;
  settings.sleep = settings.sleep_speed = 0.01;
  settings.threads = threads;
  StepperRigid stepper(system, settings);
  stepper.watch_problems([&](const SolvedProblem&) { ++*watched; });
  State state = system.initial;
  for (int i = 0; i < 60; ++i) EXPECT_EQ(stepper.step(state, 1).status, StepStatus::ok);
  return state;
}

TEST(IslandAdvance, TheSameBitsOnAnyNumberOfThreads) {
  const System system = make_islands();
  int problems = 0, problems_of_threads = 0;
  const State alone = run(system, 1, &problems);
  EXPECT_GT(problems, 60);
  for (const int threads : {2, 4}) {
    problems_of_threads = 0;
    const State state = run(system, threads, &problems_of_threads);
    EXPECT_EQ(state.q, alone.q);
    EXPECT_EQ(state.v, alone.v);
    EXPECT_EQ(state.memory, alone.memory);
    EXPECT_EQ(problems_of_threads, problems);
  }
}

}  // namespace
}  // namespace stiction
