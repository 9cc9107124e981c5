// Ways out of deep overlaps between bodies that lie along each other's axes, where symmetry makes families of
// solutions.
#include <gtest/gtest.h>

#include <numbers>

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/shape/shape.h"
#include "stiction/geometry/volume/interference.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

Transform shift(double x, double y, double z) {
  return {Mat3::Identity(), Vec3(x, y, z)};
}

// A thin rod in the axis of a cone: out sideways, by both radii at the base, and not along the axis. Also a little off
// it.
TEST(ClosestDeep, ARodInTheAxisOfAConeLeavesSideways) {
  const Shape cone = Cone{0.5, 1}, rod = Cylinder{0.01, 1};
  for (const double x : {0.0, 1e-9, 1e-6, 1e-4, 1e-3}) {
    const ClosestPoints c = calc_closest(cone, {}, rod, shift(x, 0, 0.25));
    EXPECT_TRUE(c.certified) << x;
    EXPECT_NEAR(c.gap, -0.51 + x, 1e-9) << x;
    EXPECT_NEAR(calc_closest(rod, shift(x, 0, 0.25), cone, {}).gap, -0.51 + x, 1e-9) << x;
  }
}

// Axes that meet, cross, end on each other or lie in one line: out across both, by the sum of the radii.
TEST(ClosestDeep, CapsulesWhoseAxesMeet) {
  const Shape upright = Capsule{0.25, 1}, lying = Capsule{0.25, 1, Vec3::UnitX()};
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0, 0, 0.1), Vec3(0.1, 0, 0.2), Vec3(0.3, 0, -0.49), Vec3(0.5, 0, 0)}) {
    const ClosestPoints c = calc_closest(upright, {}, lying, {Mat3::Identity(), p});
    EXPECT_TRUE(c.certified) << p.transpose();
    EXPECT_NEAR(c.gap, -0.5, 1e-14) << p.transpose();
  }
  for (const double z : {0.0, 0.25, 0.5, 1.0}) {
    const ClosestPoints c = calc_closest(upright, {}, upright, shift(0, 0, z));
    EXPECT_TRUE(c.certified) << z;
    EXPECT_NEAR(c.gap, -0.5, 1e-14) << z;
  }
}

// Flat ellipsoid and superquadric, centres 0.25 apart along z, half thicknesses 0.25 and 0.5: out along z by 0.5.
TEST(ClosestDeep, ASuperquadricLeavesTheShortWay) {
  const Shape ellipsoid = Ellipsoid{Vec3(1, 0.5, 0.25)}, block = Superquadric{Vec3(1, 0.5, 0.25), 0.3, 1.5};
  const Transform turned{calc_matrix(make_axis_angle(Vec3::UnitX(), std::numbers::pi / 2)), Vec3(0, 0, 0.25)};
  const ClosestPoints c = calc_closest(ellipsoid, {}, block, turned);
  EXPECT_TRUE(c.certified);
  EXPECT_NEAR(c.gap, -0.5, 1e-9);
  // No direction leads out of a ball by less than the answer: h_A(n) + h_B(-n) - n.p over many n.
  const Shape ball = Sphere{0.5};
  const ClosestPoints b = calc_closest(ball, {}, block, turned);
  EXPECT_TRUE(b.certified);
  double shallowest = -1e300;
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 400; ++j) {
      const double theta = std::numbers::pi * (i + 0.5) / 200, phi = 2 * std::numbers::pi * j / 400;
      const Vec3 n(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
      const Vec3 far = turned.R * calc_support(block, turned.R.transpose() * -n) + turned.p;
      shallowest = std::max(shallowest, n.dot(far) - 0.5);
    }
  }
  EXPECT_GE(b.gap, shallowest - 1e-12);
}

// Caps of V = pi h^2 (3 R - h)/3 with h from the very numbers given; small against the size of the ball.
TEST(VolumeShallow, CapsKeepTheirDigits) {
  for (const double R : {1e-3, 0.1, 1.0, 1e3}) {
    for (const double share : {1e-3, 1e-6}) {
      const double z = R * (1 - share), h = R - z;
      const InterferenceRegion region = calc_interference(HalfSpace{Vec3::UnitZ(), 0}, {}, Sphere{R}, shift(0, 0, z));
      const double V = std::numbers::pi * h * h * (3 * R - h) / 3;
      EXPECT_NEAR(region.volume / V, 1, 1e-12) << R << " " << share;
      EXPECT_LE(std::abs(region.volume / V - 1), region.error);
    }
  }
}

// The box's own numbers: 1 x 2 x depth.
TEST(VolumeShallow, CertifiedBoundsHold) {
  const Shape box = Box{Vec3(1, 2, 1)}, plane = HalfSpace{Vec3::UnitZ(), 0};
  for (const double depth : {1e-9, 1e-8, 1e-7, 1e-6}) {
    const double z = 0.5 - depth, exact = 2 * (0.5 - z);
    const VolumeBounds bounds = calc_interference_bounds(plane, {}, box, shift(0, 0, z), 1e-3, 10000);
    EXPECT_LE(bounds.lower, exact) << depth;
    EXPECT_GE(bounds.upper, exact) << depth;
  }
}

}  // namespace
}  // namespace stiction
