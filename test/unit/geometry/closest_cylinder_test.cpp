#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stiction/geometry/shape/surface.h"

#include "test/unit/geometry/closest_pairs.h"

namespace stiction {
namespace {

using namespace test;

// A cylinder against a box or polytope. What is expected comes from g(n), the distance along n, whose largest value
// over all unit n is the signed gap (closest.h): no n may have more, and the certificate shows that n attains it.

struct CylinderCase {
  Cylinder A;
  Shape B;
  Transform X_WB;

  double calc_g(const Vec3& n) const {
    const double along = n.dot(A.axis);
    return n.dot(X_WB * calc_support(B, -(X_WB.R.transpose() * n))) - 0.5 * A.length * std::abs(along) -
           A.radius * (n - along * A.axis).norm();
  }
  /// The largest g over many directions, then over ever smaller crosses about the best of them: a lower bound of the
  /// gap.
  double search(Random& random) const {
    double best = -1e300;
    Vec3 n_best = Vec3::UnitZ();
    const auto attempt = [&](const Vec3& n) {
      const double g = calc_g(n);
      if (g > best) best = g, n_best = n;
    };
    for (int i = 0; i < 4000; ++i) attempt(make_direction(random));
    for (double step = 0.1; step > 1e-10; step *= 0.8)
      for (int i = 0; i < 8; ++i) attempt((n_best + step * make_direction(random)).normalized());
    return best;
  }
};
Shape make_block(Random& random, int i) {
  if (i % 3 != 0) return Box{Vec3(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1))};
  std::vector<Vec3> points;
  for (int k = 0; k < 10; ++k) points.push_back(0.4 * make_direction(random));
  return std::get<Polytope>(make_polytope(points));
}
void expect_certified(const CylinderCase& c, const std::string& what) {
  const ClosestPoints r = calc_closest(c.A, {}, c.B, c.X_WB), swapped = calc_closest(c.B, c.X_WB, c.A, {});
  const double size = calc_size(c.A) + calc_size(c.B);
  ASSERT_TRUE(r.certified && swapped.certified) << what << ": residual " << r.residual;
  EXPECT_LT(calc_closest_residual(c.A, {}, c.B, c.X_WB, r), 2e-12) << what;
  EXPECT_NEAR(r.gap, c.calc_g(r.normal), 1e-12 * size) << what;
  // The same work in the frame of the same body.
  EXPECT_NEAR(swapped.gap, r.gap, 1e-14 * size) << what;
}

TEST(ClosestCylinder, NoDirectionHasMore) {
  Random random(41);
  for (int i = 0; i < 300; ++i) {
    CylinderCase c{{random.uniform(0.05, 0.5), random.uniform(0.05, 1), make_direction(random)},
                   make_block(random, i),
                   make_pose(random, random.uniform(0, 1))};
    expect_certified(c, "random " + std::to_string(i));
    const ClosestPoints found = calc_closest(c.A, {}, c.B, c.X_WB);
    EXPECT_GT(found.gap, c.search(random) - 1e-12) << i;
    // At touching, and a little to either side.
    const double gap = i % 5 == 0 ? 0 : (i % 2 ? 1 : -1) * std::pow(10.0, random.uniform(-15, -3));
    c.X_WB.p += (gap - found.gap) * found.normal;
    expect_certified(c, "grazing " + std::to_string(i));
    const double after = calc_closest(c.A, {}, c.B, c.X_WB).gap;
    EXPECT_GT(after, c.search(random) - 1e-12) << "grazing " << i;
    EXPECT_GT(after, gap - 1e-13) << "grazing " << i;
  }
}

// Standing or lying on a box, inside its face, over its edge or flush with it, at tilts from none to 0.1 rad. Every
// point moves by at most the tilt times the box's radius, and with it the gap.
TEST(ClosestCylinder, IsCertifiedAndContinuousAtTinyTilts) {
  Random random(42);
  for (int i = 0; i < 100; ++i) {
    const bool standing = i % 2 == 0;
    const double r = random.uniform(0.05, 0.3), l = random.uniform(0.1, 0.6);
    CylinderCase c{{r, l, standing ? Vec3::UnitZ() : Vec3::UnitX()}, Box{Vec3(0.5, 0.4, 0.2)}, {}};
    const double places[] = {0, 0.25, 0.25 + (standing ? r : 0.5 * l) * 0.7, random.uniform(-0.3, 0.3)};
    const double gaps[] = {0, 1e-12, -1e-12, 1e-7, -1e-7, 1e-4, -1e-4}, turns[] = {0, 1e-9, M_PI / 2, 0.3};
    const double gap = gaps[random.index(7)];
    const Transform flat{
        Eigen::AngleAxisd(turns[random.index(4)], Vec3::UnitZ()).toRotationMatrix(),
        Vec3(places[random.index(4)], 0.9 * places[random.index(4)], -0.1 - (standing ? 0.5 * l : r) - gap)};
    c.X_WB = flat;
    const double at_rest = calc_closest(c.A, {}, c.B, c.X_WB).gap;
    const Vec3 axis = make_direction(random);
    for (double tilt : {0.0, 1e-16, 1e-15, 1e-14, -1e-13, 1e-12, -1e-11, 1e-10, -1e-9, 1e-7, -1e-6, 1e-4, -1e-3, 0.1}) {
      c.X_WB.R = Eigen::AngleAxisd(tilt, axis).toRotationMatrix() * flat.R;
      expect_certified(c, std::to_string(i) + " tilted by " + std::to_string(tilt * 1e12) + "e-12");
      EXPECT_NEAR(calc_closest(c.A, {}, c.B, c.X_WB).gap, at_rest, std::abs(tilt) * calc_size(c.B) * 1.001 + 1e-14)
          << i << " tilted by " << tilt;
    }
  }
}

}  // namespace
}  // namespace stiction
