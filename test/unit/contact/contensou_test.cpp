// Friction of circular patches that slide and spin: closed forms, and what the elliptic relation costs.
#include "stiction/contact/contensou.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

using std::numbers::pi;

/// Force in units of mu f_n and torque in units of mu f_n R of a disc under uniform pressure, e = v / (w R) (Farkas,
/// Bartels, Unger and Wolf, Phys. Rev. Lett. 90, 248302, 2003).
struct DiscFriction {
  double force, torque;
};
DiscFriction calc_uniform_disc(double e) {
  const double e2 = e * e;
  if (e <= 1) {
    const double K = std::comp_ellint_1(e), E = std::comp_ellint_2(e);
    return {4 / (3 * pi * e) * ((e2 + 1) * E + (e2 - 1) * K), 4 / (9 * pi) * ((4 - 2 * e2) * E + (e2 - 1) * K)};
  }
  const double K = std::comp_ellint_1(1 / e), E = std::comp_ellint_2(1 / e);
  return {4 / (3 * pi) * ((e2 + 1) * E - (e2 - 1) * K),
          4 * e / (9 * pi) * ((4 - 2 * e2) * E + (2 * e2 - 5 + 3 / e2) * K)};
}

// u = r_gyr w = w R / sqrt(2); torques in units of r_gyr. 1e-6: what the header states; measured 2e-7.
TEST(Contensou, UniformDiscIsTheClosedForm) {
  for (const double e : {0.01, 0.1, 0.3, 0.7, 0.95, 0.999, 1.001, 1.1, 2.0, 5.0, 20.0}) {
    const DiscFriction exact = calc_uniform_disc(e);
    const ContensouFactors c = calc_disc_factors(e, 1 / std::numbers::sqrt2, 0);
    EXPECT_NEAR(c.slide / exact.force, 1, 1e-6) << e;
    // The closed form cancels to 1e-16 e^3 for large e.
    EXPECT_NEAR(c.spin / (std::numbers::sqrt2 * exact.torque), 1, 1e-6 + 1e-15 * e * e * e * e) << e;
  }
}

/// Means over the disc by the midpoint rule in polar coordinates, pressure (1 - rho^2)^m.
ContensouFactors sum_over_disc(double v, double u, double m) {
  const int n = 600;
  const double w = u * std::sqrt(m + 2);
  double load = 0, slide = 0, spin = 0;
  for (int i = 0; i < n; ++i) {
    const double rho = (i + 0.5) / n, p = rho * std::pow(1 - rho * rho, m);
    for (int k = 0; k < n; ++k) {
      const double phi = 2 * pi * (k + 0.5) / n, vx = v - w * rho * std::sin(phi), vy = w * rho * std::cos(phi);
      const double speed = std::hypot(vx, vy);
      load += p;
      slide += p * vx / speed;
      spin += p * rho * (std::cos(phi) * vy - std::sin(phi) * vx) / speed;
    }
  }
  return {slide / load, spin / load * std::sqrt(m + 2)};
}

// Other pressures against a plain sum, whose error with 600 x 600 points is below 1e-5 (halving the points: 4e-6).
TEST(Contensou, OtherPressuresAreTheirIntegral) {
  for (const double m : {0.5, 1.0, 2.0}) {
    for (const double v : {0.05, 0.4, 1.0, 3.0}) {
      const ContensouFactors c = calc_disc_factors(v, 1, m), sum = sum_over_disc(v, 1, m);
      EXPECT_NEAR(c.slide, sum.slide, 2e-5) << m << " " << v;
      EXPECT_NEAR(c.spin, sum.spin, 2e-5) << m << " " << v;
    }
  }
}

// Limits, by hand: only spinning <rho>/r_gyr = 2 sqrt(2)/3 for uniform pressure and 8 sqrt(3)/15 under a cap; a little
// of the other motion has 1/2 <r_gyr/rho> and 1/2. The elliptic relation has 1 for all of them: it doubles the torque
// of a patch that mainly slides.
TEST(Contensou, LimitsOfOneMotion) {
  EXPECT_NEAR(calc_disc_factors(0, 1, 0).spin, 2 * std::numbers::sqrt2 / 3, 1e-10);
  EXPECT_NEAR(calc_disc_factors(0, 1, 1).spin, 8 * std::numbers::sqrt3 / 15, 1e-10);
  EXPECT_EQ(calc_disc_factors(0, 1, 1).slide, 0);
  EXPECT_NEAR(calc_disc_factors(1, 0, 1).slide, 1, 1e-12);
  EXPECT_EQ(calc_disc_factors(1, 0, 1).spin, 0);
  EXPECT_NEAR(calc_disc_factors(1, 1e-6, 0).spin, 0.5e-6, 1e-14);
  EXPECT_NEAR(calc_disc_factors(1e-6, 1, 0).slide, 1e-6 / std::numbers::sqrt2, 1e-13);
  EXPECT_NEAR(calc_disc_factors(1e-6, 1, 1).slide, 1e-6 * 4 / (3 * std::numbers::sqrt3), 1e-13);
  const ContensouFactors elliptic = calc_elliptic_factors(1, 1e-6, 1e-9);
  EXPECT_NEAR(elliptic.spin, 1e-6, 1e-15);
  EXPECT_NEAR(std::pow(elliptic.spin, 2) + std::pow(elliptic.slide, 2), 1, 1e-14);
}

// Factors fall to zero with the speed, without a jump where the tolerance is.
TEST(Contensou, SmallSpeeds) {
  for (const ContensouRule rule : {ContensouRule::elliptic, ContensouRule::disc}) {
    const ContensouFactors above = calc_contensou_factors(rule, 0.6e-3 * (1 + 1e-9), 0.8e-3, 1e-3, 1);
    const ContensouFactors below = calc_contensou_factors(rule, 0.6e-3 * (1 - 1e-9), 0.8e-3, 1e-3, 1);
    EXPECT_NEAR(above.slide, below.slide, 1e-8);
    EXPECT_NEAR(above.spin, below.spin, 1e-8);
    EXPECT_NEAR(calc_contensou_factors(rule, 1e-9, 1e-9, 1e-3, 1).slide, 0, 1e-5);
    EXPECT_EQ(calc_contensou_factors(rule, 0, 0, 1e-3, 1).spin, 0);
  }
}

// A_c and r_gyr of a cap, a flat punch and a long patch.
TEST(Contensou, PressureExponent) {
  const double R = 0.02;
  EXPECT_NEAR(calc_pressure_exponent(pi * R * R, R / std::numbers::sqrt3), 1, 1e-12);
  EXPECT_NEAR(calc_pressure_exponent(pi * R * R, R / std::numbers::sqrt2), 0, 1e-12);
  EXPECT_EQ(calc_pressure_exponent(0.1 * 0.001, 0.1 / std::sqrt(12.0)), 0);
}

}  // namespace
}  // namespace stiction
