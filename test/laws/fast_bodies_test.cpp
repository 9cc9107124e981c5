// Bodies that go farther in a step than they are thick do not pass through one another.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "support/examples.h"

namespace stiction {
namespace {

class FastBodies : public testing::TestWithParam<std::tuple<const char*, double, double>> {};

// A ball of 5 mm falls from 1 m onto a tray of 2 mm, 22 mm a step. It comes to rest upon it, or rises again to e^2 of
// the height it fell from (closed form; 0.5 % as for every bounce), whatever part of a step is left when it meets it.
TEST_P(FastBodies, AreStoppedByAThinTray) {
  const auto [method, e, height] = GetParam();
  const RunResult run = test::run_text("fast", fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.8
step = 0.005
output = 0.005
[method]
type = "{}"
[contact.default]
restitution = {}
friction = 0.3
[body.tray]
fixed = true
shape = {{ type = "box", size = [0.5, 0.5, 0.002] }}
[body.ball]
mass = 0.01
position = [0, 0, {}]
shape = {{ type = "sphere", radius = 0.005 }}
)",
                                                           method, e, height));
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto& z = run.signal("ball.position.z");
  const double rest = 0.006, fall = height - rest;
  EXPECT_GT(*std::min_element(z.begin(), z.end()), rest - 1e-6);
  if (e == 0) {
    EXPECT_NEAR(z.back(), rest, 1e-6);
  } else {
    const double top = *std::max_element(z.begin() + 100, z.end());  // it hits at 0.45 s
    EXPECT_NEAR(top - rest, e * e * fall, 0.005 * e * e * fall);
  }
}

INSTANTIATE_TEST_SUITE_P(Heights, FastBodies,
                         testing::Combine(testing::Values("cone", "stewart_trinkle", "anitescu_potra"),
                                          testing::Values(0.0, 0.5), testing::Values(1.0, 1.003, 1.006, 1.01)));

// Two balls of 1 cm at 100 m/s towards each other, two diameters and a half a step, e = 1: they meet when
// 2 * 100 t = distance - 2 r, and exchange their velocities. Out of line by more than 2 r they miss each other.
TEST(FastBodies, MeetHeadOn) {
  for (const double aside : {0.0, 0.021}) {
    const RunResult run = test::run_text("meet", fmt::format(R"(
[time]
duration = 0.01
step = 0.00025
output = 0.00025
[method]
type = "cone"
[contact.default]
restitution = 1
[body.a]
mass = 1
position = [-0.5, 0, 0]
velocity = [100, 0, 0]
shape = {{ type = "sphere", radius = 0.01 }}
[body.b]
mass = 1
position = [0.507, {}, 0]
velocity = [-100, 0, 0]
shape = {{ type = "sphere", radius = 0.01 }}
)",
                                                             aside));
    ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    const double meet = (1.007 - 0.02) / 200, rest = 0.01 - meet;
    if (aside == 0) {
      EXPECT_NEAR(run.signal("a.position.x").back(), -0.5 + 100 * (meet - rest), 1e-4);
      EXPECT_NEAR(run.signal("a.velocity.x").back(), -100, 1e-9);
    } else {
      EXPECT_NEAR(run.signal("a.position.x").back(), 0.5, 1e-9);
    }
  }
}

}  // namespace
}  // namespace stiction
