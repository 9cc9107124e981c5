// Friction laws in their steady states, and that they never feed energy.
#include "stiction/contact/friction_law.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

// Table 5.2 of gonthier-thesis-2007.
const FrictionBristle ball{.static_coefficient = 0.45,
                           .kinetic = 0.4,
                           .stiffness = 1e5,
                           .damping = 1e4,
                           .viscous = 0,
                           .stribeck_velocity = 0.1,
                           .dwell_time = 0.01,
                           .tolerance = 1e-3};

/// Explicit Euler over the memory at a constant slip.
FrictionResponse hold(const FrictionBristle& law, const Slip& slip, double time, double h,
                      FrictionBristle::Memory& memory) {
  FrictionOutput<FrictionBristle::Memory> r;
  for (double t = 0; t < time; t += h) {
    r = law.respond(slip, memory);
    memory.deflection += h * r.rate.deflection;
    memory.dwell += h * r.rate.dwell;
    memory.twist += h * r.rate.twist;
  }
  return r;
}

// Fast sliding: the bristles stand at mu_C / sigma_0 along the velocity, the force is mu_C f_n against it, s_dw = 0.
TEST(FrictionBristle, SlidesAtTheKineticCoefficient) {
  FrictionBristle::Memory memory;
  memory.dwell = 1;
  const Slip slip{20, {3, 4, 0}, 0};
  const FrictionResponse r = hold(ball, slip, 3, 1e-3, memory);
  EXPECT_NEAR((r.force - Vec3(-0.6, -0.8, 0) * 8).norm(), 0, 1e-9);
  EXPECT_NEAR(memory.deflection.norm(), 0.4e-5, 1e-15);
  EXPECT_NEAR(memory.dwell, 0, 1e-12);
  EXPECT_NEAR(r.dissipated, 8 * 5, 1e-8);
}

// The viscous part adds sigma_2 v f_n.
TEST(FrictionBristle, ViscousPart) {
  FrictionBristle law = ball;
  law.viscous = 0.01;
  FrictionBristle::Memory memory;
  const FrictionResponse r = hold(law, {20, {5, 0, 0}, 0}, 3, 1e-3, memory);
  EXPECT_NEAR(r.force.x(), -20 * (0.4 + 0.05), 1e-9);
}

// At rest nothing changes, and the bristles bear sigma_0 z f_n: a spring.
TEST(FrictionBristle, RestsForEver) {
  FrictionBristle::Memory memory;
  memory.deflection = Vec3(2e-6, -1e-6, 0);
  const auto r = ball.respond({20, Vec3::Zero(), 0}, memory);
  EXPECT_EQ(r.rate.deflection.norm(), 0);
  EXPECT_NEAR((r.force - Vec3(-4, 2, 0)).norm(), 0, 1e-14);
  EXPECT_TRUE(r.sticks);
  // s_dw goes to 1 with tau_dw
  EXPECT_DOUBLE_EQ(r.rate.dwell, 1 / 0.01);
}

// The largest force is mu_max f_n: mu_C without dwelling, mu_S after it; there dz/dt is recomputed so that
// sigma_0 z + sigma_1 dz/dt is the force.
TEST(FrictionBristle, SaturatesByItsDwelling) {
  for (const double dwell : {0.0, 0.5, 1.0}) {
    FrictionBristle::Memory memory;
    memory.deflection = Vec3(1e-3, 0, 0);
    memory.dwell = dwell;
    const auto r = ball.respond({10, Vec3(1e-4, 0, 0), 0}, memory);
    const double mu = 0.4 + 0.05 * dwell;
    EXPECT_NEAR(r.force.x(), -10 * mu, 1e-12);
    EXPECT_NEAR(1e5 * 1e-3 + 1e4 * r.rate.deflection.x(), mu, 1e-12);
  }
}

// (3.33) as corrected: continuous with its slope at the tolerance, 3/2 of the slope at 0.
TEST(FrictionBristle, SmoothDirection) {
  EXPECT_NEAR((calc_smooth_direction({0, 1e-3, 0}, 1e-3) - Vec3(0, 1, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(calc_smooth_direction({1e-9, 0, 0}, 1e-3).x(), 1.5e-6, 1e-15);
  EXPECT_NEAR(calc_smooth_direction({0.999e-3, 0, 0}, 1e-3).x(), 1, 2e-6);
}

// What the header promises: for parameters with sigma_1 v_S > mu_C / 2 friction dissipates at every velocity and every
// deflection up to the limit; and the rules of section 3.3.2 give their formulas.
TEST(FrictionBristle, NeverFeeds) {
  ASSERT_TRUE(ball.is_passive());
  for (double v = 1e-8; v < 10; v *= 1.3) {
    for (double z = -1; z <= 1; z += 0.05) {
      for (const double angle : {0.0, 0.4, 1.5, 2.5}) {
        FrictionBristle::Memory memory;
        memory.deflection = z * 0.45e-5 * Vec3(std::cos(angle), std::sin(angle), 0);
        memory.dwell = 1;
        const auto r = ball.respond({1, Vec3(v, 0, 0), 0}, memory);
        EXPECT_GE(r.dissipated, -1e-15) << v << " " << z << " " << angle;
      }
    }
  }
  FrictionBristle weak = ball;
  weak.damping = 1;
  EXPECT_FALSE(weak.is_passive());
  EXPECT_DOUBLE_EQ(calc_bristle_stiffness(0.5, 1e-4), 5000);
  EXPECT_DOUBLE_EQ(calc_critical_bristle_damping(5000, 10), 2 * std::sqrt(500));
}

TEST(FrictionCoulomb, SlidesAndCreeps) {
  const FrictionCoulomb law{.kinetic = 0.3, .tolerance = 1e-3};
  EXPECT_NEAR((law.respond({10, {0, -2, 0}, 0}, {}).force - Vec3(0, 3, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(law.respond({10, {0, -2, 0}, 0}, {}).dissipated, 6, 1e-14);
  EXPECT_LT(law.respond({10, {1e-4, 0, 0}, 0}, {}).force.norm(), 0.15 * 3.01);
}

// The spatial spring: sticking it is a spring with a damper; slipping its force stays at mu f_n and the spring at
// what is left of it; its energy is what was put in less what was dissipated.
TEST(FrictionSpring, SticksSlipsAndBalances) {
  const FrictionSpring law{.kinetic = 0.5,
                           .stiffness = 1000,
                           .damping = 2,
                           .torsional_stiffness = 5,
                           .torsional_damping = 0.1,
                           .radius = 0.01};
  FrictionSpring::Memory memory;
  double work = 0, dissipated = 0;
  const double h = 1e-6;
  for (int i = 0; i < 200000; ++i) {
    const double t = i * h;
    const Slip slip{10, 0.2 * Vec3(std::cos(30 * t), std::sin(20 * t), 0), std::sin(50 * t)};
    const auto r = law.respond(slip, memory);
    EXPECT_LE(r.force.norm(), 5 * (1 + 1e-14));
    EXPECT_LE(std::abs(r.moment), 0.05 * (1 + 1e-14));
    ASSERT_GE(r.dissipated, -1e-15);
    work -= h * (r.force.dot(slip.velocity) + r.moment * slip.spin);
    dissipated += h * r.dissipated;
    memory.deflection += h * r.rate.deflection;
    memory.twist += h * r.rate.twist;
  }
  const double stored = 500 * memory.deflection.squaredNorm() + 2.5 * memory.twist * memory.twist;
  // Euler's method errs by h times the fastest rate, k / c, of what goes through the spring.
  EXPECT_NEAR(work, stored + dissipated, h * 500 * work);
  EXPECT_GT(dissipated, 0.1 * work);
}

}  // namespace
}  // namespace stiction
