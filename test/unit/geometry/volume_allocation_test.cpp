#include <gtest/gtest.h>

#include "test/unit/multibody/allocation_counter.h"
#include "volume_tools.h"

namespace stiction {
namespace {

TEST(VolumeAllocation, ClosedFormsAndBoxesAllocateNothing) {
  const Shape wedge = std::get<Polytope>(make_polytope({Vec3(-1, -1, -0.5), Vec3(-1, 1, -0.5), Vec3(1, -1, -0.5),
                                                        Vec3(1, 1, -0.5), Vec3(-1, -1, 0.5), Vec3(-1, 1, 0.5)}));
  const std::pair<Shape, Shape> pairs[] = {
      {Sphere{1}, HalfSpace{}},
      {Ellipsoid{Vec3(1, 0.8, 0.6)}, HalfSpace{}},
      {Box{Vec3(1, 2, 1.5)}, HalfSpace{}},
      {Cylinder{0.5, 2}, HalfSpace{}},
      {Capsule{0.5, 1}, HalfSpace{}},
      {Cone{0.5, 1}, HalfSpace{}},
      {Sphere{1}, Sphere{0.6}},
      {Box{Vec3(1, 2, 1.5)}, Box{Vec3(1.2, 0.9, 1.1)}},
      {wedge, HalfSpace{}},
      {wedge, Box{Vec3(1.2, 0.9, 1.1)}},
      {wedge, wedge},
  };
  const Transform X = turned(Vec3(0.3, -0.2, 0.5), Vec3(0.1, 0.2, 0.05));
  for (const auto& [A, B] : pairs) {
    double volume = calc_interference(A, X, B, {}).volume;  // rules of quadrature are made once
    EXPECT_GT(volume, 0) << A.index() << "-" << B.index();
    const std::int64_t before = count_allocations();
    for (int n = 0; n < 10; ++n) volume += calc_interference(A, X, B, {}).volume;
    EXPECT_EQ(count_allocations(), before) << A.index() << "-" << B.index();
  }
}

TEST(VolumeAllocation, NorDoesABallOnEdgesAndCorners) {
  const Shape ball = Sphere{0.5}, box = Box{Vec3(2, 2, 2)};
  for (const Vec3& centre : {Vec3(0, 0, 1.48), Vec3(1.1, 0, 1.4), Vec3(1, -1, 1.45)}) {
    const std::int64_t before = count_allocations();
    EXPECT_GT(calc_interference(box, {}, ball, {Mat3::Identity(), centre}).volume, 0);
    EXPECT_EQ(count_allocations(), before);
  }
}

}  // namespace
}  // namespace stiction
