// A scene and its normalised text move alike, bit for bit.
#include <gtest/gtest.h>

#include "stiction/run/simulation.h"
#include "stiction/scene/read/read_scene.h"

#include "test/support/temporary_folder.h"

namespace stiction {
namespace {

std::string step_some(Simulation simulation) {
  constexpr int steps = 10;
  for (int i = 0; i < steps; ++i) (void)simulation.step();
  return calc_hash(simulation.state());
}

TEST(normalised_scene, moves_alike) {
  for (const auto& entry : std::filesystem::directory_iterator(STICTION_EXAMPLES)) {
    if (entry.path().extension() != ".toml") continue;
    const Simulation simulation = Simulation::from_file(entry.path());
    EXPECT_EQ(step_some(Simulation::from_text(simulation.to_toml())), step_some(simulation)) << entry.path().stem();
  }
}

Scene make_falling() {
  BodySpec ball;
  ball.mass = 2, ball.inertia = 0.1;
  Scene scene;
  scene.world.gravity = {0, 0, -9.81};
  scene.time = {.duration = 0.1, .step = 1e-3, .output = {}};
  scene.bodies = {{"ball", ball}};
  return scene;
}

// A scene made in C++ is stored with the run as text: it is shown, resumed, and its fields are set.
TEST(normalised_scene, a_scene_made_by_a_program_has_a_text) {
  const test::TemporaryFolder folder;
  const Scene scene = make_falling();
  const RunResult whole = simulate(scene);
  RunOptions options;
  options.folder = folder / "run";
  options.max_steps = 40;
  EXPECT_EQ(simulate(scene, options).summary.status, RunStatus::limit);
  EXPECT_EQ(resume(options.folder).hash, whole.summary.hash);
  Simulation simulation(scene);
  simulation.set("body.ball.mass", "3 kg");
  EXPECT_EQ(*simulation.scene().bodies[0].value.mass, 3);
}

// A scene that was read and then changed is stored as it is, not as it was read.
TEST(normalised_scene, a_changed_scene_is_stored_as_it_is) {
  const test::TemporaryFolder folder;
  Scene scene = Simulation::from_text(Simulation(make_falling()).to_toml()).scene();
  scene.world.gravity = {0, 0, -1.62};
  RunOptions options;
  options.folder = folder / "run";
  options.max_steps = 40;
  (void)simulate(scene, options);
  EXPECT_EQ(resume(options.folder).hash, simulate(scene).summary.hash);
}

}  // namespace
}  // namespace stiction
