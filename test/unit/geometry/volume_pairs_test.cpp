#include <gtest/gtest.h>

#include "stiction/geometry/shape/cell.h"

#include "volume_tools.h"

namespace stiction {
namespace {

/// Every kind of shape but superquadric, torus and parametric (volume_solids_test.cpp), of sizes near 1.
Shape make_random_shape(Random& random, int kind) {
  const auto size = [&] { return random.uniform(0.3, 1.1); };
  const Vec3 axis = make_random_vector(random, 1).normalized();
  switch (kind) {
    case 0:
      return Sphere{size()};
    case 1:
      return Box{2 * Vec3(size(), size(), size())};
    case 2:
      return Cylinder{size(), 2 * size(), axis};
    case 3:
      return Capsule{size(), size(), axis};
    case 4:
      return Cone{size(), 2 * size(), axis};
    case 5:
      return Cone{size(), 2 * size(), axis, 0.15};
    case 6:
      return Ellipsoid{Vec3(size(), size(), size())};
    case 7:
      return HollowSphere{size() + 0.3};
    case 8:
      return HollowCylinder{size() + 0.3, axis};
    case 9: {
      std::vector<Vec3> points;
      for (int i = 0; i < 9; ++i) points.push_back(make_random_vector(random, 1));
      return std::get<Polytope>(make_polytope(points));
    }
    case 10: {
      std::vector<Quadric> surfaces = calc_constraints(Box{Vec3(2, 1.6, 1)});
      surfaces.push_back(
          calc_complement(calc_transformed(calc_constraints(Cylinder{0.4, 1, Vec3::UnitX()})[0], at(0, 0, 0.5))));
      return std::get<Cell>(make_cell(surfaces));
    }
    default:
      return HalfSpace{axis, random.uniform(-0.3, 0.3)};
  }
}

struct Pair {
  Shape A, B;
  Transform X_A, X_B;
};
/// Pairs that overlap, at least one of them bounded.
std::vector<Pair> make_pairs(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Pair> pairs;
  while (static_cast<int>(pairs.size()) < count) {
    const int a = random.index(12), b = random.index(12);
    const Transform X_A = make_random_pose(random, 2);
    Transform X_B = make_random_pose(random, 0.8);
    X_B.p += X_A.p;
    Pair pair{make_random_shape(random, a), make_random_shape(random, b), X_A, X_B};
    if (!is_bounded(pair.A) && !is_bounded(pair.B)) continue;
    if (calc_interference(pair.A, X_A, pair.B, X_B).volume > 1e-8) pairs.push_back(pair);
  }
  return pairs;
}
InterferenceRegion calc(const Pair& p, double accuracy) {
  RegionOptions options;
  options.accuracy = accuracy;
  return calc_interference(p.A, p.X_A, p.B, p.X_B, options);
}

TEST(VolumePairs, RequestedAccuracyAgainstRefinementAndCertifiedBounds) {
  for (const Pair& pair : make_pairs(40, 11)) {
    const InterferenceRegion reference = calc(pair, 1e-11);
    EXPECT_LT(reference.error, 1e-9) << pair.A.index() << "-" << pair.B.index();  // with rounding
    const VolumeBounds bounds = calc_interference_bounds(pair.A, pair.X_A, pair.B, pair.X_B, 1e-3, 60000);
    EXPECT_LE(bounds.lower, reference.volume * (1 + 1e-11)) << pair.A.index() << "-" << pair.B.index();
    EXPECT_GE(bounds.upper, reference.volume * (1 - 1e-11)) << pair.A.index() << "-" << pair.B.index();
    for (double accuracy : {1e-4, 1e-6, 1e-8}) {
      const InterferenceRegion region = calc(pair, accuracy);
      EXPECT_TRUE(region.converged);
      EXPECT_NEAR(region.volume / reference.volume, 1, accuracy) << pair.A.index() << "-" << pair.B.index();
      EXPECT_LT(calc_distance(region, reference), 30 * accuracy) << pair.A.index() << "-" << pair.B.index();
    }
  }
}

TEST(VolumePairs, AnotherDirectionOfTheChordsGivesTheSame) {
  // Other chords, other slices, other breaks: an independent computation of the same numbers.
  Random random(6);
  for (const Pair& pair : make_pairs(80, 1)) {
    RegionOptions options;
    options.accuracy = 1e-9;
    const InterferenceRegion region = calc(pair, 1e-9);
    options.normal = make_random_vector(random, 1);
    const InterferenceRegion other = calc_interference(pair.A, pair.X_A, pair.B, pair.X_B, options);
    EXPECT_NEAR(other.volume / region.volume, 1, 2e-9) << pair.A.index() << "-" << pair.B.index();
    // Surface sums are not watched by the error estimate: their integrand has poles where the volume's has roots.
    EXPECT_LT((other.dV_dx - region.dV_dx).norm(), 1e-4) << pair.A.index() << "-" << pair.B.index();
    EXPECT_LT((other.dV_dr - region.dV_dr).norm(), 1e-4) << pair.A.index() << "-" << pair.B.index();
  }
}

TEST(VolumePairs, SwapChangesNothing) {
  // The same arithmetic in either order, unless both are of one kind and size.
  for (const Pair& pair : make_pairs(60, 12)) {
    const InterferenceRegion region = calc(pair, 1e-6);
    const InterferenceRegion swapped = calc({pair.B, pair.A, pair.X_B, pair.X_A}, 1e-6);
    EXPECT_LT(calc_distance(swapped, region), 1e-14) << pair.A.index() << "-" << pair.B.index();
    EXPECT_LT((swapped.dV_dx + region.dV_dx).norm(), 1e-14);
    EXPECT_LT((swapped.dV_dr + region.dV_dr).norm(), 1e-14);
  }
}

TEST(VolumePairs, FrameChangesNothingButRounding) {
  Random random(4);
  for (const Pair& pair : make_pairs(60, 12)) {
    const Transform X = make_random_pose(random, 1);
    const double accuracy = 1e-10;
    const InterferenceRegion region = calc(pair, accuracy);
    InterferenceRegion moved = calc({pair.A, pair.B, X * pair.X_A, X * pair.X_B}, accuracy);
    moved.centroid = X.inverse() * moved.centroid;
    moved.inertia = X.R.transpose() * moved.inertia * X.R;
    // Rounding may decide whether a panel is halved: chords agree to their accuracy, all else to rounding.
    const double tolerance = region.method == RegionMethod::chords ? 10 * accuracy : 1e-12;
    EXPECT_LT(calc_distance(moved, region), tolerance) << pair.A.index() << "-" << pair.B.index();
  }
}

TEST(VolumePairs, DerivativesAgreeWithDifferences) {
  Random random(5);
  for (const Pair& pair : make_pairs(25, 13)) {
    const InterferenceRegion region = calc(pair, 1e-10);
    const Vec3 dx = make_random_vector(random, 1e-4), dr = make_random_vector(random, 1e-4);
    const double exact = difference(pair.A, pair.X_A, pair.B, pair.X_B, region.centroid, dx, dr, 1e-11);
    // Third order in the step, where the patch is smooth; two and a half at an edge.
    EXPECT_NEAR(region.dV_dx.dot(dx) + region.dV_dr.dot(dr), exact, 2e-9) << pair.A.index() << "-" << pair.B.index();
  }
}

}  // namespace
}  // namespace stiction
