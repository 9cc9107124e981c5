// Sliding to rest is the same for every mass: x = v^2 / (2 mu g).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "support/examples.h"

namespace stiction {
namespace {

class AnyMass : public testing::TestWithParam<std::tuple<const char*, double>> {};

// A box of 1 cm at 1 m/s with mu = 0.3. The closed form to the order of the method: the cone's mean velocity is exact
// but for the step in which the box stops (h^2 mu g), the others move by the velocity at the end of each step, v h / 2
// less. Friction never pushes it back, and every step is solved, whether it weighs a grain of dust or a ship.
TEST_P(AnyMass, SlidesEquallyFar) {
  const auto [method, mass] = GetParam();
  const RunResult run = test::run_text("any_mass", fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.5
step = 0.001
output = 0.001
[method]
type = "{}"
[contact.default]
friction = 0.3
[body.floor]
fixed = true
shape = {{ type = "halfspace", normal = [0, 0, 1] }}
[body.box]
mass = {}
position = [0, 0, 0.005]
velocity = [1, 0, 0]
shape = {{ type = "box", size = [0.01, 0.01, 0.01] }}
)",
                                                               method, mass));
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_EQ(run.summary.audit.at("unconverged"), 0);
  const double h = 1e-3, way = 1 / (2 * 0.3 * 9.81), less = std::string(method) == "cone" ? 0 : h / 2;
  EXPECT_NEAR(run.signal("box.position.x").back(), way - less, h * h * 0.3 * 9.81);
  for (const double v : run.signal("box.velocity.x")) ASSERT_GT(v, -1e-10);
}

INSTANTIATE_TEST_SUITE_P(Methods, AnyMass,
                         testing::Combine(testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra",
                                                          "geometric_implicit"),
                                          testing::Values(1e-12, 1e-9, 1e-4, 1.0, 1e4, 1e10)));

}  // namespace
}  // namespace stiction
