// Friction of patches of flat faces that slide and spin.
#include "stiction/contact/contensou_polygon.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/contact/volume_patch.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

/// The plate of a box on the half-space z <= 0.
PlatePressure make_plate(const Vec3& size, const Vec3& turn, double height) {
  const Shape plane = HalfSpace{}, box = Box{size};
  const Transform X{calc_matrix(calc_exponential(turn)), Vec3(0.3, -0.2, height)};
  const VolumePatch patch = find_volume_patch(plane, {}, box, X, {});
  PlatePressure plate;
  EXPECT_TRUE(find_plate_pressure(plane, {}, box, X, patch.centroid, patch.normal, plate));
  plate.volume = patch.volume, plate.gyration = patch.gyration;
  return plate;
}

// A square of half-width a under uniform pressure that only spins: (sqrt(2) + ln(1 + sqrt(2)))/3 a; r_gyr is
// sqrt(2/3) a. A long strip 2a x 2b: a/2 as b goes to zero.
TEST(ContensouPolygon, SpinningRectangles) {
  const PolygonFriction square =
      calc_polygon_friction(make_plate(Vec3(0.1, 0.1, 0.1), Vec3::Zero(), 0.0499), Vec3::Zero(), 3);
  const double exact = (std::numbers::sqrt2 + std::log(1 + std::numbers::sqrt2)) / 3;
  EXPECT_NEAR(square.spin, exact / std::sqrt(2.0 / 3), 1e-10);
  EXPECT_LT(square.slide.norm(), 1e-10);
  // The next term of the strip is of order (b/a)^2 ln(a/b): 2e-7 here.
  const PlatePressure strip = make_plate(Vec3(0.1, 1e-5, 0.1), Vec3::Zero(), 0.0499);
  EXPECT_NEAR(calc_polygon_friction(strip, Vec3::Zero(), -3).spin * strip.gyration, -0.5 * 0.05, 1e-6 * 0.05);
}

// Sliding across a wide strip's length while spinning, the strip being a line of half-length a, v = w c: in closed form
// f = (1/2a) int v/sqrt(v^2 + w^2 x^2) = (c/a) asinh(a/c).
TEST(ContensouPolygon, LineThatSlidesAndSpins) {
  const double a = 0.05;
  const PlatePressure strip = make_plate(Vec3(2 * a, 1e-6, 0.1), Vec3::Zero(), 0.0499);
  for (const double c : {0.01, 0.05, 0.2, 3.0, 40.0}) {
    const PolygonFriction friction = calc_polygon_friction(strip, Vec3(c, 0, 0), 1);
    EXPECT_NEAR(friction.slide.x(), c / a * std::asinh(a / c), 1e-6) << c;
    EXPECT_NEAR(friction.slide.y(), 0, 1e-6) << c;
  }
}

// Where the rule of the far centre takes over nothing jumps: 1e-5 of the moment, which is 1/30 of a spinning patch's.
TEST(ContensouPolygon, FarCentre) {
  const PlatePressure plate = make_plate(Vec3(0.2, 0.1, 0.06), Vec3(0.6, 0.5, 0.2), 0.083);
  const Vec3 v(0.6, -0.8, 0);
  const double w = 1 / (30 * plate.size);
  const PolygonFriction near = calc_polygon_friction(plate, v, w * (1 + 1e-9)),
                        far = calc_polygon_friction(plate, v, w * (1 - 1e-9));
  EXPECT_NEAR(near.spin / far.spin, 1, 1e-5);
  EXPECT_LT((near.slide - far.slide).norm(), 1e-7);
}

}  // namespace
}  // namespace stiction
