// A ball that rests in a groove whose walls are steeper than the friction angle: two contacts bear more than the motion
// determines, and the groove holds the ball however hard it is pressed in.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

struct Fall {
  double friction = 0, speed = 0;
};

class BallInAGroove : public testing::TestWithParam<Fall> {};

// Closed form: with normals (+-cos a, sin a) and friction forces of up to mu N along the walls, upwards, the sum of the
// normal forces is between m g / (sin a + mu cos a) and, with friction 0, m g / sin a; a wedge could bear more, but
// nothing presses the ball in. To 1e-6 N, which 1e-9 m/s in a step of 1 ms take; and it
// creeps by less than 1e-9 m, as every resting body.
TEST_P(BallInAGroove, BearsItsWeightAndNoMore) {
  const double a = std::numbers::pi / 6, radius = 0.05, weight = 9.81;
  const auto [mu, speed] = GetParam();
  const RunResult run = test::run_text("groove", fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 1
step = 0.001
output = 0.001
[method]
type = "cone"
[contact."groove/ball"]
friction = {}
[body.groove]
fixed = true
[body.groove.shape.left]
type = "halfspace"
normal = [{:.17g}, 0, {:.17g}]
[body.groove.shape.right]
type = "halfspace"
normal = [{:.17g}, 0, {:.17g}]
[body.ball]
mass = 1
position = [0, 0, {:.17g}]
velocity = [0, 0, {}]
shape = {{ type = "sphere", radius = {} }}
)",
                                                             mu, std::cos(a), std::sin(a), -std::cos(a), std::sin(a),
                                                             radius / std::sin(a), -speed, radius));
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_EQ(run.summary.audit.at("unconverged"), 0);
  const auto& force = run.signal("contact.groove/ball.force");
  for (std::size_t i = 10; i < force.size(); ++i) {
    ASSERT_GT(force[i], weight / (std::sin(a) + mu * std::cos(a)) - 1e-6) << i;
    ASSERT_LT(force[i], weight / std::sin(a) + 1e-6) << i;
  }
  const auto& z = run.signal("ball.position.z");
  EXPECT_NEAR(z.back(), z[10], 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Friction, BallInAGroove,
                         testing::Values(Fall{0.5, 0}, Fall{1, 0}, Fall{1.2, 0}, Fall{2, 0}, Fall{1, 1}, Fall{1.2, 1},
                                         Fall{2, 1}));

}  // namespace
}  // namespace stiction
