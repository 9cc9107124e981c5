// Gaps of convex bodies apart against the Flexible Collision Library (Pan, Chitta, Manocha 2012), whose GJK works on
// support maps of the same exact shapes and shares no code with ours.
#include <fcl/fcl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "stiction/base/random.h"
#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr int n_kinds = 6;
const char* const kind_names[n_kinds] = {"sphere", "box", "capsule", "cylinder", "cone", "ellipsoid"};

/// One shape in both libraries.
struct Twin {
  Shape shape;
  std::shared_ptr<fcl::CollisionGeometryd> geometry;
  double lift = 0;  ///< of the origin of fcl's shape along z: its cone has it at half the height
};

Twin make_twin(Random& random, int kind) {
  const auto size = [&] { return 0.1 * std::pow(20, random.uniform()); };
  const double a = size(), b = size(), c = size();
  switch (kind) {
    case 0:
      return {Sphere{a}, std::make_shared<fcl::Sphered>(a)};
    case 1:
      return {Box{Vec3(a, b, c)}, std::make_shared<fcl::Boxd>(a, b, c)};
    case 2:
      return {Capsule{a, b, Vec3::UnitZ()}, std::make_shared<fcl::Capsuled>(a, b)};
    case 3:
      return {Cylinder{a, b, Vec3::UnitZ()}, std::make_shared<fcl::Cylinderd>(a, b)};
    case 4:
      return {Cone{a, b, Vec3::UnitZ()}, std::make_shared<fcl::Coned>(a, b), 0.5 * b};
    default:
      return {Ellipsoid{Vec3(a, b, c)}, std::make_shared<fcl::Ellipsoidd>(a, b, c)};
  }
}

Transform make_pose(Random& random, double distance) {
  const auto vector = [&](double s) {
    return Vec3(random.uniform(-s, s), random.uniform(-s, s), random.uniform(-s, s));
  };
  return {calc_matrix(calc_exponential(vector(2.5))), vector(distance)};
}

double calc_fcl_distance(const Twin& A, const Transform& X_A, const Twin& B, const Transform& X_B) {
  const auto place = [](const Twin& twin, const Transform& X) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.linear() = X.R;
    pose.translation() = X.p + twin.lift * X.R.col(2);
    return fcl::CollisionObjectd(twin.geometry, pose);
  };
  const fcl::CollisionObjectd a = place(A, X_A), b = place(B, X_B);
  fcl::DistanceRequestd request;
  request.gjk_solver_type = fcl::GST_INDEP;
  request.distance_tolerance = 1e-9;
  fcl::DistanceResultd result;
  return fcl::distance(&a, &b, request, result);
}

TEST(Fcl, GapsOfRandomConvexPairsAgree) {
  Random random(31);
  int compared = 0, stalled = 0;
  for (int n = 0; n < 6000; ++n) {
    const int kind_a = n % n_kinds, kind_b = n / n_kinds % n_kinds;
    const Twin A = make_twin(random, kind_a), B = make_twin(random, kind_b);
    const Transform X_A = make_pose(random, 1), X_B = make_pose(random, 2.5);
    const ClosestPoints closest = calc_closest(A.shape, X_A, B.shape, X_B);
    const double distance = calc_fcl_distance(A, X_A, B, X_B), size = calc_size(A.shape) + calc_size(B.shape);
    if (closest.gap < 1e-3 * size) continue;
    ++compared;
    EXPECT_TRUE(closest.certified) << n;
    // fcl's GJK stops at 1e-6; now and then it stalls above the distance, which our points attain.
    EXPECT_LT(closest.gap, distance + 1e-6 * size) << n << " " << kind_names[kind_a] << "-" << kind_names[kind_b];
    if (distance > closest.gap + 1e-6 * size) ++stalled;
  }
  EXPECT_LE(stalled, 3);
  EXPECT_GT(compared, 3000);
}

}  // namespace
}  // namespace stiction
