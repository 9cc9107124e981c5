// Rigid bodies with much friction wedge so that no finite impulses satisfy (2) of stepper_rigid.h.
#include <gtest/gtest.h>

#include "support/examples.h"

namespace stiction {
namespace {

// Twelve ellipsoids fall into a bin and wedge, at 0.56 and 0.571 s first. Whatever is done where a step has no answer:
// impulses stay of the size of what stops bodies of 0.25 kg that fell 0.4 m, 0.7 N s, tenfold at most as wedges
// multiply; energy does not grow (by more than 1e-5 of it in a step: the free turning of ellipsoids is of second order,
// 2e-6 here before anything touches); and the run says that there were such steps.
TEST(WedgedBodies, GainNoEnergyAndBearNoEndlessImpulses) {
  const RunResult run = test::run_text("wedged", R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.572
step = 0.001
output = 0.001
[method]
type = "cone"
[contact.default]
friction = 1.5
restitution = 0.3
[body.bin]
fixed = true
[body.bin.shape]
floor = { type = "halfspace", normal = [0, 0, 1] }
left = { type = "halfspace", normal = [1, 0, 0] }
right = { type = "halfspace", normal = [-1, 0, 0], offset = -0.28 }
front = { type = "halfspace", normal = [0, 1, 0] }
back = { type = "halfspace", normal = [0, -1, 0], offset = -0.28 }
[body.b]
density = 1000
position = [0.07, 0.07, 0.075]
orientation = [{ axis = [1, 0, 0], angle = "25 deg" }, { axis = [0, 0, 1], angle = "35 deg" }]
shape = { type = "ellipsoid", semi_axes = [0.05, 0.04, 0.03] }
copies = { count = [2, 2, 3], spacing = [0.14, 0.14, 0.14], jitter = 0.002 }
)");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_GT(run.summary.audit.at("unconverged"), 0);  // or it is not the scene that this is about
  const auto& total = run.signal("energy.total");
  for (std::size_t i = 1; i < total.size(); ++i) EXPECT_LT(total[i] - total[i - 1], 1e-5 * total[0]) << i;
  double largest = 0;
  for (const auto& contact : run.contacts) largest = std::max(largest, contact.contact.impulse.norm());
  EXPECT_LT(largest, 7);
}

}  // namespace
}  // namespace stiction
