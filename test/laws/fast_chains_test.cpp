// Bodies on joints that turn by much in a step keep their energy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/examples.h"

namespace stiction {
namespace {

class FastChainsOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formulations, FastChainsOf,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"));

// A cone and a capsule on a ball joint fly and tumble at 100 rad/s, half a radian a step of 5 ms. Nothing acts on them:
// energy is kept. In parts of 0.05 rad the midpoint rule loses (0.05)^2 of what Coriolis forces exchange, some times
// the energy: below 1 %.
TEST_P(FastChainsOf, KeepTheirEnergy) {
  const RunResult run = test::run_text("chain", fmt::format(R"(
[world]
gravity = [0, 0, 0]
[time]
duration = 0.5
step = 0.005
[method]
type = "{}"
[body.cone]
density = 3389
shape = {{ type = "cone", radius = 0.034, height = 0.19 }}
velocity = [1, 0.5, -0.5]
angular_velocity = [70, 60, 40]
[body.capsule]
density = 3046
shape = {{ type = "capsule", axis = [1, 0, 0], length = 0.124, radius = 0.094 }}
[joint.link]
type = "spherical"
parent = "cone"
child = "capsule"
at = [0.23, 0, 0]
child_at = [-0.19, 0, 0]
[contact.default]
friction = 0
[contact."cone/capsule"]
touch = false
)",
                                                            GetParam()));
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto& energy = run.signal("energy.total");
  const auto [least, most] = std::minmax_element(energy.begin(), energy.end());
  EXPECT_LT(*most - *least, 0.01 * energy.front());
}

}  // namespace
}  // namespace stiction
