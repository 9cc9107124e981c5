// Normal laws: the damping factor, Hertz' stiffness, one impact, energy.
#include "stiction/contact/normal_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/contact/hertz_stiffness.h"

namespace stiction {
namespace {

// Roots of (3.23) by bisection with 50 digits (mpmath). The bar is 1e-12, the solution is good to rounding.
TEST(DampingFactor, SolvesTheExactRelation) {
  const double table[][2] = {
      {0.05, 0.99999998407661801823},      {0.1, 0.99981593974956678179},       {0.2, 0.98383334315815730174},
      {0.3, 0.92612459433888727127},       {0.5, 0.71637526663568751403},       {0.7, 0.4443797968864917199},
      {0.85, 0.22440799517089831215},      {0.9, 0.1498337556167772944},        {0.99, 0.014999848488346595079},
      {0.9999, 0.00014999999984998499884}, {0.999999, 1.4999999999998499998e-6}};
  for (const auto& [e, d] : table) EXPECT_NEAR(calc_damping_factor(e), d, 1e-15 + 1e-12 * d) << e;
  EXPECT_EQ(calc_damping_factor(1), 0);
  EXPECT_EQ(calc_damping_factor(0.01), 1);
}

// Over the whole range the relation itself holds, in its logarithmic form, to 1e-12; d falls from 1 to 0.
TEST(DampingFactor, HoldsEverywhere) {
  double before = 1 + 1e-16;
  for (int i = 40; i <= 1000; ++i) {
    const long double e = i / 1000.0L, d = calc_damping_factor(static_cast<double>(e));
    EXPECT_LE(static_cast<double>(d), before);
    before = static_cast<double>(d);
    if (i == 1000 || d > 1 - 1e-12L) continue;
    const long double g = std::log1p(d / e) - std::log1p(-d) - d * (1 + 1 / e);
    // dg/dd = d / (1 - d) - d / (e (e + d))
    const long double slope = d / (1 - d) - d / (e * (e + d));
    EXPECT_LT(std::abs(static_cast<double>(g / slope)), 1e-12) << i;
  }
}

// (3.26), (3.27) at e = 0.8.
TEST(DampingFactor, Approximations) {
  EXPECT_DOUBLE_EQ(calc_damping_factor(0.8, DampingRule::hunt_crossley), 1.5 * 0.8 * 0.2);
  EXPECT_DOUBLE_EQ(calc_damping_factor(0.8, DampingRule::lankarani_nikravesh), 0.75 * 0.8 * 0.36);
}

constexpr double E = 200e9, nu = 0.3;
const double E_star = calc_effective_modulus({E, nu}, {E, nu});

// (2.2)-(2.4): h_m = (1 - nu^2)/(pi E).
TEST(HertzStiffness, SphereOnPlaneAndOnSphere) {
  const double h_m = (1 - nu * nu) / (std::numbers::pi * E), R = 0.02, r = 0.05;
  EXPECT_NEAR(calc_hertz_stiffness(E_star, 1 / R, 1 / R) / (4 / (3 * std::numbers::pi * 2 * h_m) * std::sqrt(R)), 1,
              1e-14);
  const double both = 1 / R + 1 / r;
  EXPECT_NEAR(
      calc_hertz_stiffness(E_star, both, both) / (4 / (3 * std::numbers::pi * 2 * h_m) * std::sqrt(R * r / (R + r))), 1,
      1e-14);
}

// Equal cylinders crossed at right angles are as stiff as a sphere of that radius on a plane. Of others the factor
// F^(-3/2) of (2), by mpmath with 50 digits.
TEST(HertzStiffness, CrossedCylindersAndEllipses) {
  const double R = 0.01;
  EXPECT_DOUBLE_EQ(calc_hertz_stiffness(E_star, 1 / R, 1 / R), 4.0 / 3 * E_star * std::sqrt(R));
  const double table[][2] = {{0.9, 1.000231258556642},
                             {0.5, 1.009993295678464},
                             {0.25, 1.039804029528716},
                             {0.1, 1.10904025165614},
                             {0.01, 1.435056842599645}};
  for (const auto& [ratio, factor] : table) {
    const double R_e = R / std::sqrt(ratio);
    EXPECT_NEAR(calc_hertz_stiffness(E_star, ratio / R, 1 / R) / (4.0 / 3 * E_star * std::sqrt(R_e)), factor, 1e-11)
        << ratio;
  }
  // Continuous where the circle takes over.
  EXPECT_NEAR(calc_hertz_stiffness(1, 1 - 0.9e-6, 1) / calc_hertz_stiffness(1, 1 - 1.1e-6, 1), 1, 1e-6);
}

/// One central impact of m on a plane by RK4, to the step in which it has left; the speed it leaves with is found by
/// the depth reached: the step is cut where the depth is zero.
template <class Law>
double bounce(const Law& law, double m, double v, double h) {
  const typename Law::Memory memory = law.start({0, v, 0, 0});
  const auto a = [&](double x, double u) { return -law.respond(x, u, memory).force / m; };
  double x = 0, u = v;
  for (int i = 0; i < 100'000'000; ++i) {
    const double x1 = u, u1 = a(x, u), x2 = u + h / 2 * u1, u2 = a(x + h / 2 * x1, x2), x3 = u + h / 2 * u2,
                 u3 = a(x + h / 2 * x2, x3), x4 = u + h * u3, u4 = a(x + h * x3, x4);
    const double x_new = x + h / 6 * (x1 + 2 * x2 + 2 * x3 + x4), u_new = u + h / 6 * (u1 + 2 * u2 + 2 * u3 + u4);
    if (x_new <= 0) return -u_new;
    x = x_new, u = u_new;
  }
  return NAN;
}

// m = 0.454 kg, k = 3.4e10 (thesis, section 5.1.1): e comes out whatever it is, for other powers and masses too.
TEST(NormalPower, AnImpactLeavesWithItsRestitution) {
  for (const double e : {0.1, 0.3, 0.5, 0.9, 1.0})
    EXPECT_NEAR(bounce(NormalPower{.stiffness = 3.4e10, .restitution = e}, 0.454, 0.5, 1e-8) / 0.5, e, 1e-6 * e) << e;
  EXPECT_NEAR(bounce(NormalPower{.exponent = 1, .stiffness = 1e6, .restitution = 0.4}, 3, 2, 1e-6) / 2, 0.4, 1e-6);
  EXPECT_NEAR(bounce(NormalPower{.exponent = 2.2, .stiffness = 1e9, .restitution = 0.6}, 0.1, 1, 1e-6), 0.6, 1e-6);
  // e = 1 - alpha v
  EXPECT_NEAR(bounce(NormalPower{.stiffness = 1e8, .restitution_slope = 0.2}, 1, 2, 1e-7) / 2, 0.6, 1e-6);
  // Hunt and Crossley's own factor is right near e = 1 only: at 0.5 far from it (Fig. 5.1).
  const NormalPower approximate{.stiffness = 1e8, .restitution = 0.5, .rule = DampingRule::hunt_crossley};
  EXPECT_GT(bounce(approximate, 1, 1, 1e-7), 0.55);
}

// Kelvin-Voigt with damping ratio zeta, to where the force vanishes: bounce() stops at x = 0 instead, where for the
// undamped spring it is e = 1, and for the damped one |v| = v exp(-zeta pi / sqrt(1 - zeta^2)) had it been free to
// pull; without tension it keeps more.
TEST(NormalLinear, NeverPulls) {
  EXPECT_NEAR(bounce(NormalLinear{1e4, 0}, 1, 1, 1e-5), 1, 1e-6);
  const double zeta = 0.2, c = 2 * zeta * std::sqrt(1e4);
  const double pulled = std::exp(-zeta * std::numbers::pi / std::sqrt(1 - zeta * zeta));
  const double free = bounce(NormalLinear{1e4, c}, 1, 1, 1e-6);
  EXPECT_GT(free, pulled);
  // Closed form: it lets go where k x + c v = 0, at the phase atan2(2 zeta sqrt(1 - zeta^2), 2 zeta^2 - 1) of the
  // damped oscillation, and flies on.
  const double root = std::sqrt(1 - zeta * zeta), phase = std::atan2(2 * zeta * root, 2 * zeta * zeta - 1);
  const double e = std::exp(-zeta / root * phase);
  EXPECT_NEAR(free, e, 1e-5);
}

// Power taken = d(stored)/dt + dissipated - relaxed, by central differences; nothing but zero outside.
TEST(NormalPower, EnergyBalances) {
  const NormalPower law{.stiffness = 1e6, .restitution = 0.3, .relaxation = 0.5};
  NormalPower::Memory memory = law.start({1e-4, 0.7, 0, 0});
  EXPECT_EQ(memory.offset, 1e-4);
  EXPECT_EQ(law.respond(1e-4, 0.7, memory).force, 0);
  for (const double u : {0.7, 0.1, -0.1, -0.5}) {
    const double x = 5e-4, dt = 1e-9;
    const auto now = law.respond(x, u, memory);
    NormalPower::Memory later = memory, earlier = memory;
    later.offset += dt * now.rate.offset, earlier.offset -= dt * now.rate.offset;
    const double rate =
        (law.respond(x + u * dt, u, later).stored - law.respond(x - u * dt, u, earlier).stored) / (2 * dt);
    EXPECT_NEAR(now.force * u, rate + now.dissipated - now.relaxed, 1e-6 * (1 + std::abs(rate))) << u;
    EXPECT_GE(now.dissipated, 0);
    EXPECT_GE(now.force, 0);
  }
  EXPECT_EQ(law.respond(-1e-6, 1, memory).force, 0);
}

// (3.43): slower impacts than v_small are damped as one of v_small.
TEST(NormalPower, SmallVelocities) {
  const NormalPower law{.stiffness = 1, .restitution = 0.5, .small_velocity = 1e-3};
  EXPECT_EQ(law.calc_damping(1e-5), law.calc_damping(1e-3));
  EXPECT_DOUBLE_EQ(law.calc_damping(1e-3), 0.71637526663568751403 / (0.5 * 1e-3));
}

}  // namespace
}  // namespace stiction
