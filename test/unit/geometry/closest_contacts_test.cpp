#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "stiction/geometry/closest/closest.h"

namespace stiction {
namespace {

struct Case {
  const char* name;
  Shape A;
  Transform X_WA;
  Shape B;
  Transform X_WB;
  int count;
};
Transform make_turned_pose(double x, double y, double z, double about_x = 0, double about_z = 0) {
  return {
      Mat3((Eigen::AngleAxisd(about_x, Vec3::UnitX()) * Eigen::AngleAxisd(about_z, Vec3::UnitZ())).toRotationMatrix()),
      Vec3(x, y, z)};
}

std::vector<Case> make_cases() {
  const Shape plane = HalfSpace{}, cube = Box{Vec3(1, 1, 1)}, table = Box{Vec3(3, 3, 1)};
  const Shape cylinder = Cylinder{0.5, 1}, capsule = Capsule{0.2, 1};
  const double quarter = M_PI / 2;
  return {
      {"box on plane", plane, {}, cube, make_turned_pose(0, 0, 0.5, 0, 0.2), 4},
      {"cylinder standing", plane, {}, cylinder, make_turned_pose(0, 0, 0.5), 4},
      {"cylinder lying", plane, {}, cylinder, make_turned_pose(0, 0, 0.5, quarter), 2},
      {"capsule lying", plane, {}, capsule, make_turned_pose(0, 0, 0.2, quarter), 2},
      {"torus lying", plane, {}, Torus{1, 0.2}, make_turned_pose(0, 0, 0.2), 4},
      {"sphere", plane, {}, Sphere{1}, make_turned_pose(0, 0, 1), 1},
      {"box on table", table, {}, cube, make_turned_pose(0.2, 0.1, 1, 0, 0.3), 4},
      {"box over the edge of a table", table, {}, cube, make_turned_pose(1.4, 0.1, 1, 0, 0.3), 4},
      {"table on box", cube, {}, table, make_turned_pose(0.2, 0.1, 1, 0, 0.3), 4},
      {"cylinder on table", table, {}, cylinder, make_turned_pose(0.2, 0.1, 1), 4},
      {"cylinder lying on table", table, {}, cylinder, make_turned_pose(0.2, 0.1, 1, quarter), 2},
      {"capsule in bore", HollowCylinder{1, Vec3::UnitY()}, {}, capsule, make_turned_pose(0, 0, -0.8, quarter), 2},
      {"cylinder in bore", HollowCylinder{1, Vec3::UnitY()}, {}, cylinder, make_turned_pose(0, 0, -0.5, quarter), 2},
      {"box in bore", HollowCylinder{std::sqrt(0.5), Vec3::UnitY()}, {}, cube, {}, 8},
      {"cylinders side by side", cylinder, {}, cylinder, make_turned_pose(1, 0, 0.3), 2},
  };
}

// The number of points does not change under rotations so small that all stay within the margin; the lowest point is
// the closest one; every point lies on the normal through its partner.
TEST(ContactPoints, AreStableUnderTinyRotations) {
  for (const Case& c : make_cases()) {
    std::set<int> ids;
    for (double tilt : {0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, -1e-12, -1e-6})
      for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0.6, 0.8, 0), Vec3(0.5, -0.5, std::sqrt(0.5))}) {
        const Transform X_WB{Eigen::AngleAxisd(tilt, axis).toRotationMatrix() * c.X_WB.R, c.X_WB.p};
        std::vector<ContactPoint> points;
        calc_contact_points(c.A, c.X_WA, c.B, X_WB, 1e-5, points);
        ASSERT_EQ(static_cast<int>(points.size()), c.count) << c.name << " tilted by " << tilt;
        const ClosestPoints closest = calc_closest(c.A, c.X_WA, c.B, X_WB);
        double lowest = 1;
        for (const ContactPoint& p : points) {
          lowest = std::min(lowest, p.gap);
          EXPECT_LT((p.point_b - p.point_a - p.gap * p.normal).norm(), 1e-12) << c.name;
          ids.insert(p.id);
        }
        EXPECT_NEAR(lowest, closest.gap, 1e-8) << c.name << " tilted by " << tilt;
      }
    EXPECT_EQ(static_cast<int>(ids.size()), c.count) << c.name << ": names of points changed";
  }
}

// Which point of a level cap is the lowest is rounding: the points stay where they are in the body, or friction would
// act at other places in every iteration of a step. Above that the first is the lowest: at height -r sin(tilt).
TEST(ContactPoints, OfALevelCapAreFixedToIt) {
  const double radius = 0.5;
  const Shape plane = HalfSpace{}, table = Box{Vec3(3, 3, 1)};
  const Shape frustum = Cone{1, 1, Vec3::UnitZ(), 0.3};
  for (const Shape& round : {Shape(Cylinder{radius, 1}), Shape(Cone{radius, 1}), frustum}) {
    const double base = std::holds_alternative<Cone>(round) ? 0 : 0.5;
    for (const Shape& ground : {plane, table}) {
      const Transform X_WA = make_turned_pose(0, 0, std::holds_alternative<Box>(ground) ? -0.5 : 0);
      const auto find = [&](double tilt, const Vec3& axis) {
        const Mat3 R = Eigen::AngleAxisd(tilt, axis).toRotationMatrix();
        std::vector<ContactPoint> points;
        calc_contact_points(ground, X_WA, round, {R, Vec3(0, 0, base)}, 1e-5, points);
        return points;
      };
      const std::vector<ContactPoint> level = find(0, Vec3::UnitX());
      for (const double tilt : {1e-15, -1e-13, 1e-11, 9e-10}) {
        for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0.6, 0.8, 0), Vec3(-0.8, 0.6, 0)}) {
          const std::vector<ContactPoint> points = find(tilt, axis);
          ASSERT_EQ(points.size(), level.size());
          for (std::size_t i = 0; i < points.size(); ++i)
            EXPECT_LT((points[i].point_b - level[i].point_b).norm(), 2e-9) << tilt;
        }
      }
    }
  }
  std::vector<ContactPoint> points;
  calc_contact_points(plane, {}, Cylinder{radius, 1}, make_turned_pose(0, 0, 0.5 * std::cos(1e-6), 1e-6), 1e-5, points);
  EXPECT_NEAR(points.front().gap, -radius * std::sin(1e-6), 1e-15);
}

TEST(ContactPoints, BoxOnPlaneHasItsCorners) {
  std::vector<ContactPoint> points;
  calc_contact_points(HalfSpace{}, {}, Box{Vec3(2, 4, 6)}, make_turned_pose(0, 0, 2.999), 0.01, points);
  ASSERT_EQ(points.size(), 4u);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.gap, -0.001, 1e-15);
    EXPECT_NEAR(std::abs(p.point_b.x()), 1, 1e-15);
    EXPECT_NEAR(std::abs(p.point_b.y()), 2, 1e-15);
  }
}

TEST(ContactPoints, BeyondTheMarginThereAreNone) {
  std::vector<ContactPoint> points;
  calc_contact_points(HalfSpace{}, {}, Box{Vec3(1, 1, 1)}, make_turned_pose(0, 0, 0.6), 0.05, points);
  EXPECT_TRUE(points.empty());
}

// The search does not certify this gap, and takes the pair for open. It overlaps: a point of the circle in the tube's
// middle is inside the cylinder, by the formula of a cylinder.
TEST(ContactPoints, SayWhereTheyMayBeMissing) {
  const Vec3 axis(0.36, 0.48, 0.8), across = axis.unitOrthogonal();
  const Torus ring{1, 0.3, axis};
  const Cylinder pin{0.5, 1.5, axis};
  const Transform X_WR{Eigen::Quaterniond(-0.519877684, 0.0815744281, 0.310949714, -0.791443669).toRotationMatrix(),
                       Vec3(-0.249916117, -0.158815233, -0.44306337)};
  bool overlaps = false;
  for (int i = 0; i < 360; ++i) {
    const double angle = i * M_PI / 180;
    const Vec3 x = X_WR * Vec3(std::cos(angle) * across + std::sin(angle) * axis.cross(across));
    const double along = axis.dot(x);
    overlaps = overlaps || (std::abs(along) < 0.75 && (x - along * axis).norm() < 0.5);
  }
  ASSERT_TRUE(overlaps);
  std::vector<ContactPoint> points;
  const bool known = calc_contact_points(pin, {}, ring, X_WR, 1e-3, points);
  EXPECT_TRUE(!known || !points.empty());
}

// Between boxes of edge 1 whose centres are 3 apart: 2 across their faces; (3 - 2) / sqrt(2) along a diagonal, where
// each reaches 1 / sqrt(2); and less than nothing along other axes.
TEST(ContactPoints, PlanesBoundTheGap) {
  const Box box{Vec3(1, 1, 1)};
  const Transform apart{Mat3::Identity(), Vec3(3, 0, 0)};
  EXPECT_NEAR(calc_gap_between_planes(box, {}, box, apart, Vec3::UnitX()), 2, 1e-15);
  EXPECT_NEAR(calc_gap_between_planes(box, {}, box, apart, Vec3(1, 1, 0).normalized()), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(calc_gap_between_planes(box, {}, box, apart, Vec3::UnitZ()), -1, 1e-15);
  EXPECT_EQ(calc_gap_between_planes(HalfSpace{}, {}, box, apart, Vec3::UnitZ()),
            -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace stiction
