// Steps in which bodies turn far, hit hard or swing against limits: no energy out of nothing, no overlap, limits hold.
// Found by fuzz_physics (furnished 122, arm 118).
#include <gtest/gtest.h>

#include <algorithm>

#include "support/examples.h"

namespace stiction {
namespace {

double find_most(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

// A spiky body at 52 m/s strikes a driven ball off centre and turns with 440 rad/s after it, by 0.4 rad in the rest of
// the step, in which the iteration of its forces diverges. 10 kJ and what the ball puts in are all there is.
TEST(LargeSteps, FastImpactsCreateNoEnergy) {
  const RunResult run = test::run_text("spiky", R"(
[time]
duration = 0.008
step = 0.002
[method]
type = "cone"
[body.spiky]
density = 25389.6
shape = { type = "polytope", vertices = [[0.051383, -0.007857, 0.008425], [-0.036522, -0.002711, -0.000104],
  [-0.006243, 0.048369, 0.000360], [-0.005259, -0.049352, -0.004406], [-0.007796, -0.002314, 0.102071],
  [-0.004403, -0.006255, -0.103822]] }
position = [0.341150, 0, 0.123881]
orientation = { axis = [-0.354878, 0.816673, -0.455090], angle = 1.427948 }
velocity = [-51.845768, 4.896773, -0.739928]
angular_velocity = [0.072480, -0.146862, -0.037551]
[body.pusher]
shape = { type = "sphere", radius = 0.04 }
motion = { position = { start = [-0.05, 0, 0.123881], velocity = [1.738175, 0, 0] } }
[contact.default]
friction = 0.1
ellipse = [1, 1, 0.0212]
direction = [1, 0, 0]
restitution = 0.5
hypothesis = "newton"
)");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto &total = run.signal("energy.total"), &input = run.signal("energy.input");
  for (std::size_t i = 0; i < total.size(); ++i) EXPECT_LT(total[i] - input[i], 1.01 * total[0]) << i;
}

// The rod of Stewart and Trinkle at more than their step of 1/25 s, by the methods that correct overlaps: no more of
// its 0.3 m than the verdict accepts.
TEST(LargeSteps, FallingRodDoesNotSinkIn) {
  for (const char* method : {"cone", "anitescu_potra"}) {
    for (const char* step : {"0.01", "0.02", "0.03", "0.04", "0.05"}) {
      const RunResult run =
          test::run_example("falling_rod", {"method.type=" + std::string(method), "time.step=" + std::string(step)});
      ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
      EXPECT_LT(find_most(run.signal("audit.penetration")), 1e-3 * 0.3) << method << ' ' << step;
    }
  }
}

// An arm of three links swings against the limits of its last joint. Rigid limits are those given: beyond them no more
// than the verdict accepts, 1e-3 rad.
TEST(LargeSteps, LimitsHold) {
  const RunResult run = test::run_text("arm", R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 1
step = 0.01
[method]
type = "cone"
joints = "constraint"
[body.floor]
fixed = true
shape = { type = "halfspace" }
[body.upper]
density = 588.874
shape = { type = "ellipsoid", semi_axes = [0.035, 0.05, 0.057] }
[joint.shoulder]
child = "upper"
at = [0, 0, 0.25367]
child_at = [-0.067, 0, 0]
type = "spherical"
[body.middle]
density = 2992.32
shape = { type = "sphere", radius = 0.043 }
[joint.slide]
parent = "upper"
child = "middle"
at = [0.067, 0, 0]
child_at = [-0.053, 0, 0]
type = "prismatic"
axis = [-0.678876, 0.040327, -0.733145]
velocity = -0.635388
viscous = 0.023324
[body.lower]
density = 6013.19
shape = { type = "superquadric", semi_axes = [0.076, 0.043, 0.074], e1 = 0.6, e2 = 0.8 }
[joint.wrist]
parent = "middle"
child = "lower"
at = [0.053, 0, 0]
child_at = [-0.12446, 0, 0]
type = "revolute"
axis = [-0.350557, -0.380282, -0.855859]
velocity = 2.468624
lower = -0.296512
upper = 0.136065
viscous = 0.014352
[contact.default]
friction = 0
restitution = 0.5
)");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto& angle = run.signal("wrist.position");
  EXPECT_LT(find_most(angle), 0.136065 + 1e-3);
  EXPECT_GT(*std::min_element(angle.begin(), angle.end()), -0.296512 - 1e-3);
}

}  // namespace
}  // namespace stiction
