#include <gtest/gtest.h>

#include "stiction/geometry/shape/cell.h"

#include "volume_tools.h"

namespace stiction {
namespace {

using std::numbers::pi;

/// Area of the disc of radius r about (0, -e) outside the disc of radius R about 0: a lune.
double calc_lune(double r, double R, double e) {
  if (r <= 0 || r + e <= R) return 0;
  const double x = (R * R - r * r + e * e) / (2 * e), y = std::sqrt(R * R - x * x);
  // Segment of the small disc beyond the common chord less that of the large one.
  const auto segment = [y](double radius, double distance) {
    return radius * radius * std::atan2(y, distance) - distance * y;
  };
  return segment(r, x - e) - segment(R, x);
}
/// A ball of radius r whose centre lies e off the axis of a bore of radius R, by sections across the axis.
double calc_ball_in_bore(double r, double R, double e) {
  const double end = std::sqrt(r * r - (R - e) * (R - e));
  return integrate([&](double x) { return calc_lune(std::sqrt(r * r - x * x), R, e); }, {-end, end});
}

/// A block 6 x 4 x 2 with a groove along x: a cylinder of radius 0.8 whose axis lies 0.2 above the top.
Cell make_groove() {
  std::vector<Quadric> surfaces = calc_constraints(Box{Vec3(6, 4, 2)});
  const Quadric side = calc_constraints(Cylinder{0.8, 1, Vec3::UnitX()})[0];
  surfaces.push_back(calc_complement(calc_transformed(side, at(0, 0, 1.2))));
  return std::get<Cell>(make_cell(surfaces));
}

TEST(VolumeChords, SteinmetzSolid) {
  // Two crossed cylinders of radius r: 16 r^3/3, whatever the frame.
  Random random(2);
  for (double accuracy : {1e-4, 1e-6, 1e-8}) {
    const Transform X = make_random_pose(random, 10);
    const Cylinder a{0.5, 3, Vec3::UnitX()}, b{0.5, 3, Vec3::UnitY()};
    const InterferenceRegion region = calc(a, X, b, X, accuracy);
    EXPECT_EQ(region.method, RegionMethod::chords);
    EXPECT_TRUE(region.converged);
    EXPECT_NEAR(region.volume / (16.0 / 3 * 0.125), 1, accuracy);
    EXPECT_LT((region.centroid - X.p).norm(), accuracy);
  }
}

TEST(VolumeChords, SteinmetzSolidWithItsPolesAnywhere) {
  // 16 r^3/3, the axes turned in the frame of the bodies: the poles, where both cylinders touch, fall on any slice.
  Random random(2);
  for (int n = 0; n < 60; ++n) {
    const Mat3 Q = make_random_pose(random, 1).R;
    const double r = random.uniform(0.3, 0.8);
    for (double accuracy : {1e-6, 1e-8}) {
      const InterferenceRegion region = calc(Cylinder{r, 3, Q.col(0)}, {}, Cylinder{r, 3, Q.col(1)}, {}, accuracy);
      EXPECT_TRUE(region.converged) << n;
      EXPECT_NEAR(region.volume / (16.0 / 3 * r * r * r), 1, accuracy) << n;
    }
  }
}

TEST(VolumeChords, SurfacesAlongTheChordsCountForTheDerivative) {
  // Inside the other body nothing changes with a motion: the vector area of the whole surface is zero. A bore square to
  // the box' faces, and a box whose sides stand along the normal given.
  RegionOptions options;
  options.accuracy = 1e-8;
  options.normal = Vec3::UnitZ();
  const InterferenceRegion inside = calc_interference(Ellipsoid{Vec3(2, 2, 2)}, {}, Box{Vec3(1, 1, 1)}, {}, options);
  EXPECT_LT(inside.dV_dx.norm(), 1e-6);
  // A box half in the cylinder: only its end inside moves the region, dV_dx = -area of the section, along x.
  const InterferenceRegion half =
      calc_interference(Cylinder{1, 4, Vec3::UnitX()}, {}, Box{Vec3(1, 0.5, 0.5)}, at(2, 0, 0), options);
  EXPECT_NEAR(half.volume, 0.125, 1e-8);
  EXPECT_LT((half.dV_dx - Vec3(-0.25, 0, 0)).norm(), 1e-6);
}

TEST(VolumeChords, BallInGrooveAndInBore) {
  const Cell groove = make_groove();
  for (double depth : {1e-6, 1e-4, 0.01, 0.1})
    for (double accuracy : {1e-4, 1e-6, 1e-8}) {
      const double r = 0.7, R = 0.8, e = R - r + depth, exact = calc_ball_in_bore(r, R, e);
      const InterferenceRegion in_groove = calc(groove, {}, Sphere{r}, at(0.3, 0, 1.2 - e), accuracy);
      // The lune itself loses digits as the region gets thin: 1e-16/depth^1.5 of rounding.
      const double slack = accuracy + 1e-15 / std::pow(depth, 1.5);
      EXPECT_NEAR(in_groove.volume / exact, 1, slack) << depth;
      const InterferenceRegion in_bore =
          calc(HollowCylinder{R, Vec3::UnitX()}, at(0, 0, 1.2), Sphere{r}, at(0.3, 0, 1.2 - e), accuracy);
      EXPECT_NEAR(in_bore.volume / exact, 1, slack) << depth;
      EXPECT_NEAR(in_groove.centroid.x(), 0.3, 1e-6);
      EXPECT_NEAR(in_groove.centroid.y(), 0, 1e-6);
    }
}

TEST(VolumeChords, BallOnBothRimsOfTheGroove) {
  // A ball too large for the groove rests on its rims: two regions apart, mirror images.
  const Cell groove = make_groove();
  const InterferenceRegion region = calc(groove, {}, Sphere{1.2}, at(0.3, 0, 1.9), 1e-8);
  const VolumeBounds bounds = calc_interference_bounds(groove, {}, Sphere{1.2}, at(0.3, 0, 1.9), 1e-3, 400000);
  EXPECT_LE(bounds.lower, region.volume);
  EXPECT_GE(bounds.upper, region.volume);
  EXPECT_NEAR(region.centroid.y(), 0, 1e-9);
  EXPECT_NEAR(region.dV_dx.y(), 0, 1e-9);
}

TEST(VolumeChords, CellHasItsVolume) {
  // 48 less six times the circular segment of the groove below the top.
  const double segment = 0.64 * std::acos(0.25) - 0.2 * std::sqrt(0.6);
  EXPECT_NEAR(make_groove().unit_density.mass / (48 - 6 * segment), 1, 1e-10);
}

TEST(VolumeChords, SphereRollingOverABoxEdge) {
  const double r = 0.5, depth = 0.02, cap = pi * depth * depth * (3 * r - depth) / 3;
  const Box box{Vec3(2, 2, 2)};
  // Far from the edge the whole cap, exactly above it half, then less and less, without a jump.
  double last = cap;
  for (double x : {0.5, 0.8, 0.859, 0.8600001, 0.9, 0.99, 1.0, 1.01, 1.1, 1.13}) {
    const double V = calc(Sphere{r}, at(x, 0, 1 + r - depth), box, {}, 1e-8).volume;
    EXPECT_LE(V, last * (1 + 1e-8)) << x;
    if (x < 0.86) {
      EXPECT_NEAR(V / cap, 1, 1e-8);
    }
    if (x == 1.0) {
      EXPECT_NEAR(V / (0.5 * cap), 1, 1e-8);
    }
    last = V;
  }
  // The corner leaves a quarter.
  EXPECT_NEAR(calc(Sphere{r}, at(1, 1, 1 + r - depth), box, {}, 1e-8).volume / (0.25 * cap), 1, 1e-8);
}

TEST(VolumeChords, CylinderStandingTiltingLyingOnABox) {
  const Cylinder cylinder{0.4, 1.1, Vec3::UnitZ()};
  for (double tilt : {0.0, 1e-9, 1e-4, 0.05, 0.7, 1.5, pi / 2}) {
    const double lowest = 0.55 * std::cos(tilt) + 0.4 * std::sin(tilt);
    const Transform X{make_rotation_x(tilt), Vec3(0.1, 0.05, lowest - 0.02)};
    const InterferenceRegion exact = calc_interference(cylinder, X, HalfSpace{}, {});
    const InterferenceRegion region = calc(cylinder, X, Box{Vec3(4, 4, 1)}, at(0, 0, -0.5), 1e-8);
    EXPECT_TRUE(region.converged) << tilt;
    EXPECT_NEAR(region.volume / exact.volume, 1, 1e-8) << tilt;
    EXPECT_LT((region.centroid - exact.centroid).norm(), 1e-7) << tilt;
    EXPECT_LT((region.dV_dx - exact.dV_dx).norm(), 1e-6) << tilt;
  }
}

TEST(VolumeChords, TinyOverlaps) {
  // Depth 1e-9 of the size: a cap, seen by the general method. The depth is known to 1e-16, so V to 1e-6.
  for (double depth : {1e-9, 1e-7, 1e-5}) {
    const double z = 1.5 - depth, h = 1.5 - z;
    const InterferenceRegion region = calc(Sphere{0.5}, at(0.123, 0.3, z), Box{Vec3(2, 2, 2)}, {}, 1e-8);
    EXPECT_NEAR(region.volume / (pi * h * h * (1.5 - h) / 3), 1, 1e-8 + 2e-15 / depth) << depth;
    const InterferenceRegion ellipsoids =
        calc(Ellipsoid{Vec3::Constant(0.5)}, at(0.123, 0.3, z), Ellipsoid{Vec3::Constant(1)}, at(0.123, 0.3, 0), 1e-8);
    const InterferenceRegion lens = calc_interference(Sphere{0.5}, at(0, 0, z), Sphere{1}, {});
    EXPECT_NEAR(ellipsoids.volume / lens.volume, 1, 1e-8 + 4e-15 / depth) << depth;
  }
}

}  // namespace
}  // namespace stiction
