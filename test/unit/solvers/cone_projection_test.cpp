#include "stiction/solvers/cone/cone_projection.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

// Moreau: p is the projection of z on the cone K exactly when p in K, z - p in the polar cone and p'(z - p) = 0. For
// K = {|E^-1 r_t| <= mu r_n} the polar cone is {-v_n >= mu |E v_t|}.
void expect_projection(double mu, const VecX& axes, const VecX& z) {
  VecX p = z;
  project_on_cone(mu, axes, p);
  const VecX v = z - p;
  const double size = z.norm(), rounding = 1e-13 * size * (1 + mu * axes.maxCoeff());
  double scaled = 0;
  for (int i = 0; i < axes.size(); ++i) {
    if (axes[i] > 0) {
      scaled += p[i + 1] * p[i + 1] / (axes[i] * axes[i]);
    } else {
      EXPECT_EQ(p[i + 1], 0);
    }
  }
  const double least = (axes.array() > 0).select(axes.array(), 1.0).minCoeff();
  EXPECT_LE(std::sqrt(scaled), mu * p[0] + rounding / least);
  EXPECT_LE(mu * axes.cwiseProduct(v.tail(axes.size())).norm(), -v[0] + rounding);
  EXPECT_NEAR(p.dot(v), 0, rounding * size);
}

double make_magnitude(Random& random) {
  return std::exp(random.uniform(-6, 4));
}

TEST(ConeProjection, MeetsTheOptimalityConditions) {
  Random random(1);
  for (int trial = 0; trial < 30000; ++trial) {
    const int d = 2 + random.index(3);
    VecX axes(d - 1), z(d);
    for (double& axis : axes) axis = random.index(10) == 0 ? 0 : make_magnitude(random);
    for (double& value : z) value = random.uniform(-1, 1);
    if (random.index(3) == 0) axes.setConstant(axes[0]);
    const double mu = random.index(10) == 0 ? 0 : make_magnitude(random);
    expect_projection(mu, axes, z * make_magnitude(random));
  }
}

TEST(ConeProjection, OfACircularConeIsTheClosedForm) {
  // mu = 1, z = (0, 2): halfway between the axis and z, at (1, 1).
  VecX z = Eigen::Vector2d(0, 2);
  project_on_cone(1, VecX::Ones(1), z);
  EXPECT_DOUBLE_EQ(z[0], 1);
  EXPECT_DOUBLE_EQ(z[1], 1);
  // mu = 3/4, axes 1: r_n = (z_n + mu |z_t|) / (1 + mu^2) = 3.75 / 1.5625 = 2.4 for z = (0, 3, 4), r_t = 1.8 (0.6,
  // 0.8).
  VecX w = Vec3(0, 3, 4);
  project_on_cone(0.75, VecX::Ones(2), w);
  EXPECT_NEAR((w - Vec3(2.4, 1.08, 1.44)).norm(), 0, 1e-15);
}

TEST(ConeProjection, LeavesPointsOfTheConeAlone) {
  VecX z = Vec3(1, 0.3, -0.1);
  const VecX before = z;
  project_on_cone(0.5, Eigen::Vector2d(1, 2), z);
  EXPECT_EQ(z, before);
}

}  // namespace
}  // namespace stiction
