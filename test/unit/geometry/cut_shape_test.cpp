#include "stiction/geometry/volume/cut_shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/geometry/shape/cell.h"

#include "volume_tools.h"

namespace stiction {
namespace {

using std::numbers::pi;

// Two spheres of radii R and r, d apart, have a lens in common; what is left of the second is r's ball without it.
TEST(CutShape, SphereWithoutASphere) {
  const double R = 0.015, r = 0.005, d = 0.013;
  const Shape cap = Sphere{R}, stem = Sphere{r};
  const CutResult result = cut_shape(stem, {{&cap, at(0, 0, -d)}});
  ASSERT_EQ(result.status, CutStatus::cut);
  const double lens = pi * std::pow(R + r - d, 2) * (d * d + 2 * d * (R + r) - 3 * (R - r) * (R - r)) / (12 * d);
  EXPECT_EQ(result.shape.pieces.size(), 1u);
  EXPECT_NEAR(result.shape.unit_density.mass / (4 * pi * r * r * r / 3 - lens), 1, 1e-8);
  // The box about what was cut away reaches from the end of one sphere to that of the other.
  EXPECT_NEAR(result.shape.centre.z() - 0.5 * result.shape.size.z(), -r, 1e-12);
  EXPECT_NEAR(result.shape.centre.z() + 0.5 * result.shape.size.z(), R - d, 1e-12);
}

// A cross of two beams: the second has two pieces, both boxes.
TEST(CutShape, CrossOfBeams) {
  const Shape along = Box{Vec3(1, 0.2, 0.1)}, across = Box{Vec3(0.2, 1, 0.1)};
  const CutResult result = cut_shape(across, {{&along, {}}});
  ASSERT_EQ(result.status, CutStatus::cut);
  ASSERT_EQ(result.shape.pieces.size(), 2u);
  for (const Shape& piece : result.shape.pieces) EXPECT_NEAR(calc_volume(piece), 0.2 * 0.4 * 0.1, 1e-12);
  EXPECT_LT(result.shape.unit_density.com.norm(), 1e-12);
  // Two boxes 0.2 x 0.4 x 0.1 whose centres are 0.3 from the middle.
  const double m = 0.008, Jz = 2 * (m * (0.04 + 0.16) / 12 + m * 0.09);
  EXPECT_NEAR(result.shape.unit_density.inertia(2, 2) / Jz, 1, 1e-9);
}

TEST(CutShape, WholeSwallowedAndImpossible) {
  const Shape small = Sphere{0.1}, large = Box{Vec3(1, 1, 1)}, capsule = Capsule{0.1, 0.3};
  EXPECT_EQ(cut_shape(small, {{&large, at(0.6, 0, 0)}}).status, CutStatus::whole);  // it touches
  const CutResult inside = cut_shape(small, {{&large, at(0.1, 0, 0)}});
  EXPECT_EQ(inside.status, CutStatus::swallowed);
  EXPECT_TRUE(inside.shape.pieces.empty());
  EXPECT_EQ(cut_shape(capsule, {{&large, at(0.5, 0, 0)}}).status, CutStatus::not_possible);
  EXPECT_EQ(cut_shape(small, {{&capsule, at(0.15, 0, 0)}}).status, CutStatus::not_possible);
}

// What both parts of a body have in common with a third counts once, wherever it reaches. 1e-6: of cells by
// integration.
TEST(CutShape, RegionsOfAUnionCountOnce) {
  const Shape first = Sphere{0.1}, second = Box{Vec3(0.1, 0.12, 0.3)}, plane = HalfSpace{};
  const CutResult cut = cut_shape(second, {{&first, {}}});
  ASSERT_EQ(cut.status, CutStatus::cut);
  for (const double height : {0.14, 0.12, 0.09, 0.03, -0.02}) {
    const Transform X = turned(Vec3(0.2, 0.1, 0), Vec3(0.3, -0.2, height));
    const RegionOptions options{.accuracy = 1e-8};
    const InterferenceRegion b = calc_cut_interference(plane, nullptr, {}, second, &cut.shape, X, options);
    // The sphere's share of the box is a cell.
    std::vector<Quadric> both = calc_constraints(second);
    both.push_back(calc_constraints(first)[0]);
    const Shape common = std::get<Cell>(make_cell(both));
    const InterferenceRegion c = calc_interference(plane, {}, common, X, options),
                             whole = calc_interference(plane, {}, second, X, options);
    EXPECT_NEAR(b.volume, whole.volume - c.volume, 1e-6 * whole.volume) << height;
    EXPECT_LT((b.volume * b.centroid - whole.volume * whole.centroid + c.volume * c.centroid).norm(),
              1e-6 * whole.volume * 0.3)
        << height;
    EXPECT_LT((b.dV_dx - whole.dV_dx + c.dV_dx).norm(), 1e-5 * whole.dV_dx.norm()) << height;
  }
}

}  // namespace
}  // namespace stiction
