#include "stiction/geometry/shape/parametric_form.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/base/random.h"
#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

constexpr double half_turn = std::numbers::pi;

/// An ellipsoid by longitude and latitude, and the shape: two codes for the same body.
const Vec3 form_axes(0.3, 0.2, 0.1);
Shape make_formula_ellipsoid() {
  const ParametricForm form{
      "0.3*cos(u)*cos(v)", "0.2*sin(u)*cos(v)", "c*sin(v)", {0, 2 * half_turn}, {-half_turn / 2, half_turn / 2},
      {{"c", 0.1}}};
  auto made = make_parametric(form);
  EXPECT_TRUE(std::holds_alternative<Parametric>(made));
  return std::get<Parametric>(std::move(made));
}

// Closed forms: V = 4/3 pi a b c, I_x = m (b^2 + c^2)/5.
TEST(ParametricForm, HasTheMassPropertiesOfTheEllipsoid) {
  const MassProperties mass = calc_mass_properties(make_formula_ellipsoid(), 1);
  const double volume = 4 * half_turn / 3 * form_axes.prod();
  EXPECT_NEAR(mass.mass, volume, 1e-12 * volume);
  EXPECT_LT(mass.com.norm(), 1e-14);
  for (int i = 0; i < 3; ++i) {
    const double square = form_axes.squaredNorm() - form_axes[i] * form_axes[i];
    EXPECT_NEAR(mass.inertia(i, i), volume / 5 * square, 1e-11 * volume);
  }
}

// Closest points by Newton's method on (u, v) against those of the ellipsoid's own code, to rounding; at and near the
// poles, too, where the parameters are singular.
TEST(ParametricForm, HasTheClosestPointsOfTheEllipsoid) {
  const Shape formula = make_formula_ellipsoid(), ellipsoid = Ellipsoid{form_axes};
  Random random(1);
  for (const double tilt : {0.0, 1e-13, 1e-9, 1e-7, 1e-5, 1e-3, 0.1, 1.0, 2.0, half_turn}) {
    for (int k = 0; k < 5; ++k) {
      const Vec3 axis = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
      const Transform X{Eigen::AngleAxisd(tilt, axis).toRotationMatrix(),
                        Vec3(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(0.05, 0.6))};
      for (const Shape& other : {Shape(HalfSpace{}), Shape(Sphere{0.1}), Shape(Box{Vec3(0.2, 0.3, 0.1)}), ellipsoid}) {
        const Transform X_other{Mat3::Identity(), Vec3(0, 0, std::holds_alternative<HalfSpace>(other) ? 0 : -0.3)};
        const ClosestPoints a = calc_closest(other, X_other, formula, X);
        const ClosestPoints b = calc_closest(other, X_other, ellipsoid, X);
        EXPECT_TRUE(a.certified);
        EXPECT_NEAR(a.gap, b.gap, 1e-14);
        EXPECT_LT((a.point_b - b.point_b).norm(), 1e-12) << tilt;
      }
    }
  }
}

// The derivative of the Gauss map, against the ellipsoid's; 1e-8 next to the poles (parametric_form.h).
TEST(ParametricForm, HasTheCurvatureOfTheEllipsoid) {
  const Shape formula = make_formula_ellipsoid(), ellipsoid = Ellipsoid{form_axes};
  for (const double tilt : {0.0, 1e-12, 1e-8, 1e-6, 1e-3, 0.5, half_turn / 2, half_turn}) {
    const Vec3 n(std::sin(tilt) * 0.6, std::sin(tilt) * 0.8, std::cos(tilt));
    const Vec3 at = calc_support(ellipsoid, n);
    EXPECT_LT((calc_support(formula, n) - at).norm(), 1e-15) << tilt;
    const Mat3 exact = calc_surface_point(ellipsoid, at, n).curvature;
    EXPECT_LT((calc_surface_point(formula, at, n).curvature - exact).norm(), 2e-8 * exact.norm()) << tilt;
  }
}

TEST(ParametricForm, SaysWhatIsWrong) {
  const Eigen::Vector2d round(0, 2 * half_turn), half(0, half_turn);
  const Eigen::Vector2d latitude(-half_turn / 2, half_turn / 2), unit(0, 1);
  const std::pair<ParametricForm, const char*> cases[] = {
      {{"(1 + 0.3*cos(v))*cos(u)", "(1 + 0.3*cos(v))*sin(u)", "0.3*sin(v)", round, round, {}}, "not strictly convex"},
      {{"cos(u)", "sin(u)", "v", round, unit, {}}, "not closed at v = 0"},
      {{"cos(u)*cos(v)", "sin(u)*cos(v)", "sin(v)", half, latitude, {}}, "not closed at u = 0"},
      {{"cos(u)*cos(v)", "sin(u)*cos(v)", "sin(v)", Eigen::Vector2d(0, 4 * half_turn), latitude, {}}, "more than once"},
      {{"(1 - v)*v*cos(u)", "(1 - v)*v*sin(u)", "v", round, unit, {}}, "not smooth at the pole v = 0"},
      {{"1/(u - u)", "v", "u", unit, unit, {}}, "not finite at u = 0, v = 0"},
      {{"1", "2", "3", unit, unit, {}}, "a single point"},
      {{"u", "v", "0", Eigen::Vector2d(1, 0), unit, {}}, "a lower and a greater"},
      {{"abs(u)", "v", "0", unit, unit, {}}, "no smooth function or constant abs"}};
  for (const auto& [form, message] : cases) {
    const auto made = make_parametric(form);
    ASSERT_TRUE(std::holds_alternative<std::string>(made)) << message;
    EXPECT_NE(std::get<std::string>(made).find(message), std::string::npos) << std::get<std::string>(made);
  }
}

}  // namespace
}  // namespace stiction
