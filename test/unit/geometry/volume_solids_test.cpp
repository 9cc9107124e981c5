#include <gtest/gtest.h>

#include "test/support/shapes.h"
#include "volume_tools.h"

namespace stiction {
namespace {

constexpr double pi = std::numbers::pi;

TEST(VolumeSolids, TorusInHalves) {
  // Whole: 2 pi^2 R r^2; a plane through its axis or its middle halves it.
  const Torus torus{1, 0.3, Vec3(0.6, 0, 0.8)};
  const double whole = 2 * pi * pi * 0.09;
  EXPECT_NEAR(calc(torus, {}, Box{Vec3(5, 5, 5)}, {}, 1e-6).volume / whole, 1, 1e-6);
  EXPECT_NEAR(calc(torus, {}, HalfSpace{torus.axis, 0}, {}, 1e-6).volume / whole, 0.5, 1e-6);
  EXPECT_NEAR(calc(torus, {}, HalfSpace{Vec3::UnitY(), 0}, {}, 1e-6).volume / whole, 0.5, 1e-6);
  // A ball that fits the tube, centred in it.
  EXPECT_NEAR(calc(torus, {}, Sphere{0.2}, at(0, 1, 0), 1e-6).volume, 4.0 / 3 * pi * 0.008, 1e-8);
}

TEST(VolumeSolids, SuperquadricWithUnitExponentsIsAnEllipsoid) {
  const Vec3 s(0.5, 0.7, 0.9);
  const Transform X = turned(Vec3(0.3, -0.4, 0.5), Vec3(0.1, 0.2, 0.6));
  for (const Shape& other :
       {Shape(HalfSpace{}), Shape(Sphere{0.5}), Shape(Box{Vec3(1, 1, 1)}), Shape(Cylinder{0.4, 1})}) {
    const InterferenceRegion exact = calc(Ellipsoid{s}, X, other, {}, 1e-9);
    const InterferenceRegion region = calc(Superquadric{s, 1, 1}, X, other, {}, 1e-7);
    EXPECT_TRUE(region.converged);
    EXPECT_NEAR(region.volume / exact.volume, 1, 1e-7) << other.index();
    EXPECT_LT((region.centroid - exact.centroid).norm(), 1e-6) << other.index();
    EXPECT_LT((region.dV_dx - exact.dV_dx).norm(), 1e-4) << other.index();
  }
}

TEST(VolumeSolids, SuperquadricsInsideCertifiedBounds) {
  Random random(9);
  for (int n = 0; n < 4; ++n) {
    const Superquadric a{Vec3(0.8, 1, 0.6), random.uniform(0.3, 1.7), random.uniform(0.3, 1.7)};
    const Superquadric b{Vec3(0.5, 0.4, 0.9), random.uniform(0.3, 1.7), random.uniform(0.3, 1.7)};
    const Transform X = make_random_pose(random, 0.6);
    const Shape other = n % 2 == 0 ? Shape(b) : Shape(Torus{0.7, 0.25, Vec3::UnitZ()});
    const InterferenceRegion region = calc(a, {}, other, X, 1e-5);
    const VolumeBounds bounds = calc_interference_bounds(a, {}, other, X, 1e-2, 200000);
    EXPECT_LE(bounds.lower, region.volume * (1 + 1e-5));
    EXPECT_GE(bounds.upper, region.volume * (1 - 1e-5));
    EXPECT_GT(region.volume, 0);
  }
}

TEST(VolumeSolids, ParametricEllipsoid) {
  const Vec3 s(0.5, 0.7, 0.9);
  const Parametric body{std::make_shared<EllipsoidPatch>(s)};
  const Transform X = turned(Vec3(0.3, -0.4, 0.5), Vec3(0.1, 0.2, 0.6));
  for (const Shape& other : {Shape(HalfSpace{}), Shape(Sphere{0.5})}) {
    const InterferenceRegion exact = calc(Ellipsoid{s}, X, other, {}, 1e-9);
    const InterferenceRegion region = calc(body, X, other, {}, 1e-4);
    EXPECT_NEAR(region.volume / exact.volume, 1, 1e-4) << other.index();
    const VolumeBounds bounds = calc_interference_bounds(body, X, other, {}, 0.1, 5000);
    EXPECT_LE(bounds.lower, exact.volume);
    EXPECT_GE(bounds.upper, exact.volume);
  }
}

}  // namespace
}  // namespace stiction
