#include <gtest/gtest.h>

#include <vector>

#include "stiction/geometry/shape/shape_features.h"
#include "stiction/geometry/shape/surface.h"

#include "test/support/shapes.h"
#include "test/unit/geometry/closest_pairs.h"

namespace stiction {
namespace {

using namespace test;

Transform make_shift(double x, double y, double z) {
  return {Mat3::Identity(), Vec3(x, y, z)};
}
Mat3 make_turn(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}
void expect_vector(const Vec3& a, const Vec3& b) {
  EXPECT_LT((a - b).norm(), 1e-14) << a.transpose() << " is not " << b.transpose();
}

// gonthier-thesis-2007, A.2.1: x = (p_a - r_j)'n - h_j.
TEST(ClosestForms, SphereOnPlane) {
  const ClosestPoints c = calc_closest(HalfSpace{Vec3::UnitZ(), 0.25}, {}, Sphere{0.5}, make_shift(1, 2, 1.25));
  EXPECT_NEAR(c.gap, 0.5, 1e-15);
  expect_vector(c.point_a, Vec3(1, 2, 0.25));
  expect_vector(c.point_b, Vec3(1, 2, 0.75));
  EXPECT_TRUE(c.certified);
}

// A.2.2: over the edge the normal points from the edge to the centre; above the faces it is theirs.
TEST(ClosestForms, SphereOverAnEdge) {
  const Box box{Vec3(2, 2, 2)};
  expect_vector(calc_closest(box, {}, Sphere{0.5}, make_shift(0.9, 0, 1.3)).normal, Vec3::UnitZ());
  const ClosestPoints c = calc_closest(box, {}, Sphere{0.5}, make_shift(1.3, 0, 1.4));
  expect_vector(c.normal, Vec3(0.6, 0, 0.8));
  EXPECT_NEAR(c.gap, 0, 1e-15);
  expect_vector(c.point_a, Vec3(1, 0, 1));
}

// A.2.3, outside (r > 0) and inside.
TEST(ClosestForms, SphereAndCylinder) {
  const ClosestPoints outside = calc_closest(Cylinder{1, 10}, {}, Sphere{0.5}, make_shift(1.2, 1.6, 3));
  EXPECT_NEAR(outside.gap, 2 - 0.5 - 1, 1e-15);
  expect_vector(outside.normal, Vec3(0.6, 0.8, 0));
  const ClosestPoints inside = calc_closest(HollowCylinder{3}, {}, Sphere{0.5}, make_shift(1.2, 1.6, 3));
  EXPECT_NEAR(inside.gap, 3 - 2 - 0.5, 1e-15);
  expect_vector(inside.normal, Vec3(-0.6, -0.8, 0));
}

// A.2.4: beside the side its normal, over the apex the direction from there.
TEST(ClosestForms, SphereAndCone) {
  const Cone cone{3, 4};
  const Vec3 n(0.8, 0, 0.6), on_side(1.5, 0, 2);
  const ClosestPoints side = calc_closest(cone, {}, Sphere{0.5}, {Mat3::Identity(), on_side + 0.75 * n});
  EXPECT_NEAR(side.gap, 0.25, 1e-15);
  expect_vector(side.normal, n);
  const ClosestPoints apex = calc_closest(cone, {}, Sphere{0.5}, make_shift(0.3, 0, 4.4));
  EXPECT_NEAR(apex.gap, 0, 1e-15);
  expect_vector(apex.normal, Vec3(0.6, 0, 0.8));
}

TEST(ClosestForms, OtherPairs) {
  // Two capsules crossed at a height.
  EXPECT_NEAR(calc_closest(Capsule{0.1, 2}, {}, Capsule{0.2, 2, Vec3::UnitX()}, make_shift(0, 1, 0)).gap, 0.7, 1e-14);
  // A sphere over the ring of a torus, in its hole, and inside a hollow sphere.
  EXPECT_NEAR(calc_closest(Torus{2, 0.5}, {}, Sphere{0.25}, make_shift(2, 0, 1)).gap, 0.25, 1e-15);
  EXPECT_NEAR(calc_closest(Torus{2, 0.5}, {}, Sphere{0.25}, make_shift(0.5, 0, 0)).gap, 0.75, 1e-15);
  EXPECT_NEAR(calc_closest(HollowSphere{2}, {}, Box{Vec3(1, 1, 1)}, {}).gap, 2 - std::sqrt(0.75), 1e-15);
  // Coaxial ellipsoid and cylinder cap; boxes face to face, overlapping by 0.1; cylinders side by side.
  EXPECT_NEAR(calc_closest(Ellipsoid{Vec3(1, 2, 3)}, {}, Cylinder{1, 2}, make_shift(0, 0, 5)).gap, 1, 1e-14);
  EXPECT_NEAR(calc_closest(Box{Vec3(1, 1, 1)}, {}, Box{Vec3(1, 1, 1)}, make_shift(0.9, 0.2, 0.3)).gap, -0.1, 1e-14);
  EXPECT_NEAR(calc_closest(Cylinder{0.5, 1}, {}, Cylinder{0.25, 1}, make_shift(1, 0, 0.3)).gap, 0.25, 1e-14);
  // Cylinders crossed at right angles, side against side.
  EXPECT_NEAR(calc_closest(Cylinder{0.5, 4}, {}, Cylinder{0.25, 4, Vec3::UnitX()}, make_shift(0, 1, 0)).gap, 0.25,
              1e-14);
}

// Ball in a groove: a block with a half-round channel; the ball touches its wall from inside.
TEST(ClosestForms, BallInGroove) {
  std::vector<Quadric> f;
  for (int i = 0; i < 3; ++i) {
    f.push_back(make_plane_quadric(Vec3::Unit(i), 1));
    f.push_back(make_plane_quadric(-Vec3::Unit(i), 1));
  }
  // Axis along x at z = 1, radius 0.5.
  const Mat3 P = Vec3(0, 1, 1).asDiagonal();
  f.push_back(calc_complement({P, Vec3(0, 0, -1), 1 - 0.25}));
  const Shape block = std::get<Cell>(make_cell(f));
  const ClosestPoints deep = calc_closest(block, {}, Sphere{0.3}, make_shift(0.1, 0, 0.79));
  EXPECT_TRUE(deep.certified);
  EXPECT_NEAR(deep.gap, 0.5 - 0.21 - 0.3, 1e-13);
  EXPECT_LT((deep.normal - Vec3::UnitZ()).norm(), 1e-12);
  const ClosestPoints rim = calc_closest(block, {}, Sphere{0.3}, make_shift(0.1, 0.4, 1.3));
  EXPECT_TRUE(rim.certified);
  EXPECT_NEAR(rim.gap, std::sqrt(0.01 + 0.09) - 0.3, 1e-13);
}

// The gap of a cylinder over a plane and over a box as it tilts from flat through its edge to lying:
// h(n) = r |n_t| + l/2 |n_a| is the height of its centre.
TEST(ClosestForms, CylinderTiltsContinuously) {
  const Cylinder cylinder{0.5, 2};
  const std::vector<Shape> grounds{HalfSpace{}, Box{Vec3(20, 20, 2)}};
  for (const Shape& ground : grounds) {
    const double top = std::holds_alternative<Box>(ground) ? 1 : 0;
    for (double start : {0.0, M_PI / 2 - 1e-3})
      for (int k = -40; k <= 40; ++k) {
        const double angle = start + (k == 0 ? 0 : std::copysign(std::pow(10.0, -12 + 0.25 * std::abs(k)), k));
        const Transform X{make_turn(angle, Vec3::UnitX()), Vec3(0.3, 0.2, top + 1.1)};
        const ClosestPoints c = calc_closest(ground, {}, cylinder, X);
        EXPECT_TRUE(c.certified) << angle;
        EXPECT_NEAR(c.gap, 1.1 - 0.5 * std::abs(std::sin(angle)) - std::abs(std::cos(angle)), 1e-12) << angle;
        EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-9) << angle;
      }
  }
}

// A sphere rolls over the edge of a box: gap and normal change by no more than the motion allows.
TEST(ClosestForms, SphereRollsOverAnEdgeAndAnApex) {
  const std::vector<Shape> shapes{Box{Vec3(2, 2, 2)}, Cone{1, 1}, Cylinder{1, 2}};
  for (const Shape& shape : shapes) {
    ClosestPoints before;
    const double step = 1e-3;
    for (int k = 0; k < 3000; ++k) {
      const ClosestPoints c = calc_closest(shape, {}, Sphere{0.2}, make_shift(-1.5 + k * step, 0.013, 1.25));
      if (k > 0) {
        EXPECT_LE(std::abs(c.gap - before.gap), step * (1 + 1e-9));
        // Outside, the centre is at least 0.2 away: the direction turns by at most step / distance.
        EXPECT_LE((c.normal - before.normal).norm(), step / (c.gap + 0.2) * 1.01);
      }
      before = c;
    }
  }
}

TEST(ClosestForms, SwapFrameAndWarmStart) {
  Random random(21);
  for (int i = 1; i < kShapeKinds; ++i)
    for (int j = i; j < kShapeKinds; ++j) {
      if (i >= 10 || j >= 10) continue;
      const Shape A = make_random_shape(random, i, 1), B = make_random_shape(random, j, 1);
      const double size = calc_size(A) + calc_size(B);
      const Transform X_WA = make_pose(random, 0.5),
                      X_WB{make_pose(random, 1).R, X_WA.p + 1.2 * size * make_direction(random)};
      ClosestCache cache;
      const ClosestPoints c = calc_closest(A, X_WA, B, X_WB, &cache);
      if (c.gap <= 0) continue;  // the shortest way out need not be unique
      const ClosestPoints warm = calc_closest(A, X_WA, B, X_WB, &cache);
      const ClosestPoints swapped = calc_closest(B, X_WB, A, X_WA);
      const Transform X_VW = make_pose(random, 2);
      const ClosestPoints moved = calc_closest(A, X_VW * X_WA, B, X_VW * X_WB);
      EXPECT_NEAR(warm.gap, c.gap, 3e-12 * size) << i << "-" << j;
      EXPECT_NEAR(swapped.gap, c.gap, 3e-12 * size) << i << "-" << j;
      EXPECT_NEAR(moved.gap, c.gap, 3e-12 * size) << i << "-" << j;
      // An error e of the certificate turns the normal by up to sqrt(e).
      EXPECT_LT((swapped.normal + c.normal).norm(), 1e-5) << i << "-" << j;
      EXPECT_LT((moved.normal - X_VW.R * c.normal).norm(), 1e-5) << i << "-" << j;
    }
}

// A point is a ball of radius 0: it is farther away than a ball about it by the ball's radius. On the surface its gap
// is 0, and 1 mm further in it is 1 mm deep; less from an edge, where the way in may lead out at the other side.
TEST(ClosestForms, APointIsTheCentreOfABall) {
  std::vector<NamedShape> shapes = list_bounded_shapes();
  shapes.insert(shapes.end(), {{"half-space", HalfSpace{Vec3(0.6, 0, 0.8), 0.2}},
                               {"hollow sphere", HollowSphere{3}},
                               {"hollow cylinder", HollowCylinder{3}},
                               {"point", Sphere{0}}});
  Random random(23);
  for (const NamedShape& named : shapes) {
    int compared = 0;
    for (int i = 0; i < 50; ++i) {
      const double radius = random.uniform(0.01, 0.3);
      const Transform X = make_pose(random, 0.2);
      const Vec3 place = random.uniform(0.2, 1.6) * make_direction(random);
      const auto find_point = [&](const Vec3& x) {
        return calc_closest(named.shape, X, Sphere{0}, {Mat3::Identity(), x});
      };
      const ClosestPoints ball = calc_closest(named.shape, X, Sphere{radius}, {Mat3::Identity(), place});
      const ClosestPoints point = find_point(place);
      EXPECT_TRUE(point.certified) << named.name << ' ' << i << ' ' << point.residual;
      if (!(ball.gap > 0)) continue;
      ++compared;
      EXPECT_NEAR(point.gap, ball.gap + radius, 1e-11) << named.name << ' ' << i;
      EXPECT_LT((point.normal - ball.normal).norm(), 1e-5) << named.name << ' ' << i;
      EXPECT_NEAR(calc_closest(Sphere{0}, {Mat3::Identity(), place}, named.shape, X).gap, point.gap, 1e-11);
      const ClosestPoints on = find_point(point.point_a), in = find_point(point.point_a - 1e-3 * point.normal);
      EXPECT_TRUE(on.certified) << named.name << ' ' << i << ' ' << on.residual;
      EXPECT_NEAR(on.gap, 0, 1e-11) << named.name << ' ' << i;
      if (calc_size(named.shape) == 0 && is_bounded(named.shape)) continue;  // another point has no inside
      EXPECT_TRUE(in.certified) << named.name << ' ' << i << ' ' << in.residual;
      EXPECT_LT(std::abs(in.gap), 1e-3 + 1e-11) << named.name << ' ' << i;
      const ShapeFeatures features = calc_features(named.shape);
      if (features.edges || features.flats) continue;
      EXPECT_NEAR(in.gap, -1e-3, 1e-11) << named.name << ' ' << i;
    }
    EXPECT_GT(compared, 5) << named.name;
  }
}

TEST(ClosestForms, TwoUnboundedShapesHaveNoGap) {
  const ClosestPoints c = calc_closest(HalfSpace{}, {}, HollowSphere{1}, {});
  EXPECT_FALSE(c.certified);
  const ClosestPoints parallel = calc_closest(HalfSpace{Vec3::UnitZ(), 1}, {}, HalfSpace{-Vec3::UnitZ(), -3}, {});
  EXPECT_TRUE(parallel.certified);
  EXPECT_NEAR(parallel.gap, 2, 1e-15);
}

}  // namespace
}  // namespace stiction
