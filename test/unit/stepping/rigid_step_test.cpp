// One (sub)step of each formulation, by hand.
#include "stiction/stepping/rigid/rigid_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "one_island.h"

namespace stiction {
namespace {

constexpr double ball_h = 1e-3, ball_g = 10;
constexpr double solver_leaves = 1e-10;  // the solver's tolerance on velocities [m/s]

std::string make_ball(double height, double speed, double restitution) {
  return "[world]\ngravity = [0, 0, -10]\n[contact.default]\nfriction = 0.5\nrestitution = " +
         std::to_string(restitution) +
         "\n[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
         "[body.ball]\nmass = 2\nshape = { type = \"sphere\", radius = 0.5 }\nposition = [0, 0, " +
         std::to_string(height) + "]\nvelocity = [0, 0, " + std::to_string(speed) + "]\n";
}

struct RigidStepOf : testing::TestWithParam<std::string> {
  IslandState take(const std::string& scene, bool locating, double* impulse = nullptr) {
    test::OneIsland island(scene, GetParam(), ball_h);
    RigidStep parts(island.work);
    parts.begin();
    IslandState end;
    parts.take(island.state, ball_h, locating, end);
    if (impulse) *impulse = parts.solved().r.size() > 0 ? parts.solved().r[0] : 0;
    EXPECT_EQ(island.work.audit.unconverged, 0);
    height = island.position_of(2, end).z();
    return end;
  }
  double height = 0;
};
INSTANTIATE_TEST_SUITE_P(Formulations, RigidStepOf,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"));

// At rest on a floor: r_n = m g h, and nothing moves.
TEST_P(RigidStepOf, CarriesTheWeight) {
  double impulse = 0;
  const IslandState end = take(make_ball(0.5, 0, 0), true, &impulse);
  EXPECT_NEAR(impulse, 2 * ball_g * ball_h, 2 * solver_leaves);
  EXPECT_LT(end.v.cwiseAbs().maxCoeff(), solver_leaves);
  EXPECT_NEAR(height, 0.5, solver_leaves * ball_h);
  EXPECT_EQ(end.t, ball_h);
}

// In flight: v+ = v - g h; positions by theta, and on the parabola where the body may rebound.
TEST_P(RigidStepOf, FliesByTheMeanWhereBodiesMayRebound) {
  const double v = -1, v_end = v - ball_g * ball_h;
  const IslandState end = take(make_ball(2, v, 0.5), true);
  EXPECT_NEAR(end.v.cwiseAbs().maxCoeff(), -v_end, 1e-14);
  EXPECT_NEAR(height, 2 + 0.5 * ball_h * (v + v_end), 1e-14);
  take(make_ball(2, v, 0), true);
  EXPECT_NEAR(height, 2 + ball_h * (GetParam() == "cone" ? 0.5 * (v + v_end) : v_end), 1e-14);
}

// A gap of 0.1 mm that closes at 1 m/s after 0.1 ms, not located: e acts there, and from there on the new velocity.
TEST_P(RigidStepOf, ReboundsInTimeWhereImpactsAreNotLocated) {
  const IslandState end = take(make_ball(0.5001, -1, 0.5), false);
  // gap + v t - g t^2 / 2 = 0
  const double t = (-1 + std::sqrt(1 + 2 * ball_g * 1e-4)) / ball_g, hit = -1 - ball_g * t;
  const double v_end = -0.5 * hit - ball_g * (ball_h - t);
  EXPECT_NEAR(end.v.cwiseAbs().maxCoeff(), v_end, 2 * solver_leaves);
  EXPECT_NEAR(height, 0.5 + (ball_h - t) * 0.5 * (-0.5 * hit + v_end), 2 * solver_leaves * ball_h);
}

}  // namespace
}  // namespace stiction
