// Times of impact of free bodies, whose gaps are known in closed form.
#include "stiction/stepping/rigid/time_of_impact.h"

#include <gtest/gtest.h>

#include "one_island.h"

namespace stiction {
namespace {

const std::string impact_floor = R"(
[world]
gravity = [0, 0, -10]
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[contact.default]
friction = 0.3
restitution = 0.5
)";

/// One trial step to its end, then the first impact in it. Negative: none.
struct TimeOfImpactRun {
  TimeOfImpactRun(const std::string& text, const std::string& type, double h) : island(text, type, h) {
    RigidStep step(island.work);
    TimeOfImpact toi(island.work, step);
    step.begin();
    step.take(island.state, h, true, trial);
    if (!toi.closes(h, trial)) return;
    count = toi.count_impacts();
    EXPECT_TRUE(toi.locate(island.state, trial));
    time = trial.t;
    trial_steps = toi.trial_steps();
  }
  test::OneIsland island;
  IslandState trial;
  double time = -1;
  int count = 0, trial_steps = 0;
};

class TimeOfImpactTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formulations, TimeOfImpactTest, testing::Values("cone", "stewart_trinkle", "anitescu_potra"));

// gap = 0.3 - 2 t - 5 t^2. Bodies that may rebound fly by the mean of their velocities in all formulations: exact.
TEST_P(TimeOfImpactTest, OfAFallingBall) {
  const TimeOfImpactRun run(impact_floor + R"(
[body.ball]
mass = 1
position = [0, 0, 0.4]
velocity = [1, 0, -2]
shape = { type = "sphere", radius = 0.1 }
)",
                            GetParam(), 0.2);
  const double exact = (-2 + std::sqrt(4 + 4 * 5 * 0.3)) / 10;
  // Gaps of 1e-9 of the size, half the diagonal of the ball's box, count as closed; 4 m/s is slower than it falls.
  EXPECT_NEAR(run.time, exact, 1e-9 * 0.1 * std::sqrt(3.0) / 3);
  EXPECT_EQ(run.count, 1);
  // The cubic through the gaps and speeds at both ends is this parabola.
  EXPECT_LE(run.trial_steps, 2);
}

// Two balls: the first is located, both are counted.
TEST_P(TimeOfImpactTest, OfTheFirstOfTwo) {
  const TimeOfImpactRun run(impact_floor + R"(
[body.late]
mass = 1
position = [0, 0, 0.4]
velocity = [0, 0, -2]
shape = { type = "sphere", radius = 0.1 }
[body.early]
mass = 1
position = [0.4, 0, 0.2]
velocity = [0, 0, -2]
shape = { type = "sphere", radius = 0.1 }
[spring.together]
a = "late"
b = "early"
stiffness = 0
rest_length = 1
)",
                            GetParam(), 0.2);
  EXPECT_NEAR(run.time, (-2 + std::sqrt(4 + 4 * 5 * 0.1)) / 10, 1e-9);
  EXPECT_EQ(run.count, 2);
}

// A bar that turns at 8 rad/s without weight: its end is at height z - l sin(w t) - radius. Gaps are no cubics then.
TEST(TimeOfImpactOf, ATurningBar) {
  const TimeOfImpactRun run(R"(
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[contact.default]
friction = 0.3
restitution = 0.5
[body.bar]
mass = 1
position = [0, 0, 0.35]
angular_velocity = [0, 8, 0]
shape = { type = "capsule", radius = 0.05, length = 1, axis = [1, 0, 0] }
)",
                            "cone", 0.15);
  const double exact = std::asin(0.3 / 0.5) / 8;
  // Closed within 1e-9 of its size of about 0.6 m, at 0.5 * 8 * 0.8 m/s.
  EXPECT_NEAR(run.time, exact, 1e-9);
  EXPECT_LE(run.trial_steps, 6);
}

}  // namespace
}  // namespace stiction
