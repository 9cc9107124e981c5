#include <gtest/gtest.h>

#include "volume_tools.h"

namespace stiction {
namespace {

using std::numbers::pi;

TEST(VolumeOctree, BoundsHoldAndNarrow) {
  const double R = 0.7, h = 0.3, exact = pi * h * h * (3 * R - h) / 3;
  double last_width = 1;
  for (long cells : {100L, 1000L, 10000L, 100000L}) {
    const VolumeBounds bounds = calc_interference_bounds(Sphere{R}, at(1, 2, R - h), HalfSpace{}, {}, 1e-9, cells);
    EXPECT_LE(bounds.lower, exact);
    EXPECT_GE(bounds.upper, exact);
    EXPECT_LE(bounds.cells, cells);
    const double width = (bounds.upper - bounds.lower) / exact;
    EXPECT_LT(width, last_width);
    last_width = width;
  }
  // Planes bound a quadric to second order: 1e5 cells leave less than a thousandth.
  EXPECT_LT(last_width, 2e-3);
}

TEST(VolumeOctree, StopsAtTheAccuracyAskedFor) {
  const VolumeBounds bounds =
      calc_interference_bounds(Cylinder{0.5, 1}, {}, Sphere{0.6}, at(0.3, 0, 0.4), 0.01, 1000000);
  EXPECT_TRUE(bounds.middle.converged);
  EXPECT_LE(bounds.upper - bounds.lower, 0.01 * bounds.upper);
  EXPECT_LT(bounds.cells, 200000);
  const InterferenceRegion region = calc_interference(Cylinder{0.5, 1}, {}, Sphere{0.6}, at(0.3, 0, 0.4));
  EXPECT_NEAR(bounds.middle.volume / region.volume, 1, 0.01);
  EXPECT_LT((bounds.middle.centroid - region.centroid).norm(), 0.01);
}

TEST(VolumeOctree, ApartAndUnbounded) {
  const VolumeBounds apart = calc_interference_bounds(Sphere{1}, {}, Sphere{1}, at(1.9, 1.9, 0), 1e-3, 10000);
  EXPECT_EQ(apart.upper, 0);
  const VolumeBounds open = calc_interference_bounds(HalfSpace{}, {}, HollowSphere{1}, {}, 1e-3, 10000);
  EXPECT_EQ(open.lower, 0);
  EXPECT_TRUE(std::isinf(open.upper));
  EXPECT_FALSE(open.middle.converged);
}

}  // namespace
}  // namespace stiction
