// Support maps, curvature, bounds and implicit functions of every shape against each other and against closed forms.
#include "stiction/geometry/shape/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/base/random.h"
#include "stiction/geometry/shape/cell.h"

#include "test/support/shapes.h"

namespace stiction {
namespace {

Vec3 random_direction(Random& random) {
  Vec3 d;
  do {
    d = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  } while (d.norm() > 1 || d.norm() < 0.1);
  return d.normalized();
}

class EveryBoundedShape : public testing::TestWithParam<int> {};

// Definition of the support map: no other point of the surface is farther out, here the support points of other
// directions; and the point lies on the surface. Of the torus it is the support map of its hull, of the grooved
// block that of the whole block: both have their extreme points on the shape itself.
TEST_P(EveryBoundedShape, support_points_are_the_farthest) {
  const NamedShape named = list_bounded_shapes()[static_cast<std::size_t>(GetParam())];
  Random random(7);
  std::vector<Vec3> points;
  for (int i = 0; i < 300; ++i) {
    const Vec3 d = random_direction(random);
    const Vec3 p = calc_support(named.shape, d);
    EXPECT_NEAR(calc_implicit(named.shape, p), 0, 1e-12 * calc_size(named.shape)) << named.name;
    for (const Vec3& other : points) EXPECT_LE(d.dot(other), d.dot(p) + 1e-12 * calc_size(named.shape)) << named.name;
    points.push_back(p);
  }
}

// The support Hessian is the derivative of the support point (central differences, error O(h^2) = 1e-8).
TEST_P(EveryBoundedShape, support_hessian_is_the_derivative_of_the_support_point) {
  const NamedShape named = list_bounded_shapes()[static_cast<std::size_t>(GetParam())];
  Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Vec3 n = random_direction(random);
    const auto H = calc_support_hessian(named.shape, n);
    if (!H) continue;
    EXPECT_NEAR((*H * n).norm(), 0, 1e-9 * H->norm());
    for (int axis = 0; axis < 3; ++axis) {
      const double h = 1e-5;
      const Vec3 difference =
          (calc_support(named.shape, n + h * Vec3::Unit(axis)) - calc_support(named.shape, n - h * Vec3::Unit(axis))) /
          (2 * h);
      EXPECT_LT((difference - H->col(axis)).norm(), 1e-5 * H->norm()) << named.name;
    }
  }
}

// On a smooth strictly convex surface the curvature is the inverse of the support Hessian on the tangent plane: two
// independent formulas.
TEST_P(EveryBoundedShape, curvature_inverts_the_support_hessian) {
  const NamedShape named = list_bounded_shapes()[static_cast<std::size_t>(GetParam())];
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const Vec3 n = random_direction(random);
    const auto H = calc_support_hessian(named.shape, n);
    if (!H) continue;
    const SurfacePoint s = calc_surface_point(named.shape, calc_support(named.shape, n), n);
    EXPECT_LT((s.normal - n).norm(), 1e-9) << named.name;
    const Mat3 P = Mat3::Identity() - n * n.transpose();
    EXPECT_LT((s.curvature * *H - P).norm(), 1e-6) << named.name;
  }
}

// The gradient of the implicit function is its derivative.
TEST_P(EveryBoundedShape, implicit_gradient_is_the_derivative) {
  const NamedShape named = list_bounded_shapes()[static_cast<std::size_t>(GetParam())];
  Random random(10);
  const double size = calc_size(named.shape);
  for (int i = 0; i < 50; ++i) {
    const Vec3 x = 1.5 * size * random_direction(random);
    const Vec3 gradient = calc_implicit_gradient(named.shape, x);
    for (int axis = 0; axis < 3; ++axis) {
      const double h = 1e-6 * size;
      const double difference = (calc_implicit(named.shape, x + h * Vec3::Unit(axis)) -
                                 calc_implicit(named.shape, x - h * Vec3::Unit(axis))) /
                                (2 * h);
      EXPECT_NEAR(gradient[axis], difference, 1e-5 * std::max(1.0, gradient.norm())) << named.name;
    }
  }
}

// The box touches the shape on all sides: its faces are at the support points (tight for all but those said not to be).
TEST_P(EveryBoundedShape, bounds_hold_the_shape) {
  const NamedShape named = list_bounded_shapes()[static_cast<std::size_t>(GetParam())];
  Random random(11);
  const Transform X{calc_matrix(make_axis_angle(random_direction(random), 0.7)), Vec3(0.3, -2, 5)};
  const Bounds box = calc_bounds(named.shape, X);
  const bool tight = !std::holds_alternative<Cell>(named.shape) && !std::holds_alternative<Parametric>(named.shape);
  if (std::holds_alternative<Cell>(named.shape) && !is_convex(named.shape)) return;
  for (int i = 0; i < 3; ++i) {
    const Vec3 d = X.R.row(i);
    const double upper = (X * calc_support(named.shape, d))[i], lower = (X * calc_support(named.shape, -d))[i];
    EXPECT_GE(box.upper[i], upper - 1e-12);
    EXPECT_LE(box.lower[i], lower + 1e-12);
    if (!tight) continue;
    EXPECT_NEAR(box.upper[i], upper, 1e-12);
    EXPECT_NEAR(box.lower[i], lower, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryBoundedShape, testing::Range(0, static_cast<int>(list_bounded_shapes().size())),
                         [](const auto& entry) {
                           return list_bounded_shapes()[static_cast<std::size_t>(entry.param)].name;
                         });

// Principal curvatures of a torus (do Carmo, Differential Geometry, section 3-3): 1/r and cos v/(R + r cos v).
TEST(SurfacePoint, torus_has_the_textbook_curvatures) {
  const Torus torus{2, 0.5, Vec3::UnitZ()};
  for (const double v : {0.0, 0.4, 1.5, 2.8}) {
    const Vec3 n(std::cos(v), 0, std::sin(v));
    const SurfacePoint s = calc_surface_point(torus, Vec3(2, 0, 0) + 0.5 * n, n);
    const Vec3 around = Vec3::UnitY(), along = around.cross(n);
    EXPECT_NEAR(around.dot(s.curvature * around), std::cos(v) / (2 + 0.5 * std::cos(v)), 1e-14);
    EXPECT_NEAR(along.dot(s.curvature * along), 2, 1e-13);
  }
}

TEST(SurfacePoint, hollow_shapes_curve_the_other_way) {
  const SurfacePoint s = calc_surface_point(HollowSphere{2}, Vec3(0, 0, -2), Vec3::UnitZ());
  EXPECT_LT((s.normal - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_NEAR(s.curvature(0, 0), -0.5, 1e-15);
  const SurfacePoint c = calc_surface_point(HollowCylinder{2, Vec3::UnitX()}, Vec3(7, 0, -2), Vec3::UnitZ());
  EXPECT_NEAR(c.curvature(1, 1), -0.5, 1e-15);
  EXPECT_NEAR(c.curvature(0, 0), 0, 1e-15);
}

// A box corner: the normal (1, 1, 1)/sqrt 3 is an equal mix of three faces; on an edge of two; on a face of one.
TEST(SurfaceFeature, tells_face_edge_and_corner) {
  const Box box{Vec3(2, 4, 6)};
  EXPECT_EQ(calc_surface_feature(box, Vec3(1, 0.5, 0.2), Vec3::UnitX()).count, 1);
  const SurfaceFeature edge = calc_surface_feature(box, Vec3(1, 2, 0.2), Vec3(0.6, 0.8, 0));
  ASSERT_EQ(edge.count, 2);
  EXPECT_NEAR(edge.weight[0] + edge.weight[1], 1.4, 1e-12);
  const SurfaceFeature corner = calc_surface_feature(box, Vec3(1, 2, 3), Vec3(1, 1, 1).normalized());
  ASSERT_EQ(corner.count, 3);
  EXPECT_NEAR(corner.weight[2], 1 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(calc_surface_feature(Cone{1, 2, Vec3::UnitZ(), 0}, Vec3(0, 0, 2), Vec3::UnitZ()).count, 3);
}

}  // namespace
}  // namespace stiction
