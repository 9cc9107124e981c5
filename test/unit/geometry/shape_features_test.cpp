// What shapes say of themselves.
#include "stiction/geometry/shape/shape_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/geometry/shape/surface.h"

#include "test/support/shapes.h"

namespace stiction {
namespace {

// Balls fixed in a shape touch any half-space where the shape does: at the depth of its support.
TEST(ShapeFeatures, SupportBallsTouchAsTheShapeDoes) {
  const Vec3 directions[] = {{0, 0, 1}, {1, 0, 0}, {-0.6, 0, 0.8}, {0.48, -0.6, 0.64}};
  int checked = 0;
  for (const Shape& shape :
       {Shape(Box{Vec3(1, 2, 3)}), Shape(Capsule{0.2, 1, Vec3(0.6, 0, 0.8)}), Shape(make_test_polytope())}) {
    for (const Vec3& n : directions) {
      double farthest = -std::numeric_limits<double>::infinity();
      for (const SupportBall& ball : list_support_balls(shape))
        farthest = std::max(farthest, n.dot(ball.centre) + ball.radius);
      EXPECT_NEAR(farthest, n.dot(calc_support(shape, n)), 1e-14);
      ++checked;
    }
    EXPECT_LE(calc_support(shape, Vec3::UnitX()).norm(), calc_reach(shape));
  }
  EXPECT_EQ(checked, 12);
  EXPECT_TRUE(list_support_balls(Sphere{1}).empty());
}

TEST(ShapeFeatures, Faces) {
  const Box box{Vec3(1, 2, 3)};
  EXPECT_TRUE(has_face(box, Vec3(0, -1, 0)));
  EXPECT_FALSE(has_face(box, Vec3(1e-6, 0, 1).normalized()));
  EXPECT_TRUE(has_face(Cylinder{1, 1, Vec3(0.6, 0, 0.8)}, Vec3(-0.6, 0, -0.8)));
  EXPECT_FALSE(has_face(Sphere{1}, Vec3::UnitX()));
  EXPECT_TRUE(has_face(HalfSpace{}, Vec3::UnitZ()));
  EXPECT_FALSE(has_face(HalfSpace{}, -Vec3::UnitZ()));
  EXPECT_TRUE(calc_features(box).faces && calc_features(box).edges);
  EXPECT_TRUE(calc_features(Superquadric{Vec3(1, 1, 1), 0.5, 1}).flats);
  EXPECT_FALSE(calc_features(Superquadric{Vec3(1, 1, 1), 1, 1}).flats);
}

}  // namespace
}  // namespace stiction
