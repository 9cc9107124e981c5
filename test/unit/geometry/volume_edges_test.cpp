#include "stiction/geometry/volume/volume_edges.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "volume_tools.h"

namespace stiction {
namespace {

/// The same pair along given chords.
double calc_along(const Shape& A, const Shape& B, const Transform& X_AB, const Vec3& normal) {
  RegionOptions options;
  options.accuracy = 1e-8;
  options.normal = normal;
  const InterferenceRegion region = calc_interference(A, {}, B, X_AB, options);
  EXPECT_TRUE(region.converged);
  return region.volume;
}

TEST(VolumeEdges, SmallVoidWhollyInsideABall) {
  // A hollow sphere that no evenly spaced slice meets, 0.005 below the ball's surface: the difference of two balls.
  Random random(1);
  const double R = 42.28, r = 2.63, exact = 4.0 / 3 * std::numbers::pi * (R * R * R - r * r * r);
  for (int n = 0; n < 20; ++n) {
    const Vec3 place = (R - r - 0.005) * make_random_vector(random, 1).normalized();
    const Transform X{make_random_pose(random, 1).R, place};
    EXPECT_NEAR(calc(HollowSphere{r}, {}, Sphere{R}, X, 1e-8).volume / exact, 1, 1e-8) << n;
  }
}

TEST(VolumeEdges, TipOfAConeBeyondABore) {
  // Of two parts that lie outside the bore one is a millionth of the other.
  const Cone cone{37.465817525593152, 148.04427119296116,
                  Vec3(-0.94982219376061572, -0.074813224756125271, 0.30371167518118358)};
  const HollowCylinder bore{76.350177915775248, Vec3(0.52371083660401696, -0.65233677917099797, 0.54789021360517964)};
  const Transform X = turned(Vec3(1.0022951731879062, -0.063739093821516962, -0.34841628670523139),
                             Vec3(-67.951483911540421, 33.229553876683156, 19.795812260417676));
  Random random(3);
  const double V = calc_along(cone, bore, X, Vec3::Zero());
  for (int n = 0; n < 20; ++n) EXPECT_NEAR(calc_along(cone, bore, X, make_random_vector(random, 1)) / V, 1, 2e-8) << n;
}

TEST(VolumeEdges, RimOfACylinderInABore) {
  // Overlapping by 1e-4 of the size: once taken for empty.
  const HollowCylinder bore{0.82809257738838201, Vec3(0.28465599925349699, -0.9582894219222422, -0.02554106342593921)};
  const Cylinder cylinder{0.48148984647944251, 0.68072613724325841,
                          Vec3(0.69090250231438133, -0.41313063763306213, 0.59327633405068991)};
  const Transform X = turned(Vec3(-1.3987828584418112, 0.027158638478565183, -1.9719141180609596),
                             Vec3(-0.090096280148755335, 0.44158301646224233, 0.32398843855620577));
  Random random(4);
  const double V = calc_along(bore, cylinder, X, Vec3::Zero());
  EXPECT_NEAR(V, 1.12166306e-10, 1e-18);
  for (int n = 0; n < 20; ++n)
    EXPECT_NEAR(calc_along(bore, cylinder, X, make_random_vector(random, 1)) / V, 1, 2e-8) << n;
}

TEST(VolumeEdges, RoundingAtTheTipOfAConeIsInTheError) {
  // V = pi/3 (R/H)^2 depth^3. The coefficients of a cone's quadric place its tip to 1e-8 of its size only.
  Random random(8);
  for (int n = 0; n < 200; ++n) {
    const double R = random.uniform(10, 40), H = random.uniform(10, 100), depth = std::pow(10, random.uniform(-6, -2));
    const double exact = std::numbers::pi / 3 * R * R / (H * H) * depth * depth * depth;
    const Transform X = make_random_pose(random, 100), X_cone = X * turned(Vec3(0, 0, 1), Vec3(3, 2, -H + depth));
    const Cone cone{R, H, Vec3::UnitZ()};
    const InterferenceRegion region = calc(cone, X_cone, Box{Vec3(50, 60, 70)}, X * at(0, 0, 35), 1e-6);
    // The place itself is known to 1e-14 of the distance 100.
    const double known = 10 * 3e-14 / depth;
    if (region.volume > 0) {
      EXPECT_NEAR(region.volume / exact, 1, 5 * std::max(region.error, 1e-6) * (1 + region.error) + known)
          << n << " " << depth;
    } else {
      EXPECT_FALSE(region.converged) << n << " " << depth;
    }
    EXPECT_TRUE(region.converged || depth < 1e-5) << n << " " << depth;
    const VolumeBounds bounds =
        calc_interference_bounds(cone, X_cone, Box{Vec3(50, 60, 70)}, X * at(0, 0, 35), 1e-3, 20000);
    EXPECT_LE(bounds.lower, exact * (1 + known)) << n << " " << depth;
    EXPECT_GE(bounds.upper, exact * (1 - known)) << n << " " << depth;
  }
}

/// Two cylinders of given radii along x and z, offset in y, in a cube of half width 1.
UnitRegion make_crossed_cylinders(double r1, double r2, double offset) {
  UnitRegion region;
  Quadric along_x{Vec3(0, 1, 1).asDiagonal(), Vec3::Zero(), -r1 * r1};
  Quadric along_z{Vec3(1, 1, 0).asDiagonal(), Vec3(0, -offset, 0), offset * offset - r2 * r2};
  region.surfaces = {{along_x, false}, {along_z, true}};
  region.empty = false;
  return region;
}

TEST(VolumeEdges, FindsTheExtremesOfAnEdge) {
  // y = offset +- sqrt(r2^2 - x^2) with |y| <= r1: extreme at x = +-r2 (y = offset), and where y = +-r1, z = 0.
  const EdgePlaces places = find_edge_places(make_crossed_cylinders(0.5, 0.3, 0.4));
  EXPECT_TRUE(places.complete);
  const double end = std::sqrt(0.09 - 0.01);
  for (double x : {-0.3, 0.3, -end, end})
    EXPECT_TRUE(std::any_of(places.x.begin(), places.x.end(), [&](double p) { return std::abs(p - x) < 1e-12; })) << x;
}

TEST(VolumeEdges, SaysWhereSurfacesTouch) {
  // Equal radii on one axis: the curve crosses itself at x = 0.
  const EdgePlaces places = find_edge_places(make_crossed_cylinders(0.5, 0.5, 0));
  EXPECT_FALSE(places.complete);
  EXPECT_TRUE(std::any_of(places.x.begin(), places.x.end(), [](double p) { return std::abs(p) < 1e-4; }));
}

}  // namespace
}  // namespace stiction
