// Contact points that close within a step are offered in time: rods at large steps, a peg jammed in the bore of a cell.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace {

// falling_rod at 10 to 50 times the step of the example: both ends come to lie on the floor. No energy rises by 1 % of
// the 10 J that are exchanged, and the rod ends lying at rest. cone locates impacts and corrects
// overlaps beyond 1e-4 of the size, anitescu_potra all of them; stewart_trinkle leaves what it linearises, (w h)^2 l / 8 for a slap at about 8 rad/s. At h = 0.04, the
// paper's own, its equations solved by an independent program come to rest at x = -0.241.
TEST(OfferedContacts, OfARodAtLargeSteps) {
  for (const std::string method : {"cone", "stewart_trinkle", "anitescu_potra"}) {
    for (const double step : {0.01, 0.02, 0.025, 0.04, 0.05}) {
      SCOPED_TRACE(fmt::format("{} {}", method, step));
      const RunResult run =
          test::run_example("falling_rod", {"method.type=" + method, fmt::format("time.step={}", step),
                                            fmt::format("time.output={}", step), "time.duration=2"});
      const double linearised = std::pow(8 * step, 2) * 0.5 / 8;
      const double left = method == "stewart_trinkle" ? linearised : method == "cone" ? 1e-4 * 0.25 : 1e-6;
      EXPECT_LT(run.summary.audit.at("penetration"), left);
      double lowest = 1e300, rise = 0;
      for (const double energy : run.signal("energy.total")) {
        rise = std::max(rise, energy - lowest);
        lowest = std::min(lowest, energy);
      }
      EXPECT_LT(rise, 0.1);
      EXPECT_NEAR(run.signal("rod.position.y").back(), 0.05, 1e-9);
      EXPECT_NEAR(run.signal("rod.velocity.x").back(), 0, 1e-9);
      if (method == "stewart_trinkle" && step == 0.04) {
        EXPECT_NEAR(run.signal("rod.position.x").back(), -0.241, 5e-4);
      }
    }
  }
}

/// The scene of examples/peg_in_bore.toml with a block of a bore instead of an endless one.
std::string describe_jammed_peg(double couple) {
  return fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.2
step = 0.001
output = 0.001
[method]
type = "cone"
[body.block]
fixed = true
[body.block.shape]
type = "cell"
surfaces = [
  {{ type = "plane", normal = [1, 0, 0], offset = 0.03 }}, {{ type = "plane", normal = [-1, 0, 0], offset = 0.03 }},
  {{ type = "plane", normal = [0, 1, 0], offset = 0.03 }}, {{ type = "plane", normal = [0, -1, 0], offset = 0.03 }},
  {{ type = "plane", normal = [0, 0, 1], offset = 0.04 }}, {{ type = "plane", normal = [0, 0, -1], offset = 0.04 }},
  {{ type = "cylinder", axis = [0, 0, 1], radius = 0.0101, outside = true }},
]
[body.peg]
density = 7850
orientation = {{ axis = [0, 1, 0], angle = "4 mrad" }}
shape = {{ type = "cylinder", radius = 0.01, length = 0.05 }}
[force.couple]
body = "peg"
torque = [0, {}, 0]
[contact."peg/block"]
friction = 0.2
)",
                     couple);
}

// By hand (docs/tutorials.md): 4 N of friction against 1.2 N of weight: it sticks, after the first step, in which it
// leans over while it falls (by g h^2 / 2 at most). With a fifth of the couple, friction is 0.8 N: it slides with g - 0.8 N / m, here for 0.05 s, in
// which both rims stay in the bore; to 2 %, for the time that the leaning takes.
TEST(OfferedContacts, OfAPegJammedInACell) {
  const RunResult sticks = test::run_text("jammed", describe_jammed_peg(0.5));
  EXPECT_EQ(test::describe_verdict(sticks), "trustworthy");
  const auto& z = sticks.signal("peg.position.z");
  EXPECT_LT(std::abs(z.back()), 0.5 * 9.81 * 1e-6);
  EXPECT_NEAR(sticks.signal("peg.velocity.z").back(), 0, 1e-9);
  EXPECT_NEAR(z.back(), z[z.size() / 2], 1e-10);
  const RunResult slides = test::run_text("sliding", describe_jammed_peg(0.1));
  // N = C / b at either rim, b = L cos + 2 r sin of the tilt: 0.0500 m
  const double mass = 7850 * 3.14159265358979 * 1e-4 * 0.05, pull = 9.81 - 2 * 0.2 * 0.1 / 0.05 / mass;
  EXPECT_NEAR(slides.signal("peg.velocity.z")[50], -0.05 * pull, 0.02 * 0.05 * pull);
}

}  // namespace
}  // namespace stiction
