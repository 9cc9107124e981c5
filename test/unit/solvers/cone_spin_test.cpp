#include <gtest/gtest.h>

#include "stiction/solvers/cone/cone_auto.h"

#include "cone_problems.h"

namespace stiction {
namespace {

// Chakraborty, Berard, Akella, Trinkle 2007, eq. (5): the friction wrench f = (f_t1, f_t2, f_spin) lies in the
// ellipsoid |E^-1 f| <= mu r_n and maximises the dissipation -f'u; for slip u != 0 that is
//     f = -mu r_n E^2 u / |E u|                                                                                 (1)
using Vec4 = Eigen::Vector4d;

constexpr double mu = 0.5;
const Vec3 axes(1.2, 0.8, 0.3);  // the spin axis in metres: a radius of gyration of the patch

// One contact with W = diag(1, tangential), pressed with r_n = 1.
ConeResult solve_contact(const Vec3& tangential, const Vec3& velocity) {
  ConeProblem problem;
  problem.W = ConeMatrix(4, 1, {{0, 0, 1}, {1, 1, tangential[0]}, {2, 2, tangential[1]}, {3, 3, tangential[2]}});
  problem.q = Vec4(-1, velocity[0], velocity[1], velocity[2]);
  problem.mu = VecX::Constant(1, mu);
  problem.ellipsoid = axes.transpose();
  ConeOptions options;
  options.tolerance = 1e-12;
  ConeResult result = solve_cone(problem, options);
  EXPECT_EQ(result.status, ConeStatus::solved) << result.residual;
  return result;
}

TEST(ConeSpin, PureSpinIsHeldUpToTheMomentMuTimesTheAxis) {
  // The largest moment is 0.5 * 0.3 = 0.15: less is stopped, more goes on with what is left.
  const ConeResult held = solve_contact(Vec3::Ones(), {0, 0, 0.1});
  EXPECT_NEAR((held.r - Vec4(1, 0, 0, -0.1)).norm(), 0, 1e-11);
  EXPECT_NEAR(held.u.norm(), 0, 1e-11);
  const ConeResult spinning = solve_contact(Vec3::Ones(), {0, 0, -2});
  EXPECT_NEAR((spinning.r - Vec4(1, 0, 0, 0.15)).norm(), 0, 1e-11);
  EXPECT_NEAR((spinning.u - Vec4(0, 0, 0, -1.85)).norm(), 0, 1e-11);
}

TEST(ConeSpin, PureSlidingAlongAnAxisIsPlainFriction) {
  const ConeResult first = solve_contact(Vec3::Ones(), {2, 0, 0});
  EXPECT_NEAR((first.r - Vec4(1, -0.6, 0, 0)).norm(), 0, 1e-11);
  const ConeResult second = solve_contact(Vec3::Ones(), {0, -2, 0});
  EXPECT_NEAR((second.r - Vec4(1, 0, 0.4, 0)).norm(), 0, 1e-11);
}

TEST(ConeSpin, CombinedSlipAndSpinOpposeInTheMetricOfTheEllipsoid) {
  // With W_tt = c E^-2, (1) keeps the direction of the slip: u = q (1 - c mu / |E q|), f = -mu E^2 q / |E q|.
  constexpr double c = 0.7;
  const Vec3 square = axes.cwiseAbs2();
  for (const Vec3& q : {Vec3(3, -1, 5), Vec3(0.8, 0.8, 0), Vec3(0, 2, -9)}) {
    const double length = axes.cwiseProduct(q).norm();
    const ConeResult result = solve_contact(c * square.cwiseInverse(), q);
    const Vec3 friction = -mu * square.cwiseProduct(q) / length, slip = q * (1 - c * mu / length);
    EXPECT_NEAR((result.r.tail<3>() - friction).norm(), 0, 1e-10) << q.transpose();
    EXPECT_NEAR((result.u.tail<3>() - slip).norm(), 0, 1e-10) << q.transpose();
  }
}

TEST(ConeSpin, NoOtherWrenchOfTheEllipsoidDissipatesMore) {
  // A sliding, spinning tower of boxes: every contact against 200 wrenches on the rim of its ellipsoid.
  GlobalConeProblem global = test::make_tower(3, 1, mu, 5, 4);
  global.ellipsoid = axes.transpose().replicate(global.contacts(), 1);
  const ConeProblem problem = make_local(global);
  ConeOptions options;
  options.tolerance = 1e-11;
  const ConeResult result = solve_cone(problem, options);
  ASSERT_EQ(result.status, ConeStatus::solved);
  Random random(3);
  int slipping = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const double normal = result.r[4 * i];
    const Vec3 friction = result.r.segment<3>(4 * i + 1), slip = result.u.segment<3>(4 * i + 1);
    EXPECT_LE(friction.cwiseQuotient(axes).norm(), mu * normal + 1e-9);
    slipping += normal > 1e-6 && slip.norm() > 1e-6;
    for (int k = 0; k < 200; ++k) {
      const Vec3 direction = test::make_random_vector(random, 1).normalized();
      const Vec3 other = mu * normal * axes.cwiseProduct(direction);
      EXPECT_LE(-other.dot(slip), -friction.dot(slip) + 1e-9) << i;
    }
  }
  EXPECT_GT(slipping, 0);
}

}  // namespace
}  // namespace stiction
