#include "stiction/geometry/closest/face_gap.h"

#include <gtest/gtest.h>

#include "closest_pairs.h"

namespace stiction {
namespace {

Polytope draw_hull(Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 9; ++i)
    points.emplace_back(random.uniform(-1, 1), random.uniform(-0.5, 0.5), random.uniform(-0.7, 0.7));
  return std::get<Polytope>(make_polytope(points));
}

// Never above the gap; it tells more than half of the pairs apart that are (a face of a box is left to its bounding
// box).
TEST(FaceGap, IsALowerBoundOfTheGap) {
  Random random(5);
  int apart = 0, told = 0;
  for (int i = 0; i < 400; ++i) {
    const Shape A = draw_hull(random), box = Box{Vec3(1, 0.8, 0.6)}, hull = draw_hull(random);
    const Shape& B = i % 2 ? box : hull;
    const Transform X_WA = test::make_pose(random, 0.5), X_WB = test::make_pose(random, 2);
    const double gap = calc_closest(A, X_WA, B, X_WB).gap;
    const double bound = calc_face_gap(A, X_WA, B, X_WB), other = calc_face_gap(B, X_WB, A, X_WA);
    ASSERT_LE(bound, std::max(gap, 0.0) + 1e-12) << i;
    ASSERT_EQ(bound > 0, other > 0) << i;
    if (gap < 1e-3) continue;
    ++apart;
    if (bound > 0) ++told;
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(told, apart / 2);
}

TEST(FaceGap, SaysNothingOfRoundShapes) {
  EXPECT_EQ(calc_face_gap(Sphere{1}, {}, Box{Vec3::Ones()}, {Mat3::Identity(), Vec3(5, 0, 0)}), 0);
}

}  // namespace
}  // namespace stiction
