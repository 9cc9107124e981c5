// Models of docs/tutorials.md in which bodies slide on a plane: slide_into_wall, spring_slider, bowling_ball.
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_example;

constexpr double g_sliding = 9.81;

// Arrives with v1 = sqrt(v0^2 - 2 mu g d), leaves with e v1 and stops after e^2 v1^2 / (2 mu g). Friction is constant
// on either way, for which theta = 1/2 is exact; only the step in which the block stops is not: what is left of its
// speed, below mu g h, acts for up to h, mu g h^2 / 2 = 1.5e-6 m.
TEST(ModelSlideIntoWall, StopsWhereTheHandCalculationSays) {
  const RunResult run = run_example("slide_into_wall");
  const double mu = 0.3, e = 0.5, v0 = 2, d = 0.5, m = 2, h = 1e-3;
  const double v1 = std::sqrt(v0 * v0 - 2 * mu * g_sliding * d);
  EXPECT_NEAR(run.signal("block.position.x").back(), d - e * e * v1 * v1 / (2 * mu * g_sliding),
              0.5 * mu * g_sliding * h * h);
  EXPECT_NEAR(run.signal("block.velocity.x").back(), 0, 1e-12);
  // The wall takes m (1 - e^2) v1^2 / 2, friction the rest: exact but for rounding and the location of the impact.
  const double to_wall = 0.5 * m * (1 - e * e) * v1 * v1;
  EXPECT_NEAR(run.signal("energy.impact").back(), to_wall, 1e-9);
  EXPECT_NEAR(run.signal("energy.friction").back(), 0.5 * m * v0 * v0 - to_wall, 1e-9);
  double impulse = 0;
  for (const double part : run.signal("contact.block/wall.impulse")) impulse += part;
  EXPECT_NEAR(impulse, m * (1 + e) * v1, 1e-9);
}

// Each half swing of pi sqrt(m / k) ends 2 mu m g / k nearer to the middle, until the spring pulls with less than
// mu m g. Midpoint rule: (w h)^2 / 24 of the way, 4e-7 m a swing; turning within a step adds up to
// (2 mu g) h^2 / 2 = 2e-6 m a turn.
TEST(ModelSpringSlider, EachHalfSwingIsShorterByTheSameLength) {
  const RunResult run = run_example("spring_slider");
  const double mu = 0.2, k = 100, m = 1, held = mu * m * g_sliding / k;
  const double half_swing = std::numbers::pi * std::sqrt(m / k), h = 1e-3;
  const auto& x = run.signal("slider.position.x");
  ASSERT_NEAR(run.times[1], h, 1e-15);
  double turn = 0.1;
  int swings = 0;
  while (std::abs(turn) > held) {
    turn = -turn + std::copysign(2 * held, turn);
    ++swings;
    // At a turn the speed is 0: half a step beside it the slider is k/m 0.1 (h/2)^2 / 2 = 1e-6 m away.
    const auto sample = static_cast<std::size_t>(std::lround(swings * half_swing / h));
    EXPECT_NEAR(x.at(sample), turn, swings * 2e-6 + 2e-6) << swings;
  }
  EXPECT_EQ(swings, 3);
  EXPECT_NEAR(x.back(), turn, 6e-6);
  EXPECT_NEAR(run.signal("contact.slider/table.friction").back(), k * std::abs(turn), k * 6e-6);
  for (std::size_t i = x.size() - 500; i < x.size(); ++i) ASSERT_NEAR(x[i], x.back(), 1e-12);
}

class ModelBowlingBall : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Formulations, ModelBowlingBall,
                         testing::Values("cone", "stewart_trinkle", "anitescu_potra", "compliant"),
                         [](const auto& method) { return method.param; });

// Slides until t = 2 v0 / (7 mu g), then rolls with 5/7 v0: angular momentum about the line of contact is conserved,
// so that every formulation ends with the same speed; friction takes m v0^2 / 7.
TEST_P(ModelBowlingBall, RollsWithFiveSeventhsOfItsSpeed) {
  const std::string method = GetParam();
  std::vector<std::string> overrides = {"method.type=" + method};
  if (method == "compliant") overrides.emplace_back("method.integrator=cvode_bdf");
  const RunResult run = run_example("bowling_ball", overrides);
  const double mu = 0.2, v0 = 3, m = 6, radius = 0.11, h = 1e-3, v = 5 * v0 / 7, rolls = 2 * v0 / (7 * mu * g_sliding);
  const double way = v0 * rolls - 0.5 * mu * g_sliding * rolls * rolls + v * (1 - rolls);
  EXPECT_NEAR(run.signal("ball.velocity.x").back(), v, 1e-9);
  EXPECT_NEAR(run.signal("ball.angular_velocity.y").back() * radius, v, method == "compliant" ? 1e-3 * v : 1e-9);

  // cone: the step in which rolling begins, mu g h^2 / 8 = 2.5e-7 m at most for a jump of mu g within it. The
  // polyhedral ones move with the speed at the end of a step: h (v0 - v) / 2 behind. compliant: the ball first sinks
  // by (m g / k)^(2/3) = 7e-5 m, which its friction feels for some 1e-3 s.
  const bool polyhedral = method == "stewart_trinkle" || method == "anitescu_potra";
  const double tolerance = method == "compliant" ? 2e-5 : 2.5e-7 + (polyhedral ? mu * g_sliding * h * h : 0);
  EXPECT_NEAR(run.signal("ball.position.x").back(), way - (polyhedral ? 0.5 * h * (v0 - v) : 0), tolerance);
  EXPECT_NEAR(run.signal("energy.friction").back(), m * v0 * v0 / 7, method == "compliant" ? 1e-4 : 1e-9);
}

}  // namespace
}  // namespace stiction
