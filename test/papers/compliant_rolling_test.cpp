// Balls that bounce and roll, against gonthier-thesis-2007, section 5.1.3, and closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/compliant.h"
#include "support/examples.h"

namespace stiction {
namespace {

using test::degree;
using test::earth_gravity;
using test::run_example;

/// Velocity down the slope.
double along(const RunResult& run, std::size_t i) {
  return std::cos(20 * degree) * run.signal("ball.velocity.x")[i] -
         std::sin(20 * degree) * run.signal("ball.velocity.z")[i];
}

// Figs 5.7, 5.8: rolling in the end, v = R w, 5/7 g sin 20 down and a constant velocity across, which is 5/7 of what it
// had: that much is left of a sliding ball's velocity when friction has made it roll.
TEST(BallOnSlope, BouncesThenRolls) {
  const RunResult run = run_example("ball_on_slope");
  const std::size_t last = run.times.size() - 1, before = last - 1000;
  EXPECT_NEAR((along(run, last) - along(run, before)) / 1.0, 5.0 / 7 * earth_gravity * std::sin(20 * degree), 1e-6);
  EXPECT_NEAR(along(run, last) - 0.1 * run.signal("ball.angular_velocity.y")[last], 0, 1e-6);
  EXPECT_NEAR(run.signal("ball.velocity.y")[last], 0.5 * 5 / 7, 1e-6);
  EXPECT_NEAR(run.signal("ball.velocity.y")[before], 0.5 * 5 / 7, 1e-6);
  const auto impacts =
      std::count_if(run.events.begin(), run.events.end(), [](const auto& e) { return e.kind == "impact"; });
  EXPECT_GT(impacts, 4);
  EXPECT_EQ(run.events.front().kind, "impact");
  // The first: free fall to the plane, 0.5 m from the centre: 2 cos 20 - sin 20 t - g cos 20 t^2 / 2 = 0.5
  const double c = std::cos(20 * degree), s = std::sin(20 * degree);
  EXPECT_NEAR(run.events.front().t,
              (-s + std::sqrt(s * s + 2 * earth_gravity * c * (2 * c - 0.5))) / (earth_gravity * c), 1e-8);
  EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * run.summary.energy_first);
}

// Fixed steps and other adaptive methods come to the same place. Explicit steps of 5 us do not resolve the bristles
// under the load of an impact, but their force saturates, and what remains is below 1e-4 of the way.
TEST(BallOnSlope, IntegratorsAgree) {
  const auto end = [](const char* integrator, const char* step) {
    const RunResult run =
        run_example("ball_on_slope", {fmt::format("method.integrator={}", integrator),
                                      fmt::format("time.step={}", step), "time.duration=2", "time.output=0.01"});
    return Vec3(run.signal("ball.position.x").back(), run.signal("ball.position.y").back(),
                run.signal("ball.position.z").back());
  };
  const Vec3 stiff = end("cvode_bdf", "5e-6");
  EXPECT_LT((end("rk4", "5e-6") - stiff).norm(), 1e-4);
  EXPECT_LT((end("semi_implicit_euler", "5e-6") - stiff).norm(), 1e-3);
}

// Figs 5.9-5.13. Once it rolls the energy is constant but for what the law's own dampers take while the load changes;
// with that booked, to 1e-6; without, it loses less than 1e-5 of it a second.
TEST(BallInCylinder, RollsToAndFro) {
  for (const char* name : {"ball_in_cylinder_2d", "ball_in_cylinder_3d"}) {
    const RunResult run = run_example(name);
    const auto &total = run.signal("energy.total"), &dissipated = run.signal("energy.dissipated");
    const std::size_t first = 400, last = total.size() - 1;  // from 2 s on
    for (std::size_t i = first; i <= last; ++i)
      ASSERT_NEAR(total[i] + dissipated[i], total[first] + dissipated[first], 1e-6 * total[first]) << name;
    EXPECT_LT(total[first] - total[last], 8 * 1e-5 * total[first]);
    // Rolling: the contact point of the ball is at rest, v + w x r = 0 with r from the centre to it.
    for (std::size_t i = first; i <= last; i += 100) {
      const auto vector = [&](const char* what) {
        return Vec3(run.signal(fmt::format("ball.{}.x", what))[i], run.signal(fmt::format("ball.{}.y", what))[i],
                    run.signal(fmt::format("ball.{}.z", what))[i]);
      };
      const Vec3 p = vector("position") - Vec3(0, 0, 1), radial = Vec3(p.x(), 0, p.z()).normalized();
      const Vec3 slip = vector("velocity") + vector("angular_velocity").cross(0.1 * radial);
      // Along the normal the depth follows the load; along the surface it does not slip but by what bristles give way.
      EXPECT_LT((slip - slip.dot(radial) * radial).norm(), 1e-5) << name;
    }
  }
}

// The period of small rolling oscillations: 2 pi sqrt(7/5 (1 - 0.1) / g), from a start at 3 degrees at rest.
TEST(BallInCylinder, PeriodOfSmallOscillations) {
  const double a = 3 * degree, r = 0.9;
  const RunResult run = run_example("ball_in_cylinder_2d",
                                    {fmt::format("body.ball.position=[{},0,{}]", r * std::sin(a), 1 - r * std::cos(a)),
                                     "time.output=1e-3", "contact.\"ball/cylinder\".normal.stiffness=1e8"});
  const auto& x = run.signal("ball.position.x");
  std::vector<double> crossings;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i - 1] > 0 && x[i] <= 0) crossings.push_back(run.times[i - 1] + 1e-3 * x[i - 1] / (x[i - 1] - x[i]));
  ASSERT_GE(crossings.size(), 3u);
  // Finite amplitude lengthens it by a^2/16 = 1.7e-4, corrected here; the depth of the contact by 1e-5.
  const double period = 2 * std::numbers::pi * std::sqrt(1.4 * r / earth_gravity) * (1 + a * a / 16);
  EXPECT_NEAR((crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1) / period, 1, 1e-4);
}

}  // namespace
}  // namespace stiction
