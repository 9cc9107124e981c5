#include "stiction/contact/pair_bound.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/geometry/closest/closest.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Never above the gap of the exact solver, and above 0 for most of the pairs that are apart by half of their size.
TEST(PairBound, IsBelowTheGap) {
  const Shape shapes[] = {
      Sphere{0.3},
      Box{Vec3(0.4, 0.2, 0.6)},
      Cylinder{0.2, 0.7},
      Capsule{0.1, 0.5},
      Cone{0.3, 0.5},
      Ellipsoid{Vec3(0.3, 0.2, 0.1)},
      std::get<Polytope>(make_polytope({Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(0, 0.4, 0), Vec3(0, 0, 0.3)}))};
  Random random(5);
  int apart = 0, seen = 0;
  for (const Shape& A : shapes) {
    for (const Shape& B : shapes) {
      const ShapeBound of_a = calc_shape_bound(A), of_b = calc_shape_bound(B);
      for (int n = 0; n < 20; ++n) {
        const auto pose = [&] {
          const auto vector = [&](double size) {
            return Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
          };
          return Transform{calc_matrix(calc_exponential(vector(2.5))), vector(0.5)};
        };
        const Transform X_WA = pose(), X_WB = pose();
        const double bound = calc_bounding_gap({A, of_a, X_WA}, {B, of_b, X_WB});
        const double gap = calc_closest(A, X_WA, B, X_WB).gap;
        ASSERT_GE(bound, 0);
        if (bound > 0) {
          ASSERT_LE(bound, gap + 1e-12) << A.index() << " " << B.index();
        }
        EXPECT_EQ(bound > 0, calc_bounding_gap({B, of_b, X_WB}, {A, of_a, X_WA}) > 0);
        if (gap < 0.2) continue;
        ++seen, apart += bound > 0;
      }
    }
  }
  EXPECT_GT(seen, 100);
  EXPECT_GT(apart, 0.9 * seen);
}

TEST(PairBound, UnboundedShapesHaveNone) {
  const Shape plane = HalfSpace{}, ball = Sphere{0.1};
  const Transform X_WS{Mat3::Identity(), Vec3(0, 0, 5)};
  EXPECT_EQ(calc_bounding_gap({plane, calc_shape_bound(plane), {}}, {ball, calc_shape_bound(ball), X_WS}), 0);
}

}  // namespace
}  // namespace stiction
