// A driven plate that is pressed into a box upon the floor: a motion that rigid bodies cannot obey.
#include <gtest/gtest.h>

#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace {

// Symmetry leaves the box where it is, and half of the 5 mm by which the plate comes too low at either face. Nothing
// that is tried to move them apart may move the box elsewhere (by 1e-6 m: what cone lets overlap before it tries);
// every step of it says that it was not solved. Depths to the plate's way in a step, 1e-4 m.
TEST(SqueezedBodies, StayWhereTheyAre) {
  const RunResult run = test::run_text("squeezed", R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.25
step = 0.001
output = 0.001
[method]
type = "cone"
[contact.default]
friction = 0.5
[contact."plate/floor"]
touch = false
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.box]
mass = 1
position = [0, 0, 0.05]
shape = { type = "box", size = [0.1, 0.1, 0.1] }
[body.plate]
shape = { type = "box", size = [0.3, 0.3, 0.02] }
motion = { position = [0, 0, { start = 0.13, velocity = -0.1 }] }
)");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  for (const char* name : {"box.position.x", "box.position.y"}) {
    for (const double value : run.signal(name)) ASSERT_LT(std::abs(value), 1e-6) << name;
  }
  EXPECT_NEAR(run.signal("box.position.z").back(), 0.0475, 1e-4);
  EXPECT_NEAR(run.summary.audit.at("penetration"), 0.0025, 1e-4);
  const auto& unconverged = run.signal("audit.unconverged");
  for (std::size_t i = 205; i < unconverged.size(); ++i) ASSERT_GT(unconverged[i], 0) << i;  // touches at 0.2 s
}

}  // namespace
}  // namespace stiction
