// A peg in the wall of a round bore: closed forms of parallel axes, the general method, and derivatives of the volume.
#include "stiction/geometry/volume/volume_wall.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/volume/cut_shape.h"
#include "stiction/geometry/volume/volume_chords.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double bore_radius = 10.1e-3;

/// The k-th eighth of a block with the bore along z, its mouth at z = 0, 40 mm deep.
Shape make_eighth(int k) {
  const auto direction = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0); };
  const double middle = std::numbers::pi / 4 * k, half = std::numbers::pi / 8;
  return std::get<Cell>(make_cell({make_plane_quadric(direction(middle + half + std::numbers::pi / 2), 0),
                                   make_plane_quadric(direction(middle - half - std::numbers::pi / 2), 0),
                                   make_plane_quadric(direction(middle), 40e-3), make_plane_quadric(Vec3::UnitZ(), 0),
                                   make_plane_quadric(-Vec3::UnitZ(), 40e-3),
                                   calc_complement(calc_constraints(Cylinder{bore_radius, 1, Vec3::UnitZ()})[0])}));
}
Transform make_pose(double tilt, const Vec3& place) {
  return {calc_matrix(calc_exponential(Vec3(0.3 * tilt, tilt, 0))), place};
}

TEST(VolumeWall, CoaxialRing) {
  const double r = 10.3e-3, L = 0.05;
  const auto region =
      find_wall_region(HollowCylinder{bore_radius, Vec3::UnitZ()}, Cylinder{r, L, Vec3::UnitZ()}, {}, 1e-9);
  ASSERT_TRUE(region);
  EXPECT_NEAR(region->volume / (std::numbers::pi * (r * r - bore_radius * bore_radius) * L), 1, 1e-12);
  EXPECT_LT(region->centroid.norm(), 1e-14);
  EXPECT_NEAR(region->inertia(2, 2) / (std::numbers::pi / 2 * (std::pow(r, 4) - std::pow(bore_radius, 4)) * L), 1,
              1e-12);
  EXPECT_LT(region->dV_dx.norm(), 1e-12 * bore_radius * L);
}

// A disc of radius r whose centre is d off that of a circle R > r has pi r^2 - lens outside of it; moving it by dx adds
// the common chord 2 y times dx. From 0.1 mm deep to 1 nm.
TEST(VolumeWall, ParallelAxes) {
  const double r = 10e-3, L = 0.03;
  for (const double depth : {1e-4, 1e-6, 1e-9}) {
    const double d = bore_radius - r + depth;
    const double x = (d * d + bore_radius * bore_radius - r * r) / (2 * d),
                 y = std::sqrt(bore_radius * bore_radius - x * x);
    // Sectors beyond the chord: half angles of both circles.
    const double a = std::atan2(y, x - d), b = std::atan2(y, x);
    const double crescent =
        r * r * (a - std::sin(a) * std::cos(a)) - bore_radius * bore_radius * (b - std::sin(b) * std::cos(b));
    const auto region = find_wall_region(HollowCylinder{bore_radius, Vec3::UnitZ()}, Cylinder{r, L, Vec3::UnitZ()},
                                         make_pose(0, Vec3(d, 0, 0)), 1e-6);
    ASSERT_TRUE(region) << depth;
    // Both differ by what rounding of r and R does: 1e-18 m of the depth; the reference cancels more.
    EXPECT_NEAR(region->volume / (crescent * L), 1, 1e-15 / depth + 1e-9) << depth;
    EXPECT_NEAR(region->dV_dx.x() / (2 * y * L), 1, 1e-15 / depth + 1e-9) << depth;
    EXPECT_NEAR(region->dV_dx.y(), 0, 1e-9 * y * L) << depth;
  }
}

/// Shaft and chamfer of a peg at some places in and above the hole.
struct WallPose {
  double tilt;
  Vec3 place;
};
const WallPose wall_poses[] = {{0.004, {0, 0, 0}}, {0.012, {1e-4, 5e-5, 5e-3}}, {0.03, {-5e-4, 2e-4, 0.02}}};
const Shape wall_bodies[] = {Cylinder{10e-3, 50e-3, Vec3::UnitZ()}, Cone{10e-3, 1.5e-3, -Vec3::UnitZ(), 8.5e-3}};

// Against chords along one direction (volume_chords.h), which knows nothing of bores.
TEST(VolumeWall, AgreesWithTheGeneralMethod) {
  int compared = 0;
  for (const WallPose& pose : wall_poses) {
    for (const Shape& body : wall_bodies) {
      for (int k = 0; k < 8; k += 3) {
        const Shape wall = make_eighth(k);
        const Transform X =
            make_pose(pose.tilt, pose.place - Vec3(0, 0, std::holds_alternative<Cone>(body) ? 0.022 : 0));
        const auto found = find_wall_region(wall, body, X, 1e-6);
        ASSERT_TRUE(found);
        const InterferenceRegion other = calc_interference_by_chords(wall, body, X, {});
        const double V = other.volume;
        ASSERT_NEAR(found->volume, V, (found->error + other.error) * V) << k;
        if (!(V > 0)) continue;
        ++compared;
        // Centroid and inertia follow the volume; 1e-5: of regions whose own accuracy is 1e-6.
        EXPECT_LT((found->centroid - other.centroid).norm(), 1e-5 * std::sqrt(other.inertia.trace() / V)) << k;
        EXPECT_LT((found->inertia - other.inertia).norm(), 1e-5 * other.inertia.norm()) << k;
        EXPECT_LT((found->dV_dx - other.dV_dx).norm(), 1e-5 * other.dV_dx.norm()) << k;
      }
    }
  }
  EXPECT_GE(compared, 5);
}

// dV_dx and dV_dr are the derivatives of V, by central differences over 1e-8 m and rad, which leave 3e-7 (100 times
// that over 1e-7).
TEST(VolumeWall, DerivativesOfTheVolume) {
  const Shape wall = make_eighth(0);
  const Transform X = make_pose(0.01, Vec3(1e-4, 3e-5, 0));
  const auto volume_at = [&](const Transform& at) { return find_wall_region(wall, wall_bodies[0], at, 1e-9)->volume; };
  const auto region = find_wall_region(wall, wall_bodies[0], X, 1e-9);
  ASSERT_TRUE(region);
  const double h = 1e-8, size = region->dV_dx.norm(), lever = std::sqrt(region->inertia.trace() / region->volume);
  for (int i = 0; i < 3; ++i) {
    const auto moved = [&](double by) { return Transform{X.R, X.p + by * Vec3::Unit(i)}; };
    EXPECT_NEAR(region->dV_dx[i], (volume_at(moved(h)) - volume_at(moved(-h))) / (2 * h), 1e-5 * size) << i;
    const auto turned = [&](double by) {
      const Mat3 R_by = calc_matrix(calc_exponential(by * Vec3::Unit(i)));
      return Transform{R_by * X.R, region->centroid + R_by * (X.p - region->centroid)};
    };
    EXPECT_NEAR(region->dV_dr[i], (volume_at(turned(h)) - volume_at(turned(-h))) / (2 * h), 1e-4 * size * lever) << i;
  }
}

// Parallel axes d apart: d + r - R beyond the wall, along the line through both; above the mouth the distance to it.
TEST(VolumeWall, Reach) {
  const double r = 10e-3;
  const Shape bore = HollowCylinder{bore_radius, Vec3::UnitZ()}, peg = Cylinder{r, 0.05, Vec3::UnitZ()};
  for (const double d : {2e-4, 1.001e-4, 0.9e-4}) {
    const Vec3 e(std::cos(2.0), std::sin(2.0), 0);
    const auto reach = find_wall_reach(bore, peg, make_pose(0, d * e));
    ASSERT_TRUE(reach);
    // Golden section finds the angle to 1e-7, the depth to rounding.
    EXPECT_NEAR(reach->depth, d + r - bore_radius, 1e-16);
    EXPECT_LT((reach->normal + e).norm(), 1e-6);
  }
  const auto above = find_wall_reach(make_eighth(0), peg, make_pose(0, Vec3(1e-3, 0, 0.026)));
  ASSERT_TRUE(above);
  EXPECT_NEAR(above->depth, -1e-3, 1e-15);
  EXPECT_LT((above->normal - Vec3::UnitZ()).norm(), 1e-15);
  const auto landed = find_wall_reach(make_eighth(0), peg, make_pose(0, Vec3(1e-3, 0, 0.025 - 1e-6)));
  ASSERT_TRUE(landed);
  EXPECT_NEAR(landed->depth, 1e-6, 1e-15);
}

// Eight eighths that touch along planes do not overlap, and are found not to without integrating anything.
TEST(VolumeWall, EighthsAreWhole) {
  std::vector<Shape> eighths;
  for (int k = 0; k < 8; ++k) eighths.push_back(make_eighth(k));
  std::vector<OtherPart> others;
  for (int k = 1; k < 8; ++k) others.push_back({&eighths[static_cast<std::size_t>(k)], {}});
  EXPECT_EQ(cut_shape(eighths[0], others).status, CutStatus::whole);
}

// A cell with a slanted mouth is no wall of this kind; nor is a ball a peg.
TEST(VolumeWall, OtherShapesAreLeftToTheGeneralMethod) {
  std::vector<Quadric> surfaces = {make_plane_quadric(Vec3(0.1, 0, 1).normalized(), 0),
                                   calc_complement(calc_constraints(Cylinder{bore_radius, 1, Vec3::UnitZ()})[0]),
                                   calc_constraints(Sphere{0.1})[0]};
  const Shape slanted = std::get<Cell>(make_cell(surfaces));
  EXPECT_FALSE(find_wall_region(slanted, wall_bodies[0], {}, 1e-6));
  EXPECT_FALSE(find_wall_region(HollowCylinder{bore_radius, Vec3::UnitZ()}, Sphere{1e-2}, {}, 1e-6));
}

}  // namespace
}  // namespace stiction
