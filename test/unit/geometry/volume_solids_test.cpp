#include <gtest/gtest.h>

#include "stiction/geometry/closest/closest.h"

#include "test/support/shapes.h"
#include "volume_tools.h"

namespace stiction {
namespace {

using std::numbers::pi;

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
    const VolumeBounds bounds = calc_interference_bounds(a, {}, other, X, 1e-2, 50000);
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

TEST(VolumeSolids, ShallowContactsAreNotTakenForEmpty) {
  // Depths down to 1e-6 of the size, some sharp, some flat: the region is where the closest points are.
  Random random(21);
  for (int n = 0; n < 24; ++n) {
    const Superquadric super{Vec3(0.8, 1, 0.6), random.uniform(0.3, 1.7), random.uniform(0.3, 1.7)};
    const Vec3 axis = make_random_vector(random, 1).normalized();
    const Shape others[4] = {Cylinder{0.4, 1.5, axis}, Cone{0.5, 1, axis}, Ellipsoid{Vec3(0.3, 0.9, 0.5)},
                             HollowCylinder{1.9, axis}};
    const Shape& other = others[n % 4];
    Transform X = make_random_pose(random, 0.3);
    const double depth = std::pow(10, random.uniform(-6, -2));
    for (int pass = 0; pass < 3; ++pass) {
      const ClosestPoints closest = calc_closest(super, {}, other, X);
      X.p -= (closest.gap + depth) * closest.normal;
    }
    ASSERT_LT(calc_closest(super, {}, other, X).gap, -0.9 * depth) << n;
    for (const Vec3& normal : {Vec3(Vec3::Zero()), Vec3(0.3, -0.5, 0.8)}) {
      RegionOptions options;
      options.accuracy = 1e-4;
      options.normal = normal;
      const InterferenceRegion region = calc_interference(super, {}, other, X, options);
      EXPECT_TRUE(region.volume > 0 || !region.converged) << n;
      if (normal.isZero(0)) {
        EXPECT_GT(region.volume, 0) << n;
      }
    }
  }
}

TEST(VolumeSolids, TipOfARodBeyondABore) {
  // Both ends of a rod reach out of a bore, one of them by 1/2000 of the other's volume, along any chords.
  const Superquadric rod{Vec3(31.07819303012184, 2.892979009510902, 4.3759587026219312), 0.61906880377893325,
                         0.32780952633653887};
  const HollowCylinder bore{20.373322390377827, Vec3(-0.83376955586374968, -0.26762442661019553, 0.48291354712446166)};
  const Transform X = turned(Vec3(-1.3668905017254007, 1.7407648489927887, -1.2372915285979964),
                             Vec3(5.3347578772274529, 1.805262740902161, -6.3166084023644001));
  Random random(3);
  RegionOptions options;
  options.accuracy = 1e-4;
  for (int n = 0; n < 4; ++n) {
    const InterferenceRegion region = calc_interference(rod, {}, bore, X, options);
    EXPECT_TRUE(region.converged) << n;
    EXPECT_NEAR(region.volume / 92.47076, 1, 1e-4) << n;
    options.normal = make_random_vector(random, 1);
  }
}

TEST(VolumeSolids, DerivativesAgreeWithDifferences) {
  // Central differences of a volume known to 1e-6 over a step of 0.003.
  Random random(22);
  for (int n = 0; n < 4; ++n) {
    const Shape solid =
        n % 2 == 0 ? Shape(Torus{0.7, 0.25, make_random_vector(random, 1).normalized()})
                   : Shape(Superquadric{Vec3(0.8, 1, 0.6), random.uniform(0.4, 1.6), random.uniform(0.4, 1.6)});
    const Shape other = n % 4 < 2 ? Shape(Box{Vec3(1, 0.8, 1.2)}) : Shape(Ellipsoid{Vec3(0.5, 0.9, 0.7)});
    const Transform X = make_random_pose(random, 0.5);
    const InterferenceRegion region = calc(solid, {}, other, X, 1e-6);
    ASSERT_GT(region.volume, 1e-3) << n;
    const Vec3 dx = make_random_vector(random, 3e-3), dr = make_random_vector(random, 3e-3);
    const double exact = difference(solid, {}, other, X, region.centroid, dx, dr, 1e-6);
    const double size = region.dV_dx.norm() * dx.norm() + region.dV_dr.norm() * dr.norm();
    EXPECT_NEAR(region.dV_dx.dot(dx) + region.dV_dr.dot(dr), exact, 1e-4 * size + 1e-6 * region.volume) << n;
    // Seen from the other body: the same with the signs changed.
    const InterferenceRegion swapped = calc(other, X, solid, {}, 1e-6);
    EXPECT_LT((swapped.dV_dx + region.dV_dx).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace stiction
