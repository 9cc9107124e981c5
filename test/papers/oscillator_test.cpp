// Spring-mass systems against their closed forms (stated in the scenes).
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

TEST(SpringMass, FollowsTheCosine) {
  const RunResult run = test::run_example("spring_mass");
  const auto& x = run.signal("mass.position.x");
  const auto& v = run.signal("mass.velocity.x");
  // RK4's phase error is (w h)^4/120 per radian: 1e-14 x 100 rad here; the rest is rounding over 1e5 steps.
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = run.times[i];
    ASSERT_NEAR(x[i], 0.2 * std::cos(10 * t), 1e-11) << t;
    ASSERT_NEAR(v[i], -2.0 * std::sin(10 * t), 1e-10) << t;
  }
  // Energy moves between motion and spring: k A^2 / 2 = 4 J in all.
  EXPECT_NEAR(run.signal("energy.stored")[0], 4.0, 1e-12);
  EXPECT_NEAR(test::max_abs(run.signal("energy.kinetic")), 4.0, 1e-3);
}

TEST(ShakenTable, FollowsTheForcedOscillator) {
  const RunResult run = test::run_example("shaken_table");
  const auto& x = run.signal("mass.position.x");
  const auto& table = run.signal("table.position.x");
  const double W = 2 * std::numbers::pi, w = 10, r = W / w;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = run.times[i];
    ASSERT_NEAR(table[i], 0.05 * std::sin(W * t), 1e-15) << t;
    ASSERT_NEAR(x[i], 0.05 / (1 - r * r) * (std::sin(W * t) - r * std::sin(w * t)), 1e-11) << t;
  }
  // The work the drive does is the integral of spring force times table velocity; the energy residual is tested for
  // every example, here only that the drive did feed and take energy.
  EXPECT_GT(test::max_abs(run.signal("energy.input")), 0.1);
}

}  // namespace
}  // namespace stiction
