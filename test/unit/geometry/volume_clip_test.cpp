#include <gtest/gtest.h>

#include "test/support/shapes.h"
#include "volume_tools.h"

namespace stiction {
namespace {

TEST(VolumeClip, BoxCornerIntoBoxCorner) {
  // Two boxes along the same axes overlap in a box.
  const InterferenceRegion region = calc_interference(Box{Vec3(1, 2, 3)}, {}, Box{Vec3(2, 1, 1)}, at(1.4, 1.3, 1.8));
  EXPECT_EQ(region.method, RegionMethod::clipping);
  EXPECT_NEAR(region.volume, 0.1 * 0.2 * 0.2, 1e-16);
  EXPECT_LT((region.centroid - Vec3(0.45, 0.9, 1.4)).norm(), 1e-15);
  EXPECT_LT((region.dV_dx - Vec3(-0.04, -0.02, -0.02)).norm(), 1e-15);
  // A corner turned down pierces a face: a tetrahedron d^3/(6 n1 n2 n3), n the face's normal seen from the box.
  const Vec3 n = Vec3(1, 2, 3).normalized();
  const Mat3 R = make_frame_with_z(n, Vec3::UnitX()).transpose();
  const double depth = 0.2;
  const Transform X{R, Vec3(0, 0, (R * Vec3(0.5, 0.5, 0.5)).z() - depth)};
  const double exact = depth * depth * depth / (6 * n.prod());
  EXPECT_NEAR(calc_interference(Box{Vec3::Ones()}, X, Box{Vec3(9, 9, 2)}, at(0, 0, -1)).volume / exact, 1, 1e-13);
  EXPECT_NEAR(calc_interference(Box{Vec3::Ones()}, X, HalfSpace{}, {}).volume / exact, 1, 1e-13);
}

TEST(VolumeClip, CoincidingFacesAndContainment) {
  const Box box{Vec3(1, 2, 3)};
  for (const Transform& X : {at(0, 0, 0), at(0.3, 0, 0), at(0, 1, 0), at(0.25, 0.5, 0.75)}) {
    const double exact = (1 - std::abs(X.p.x())) * (2 - std::abs(X.p.y())) * (3 - std::abs(X.p.z()));
    EXPECT_NEAR(calc_interference(box, {}, box, X).volume / exact, 1, 1e-14);
  }
  EXPECT_EQ(calc_interference(box, {}, box, at(1, 0, 0)).volume, 0);
  // Turned by angles near rounding: the surface stays closed.
  for (double angle : {1e-17, 1e-16, 1e-15, 1e-12, 1e-9}) {
    const Transform X{calc_matrix(calc_exponential(angle * Vec3(1, -2, 3))), Vec3(0.3, 0, 0)};
    EXPECT_NEAR(calc_interference(box, {}, box, X).volume / (0.7 * 2 * 3), 1, 1e-14 + 10 * angle) << angle;
  }
  const InterferenceRegion inside =
      calc_interference(box, {}, Box{Vec3(9, 9, 9)}, turned(Vec3(0.1, 0.2, 0.3), Vec3(1, 0, 0)));
  EXPECT_NEAR(inside.volume, 6, 1e-14);
  EXPECT_LT(inside.dV_dx.norm(), 1e-14);
}

TEST(VolumeClip, BoxesAsPolytopesAndAgainstBounds) {
  Random random(7);
  int touching = 0;
  for (int n = 0; n < 200; ++n) {
    const Vec3 a = Vec3(1.1, 1.1, 1.1) + make_random_vector(random, 1),
               b = Vec3(1.1, 1.1, 1.1) + make_random_vector(random, 1);
    const Transform X_A = make_random_pose(random, 1), X_B = make_random_pose(random, 1);
    const InterferenceRegion boxes = calc_interference(Box{a}, X_A, Box{b}, X_B);
    const InterferenceRegion mixed = calc_interference(Box{a}, X_A, make_box_polytope(b), X_B);
    const InterferenceRegion hulls = calc_interference(make_box_polytope(a), X_A, make_box_polytope(b), X_B);
    if (boxes.volume < 1e-9) continue;
    ++touching;
    for (const InterferenceRegion& other : {mixed, hulls}) {
      EXPECT_LT(calc_distance(other, boxes), 1e-10);
      EXPECT_LT((other.dV_dx - boxes.dV_dx).norm(), 1e-11);
      EXPECT_LT((other.dV_dr - boxes.dV_dr).norm(), 1e-11);
    }
    if (n % 20 == 0) {
      const VolumeBounds bounds = calc_interference_bounds(Box{a}, X_A, Box{b}, X_B, 1e-3, 100000);
      EXPECT_LE(bounds.lower, boxes.volume);
      EXPECT_GE(bounds.upper, boxes.volume);
    }
  }
  EXPECT_GT(touching, 50);
}

TEST(VolumeClip, DerivativesAgreeWithDifferences) {
  Random random(8);
  for (int n = 0; n < 20; ++n) {
    const Transform X_A = make_random_pose(random, 0.5), X_B = make_random_pose(random, 0.5);
    const Box a{Vec3(1, 1.3, 0.8)}, b{Vec3(0.9, 1.1, 1.4)};
    const InterferenceRegion region = calc_interference(a, X_A, b, X_B);
    if (region.volume < 1e-6) continue;
    const Vec3 dx = make_random_vector(random, 1e-5), dr = make_random_vector(random, 1e-5);
    // Central differences: an error of third order in the step where no corner passes a face.
    EXPECT_NEAR(difference(a, X_A, b, X_B, region.centroid, dx, dr, 1e-12), region.dV_dx.dot(dx) + region.dV_dr.dot(dr),
                1e-13);
  }
}

}  // namespace
}  // namespace stiction
