// Rotating bodies against closed forms: regular precession of the heavy top, the period of the torque-free flip.
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

TEST(HeavyTop, PrecessesRegularly) {
  const RunResult run = test::run_example("heavy_top");
  // (I3 w3 - I1' W cos(theta)) W = m g l, slow branch.
  const double I3 = 4e-4, I1 = 5e-4 + 0.5 * 0.05 * 0.05, w3 = 150, mgl = 0.5 * 9.81 * 0.05,
               theta = std::numbers::pi / 6;
  const double a = I1 * std::cos(theta), b = I3 * w3;
  const double W = (b - std::sqrt(b * b - 4 * a * mgl)) / (2 * a);
  const auto& tilt = run.signal("top.tilt");
  const auto& qw = run.signal("top.orientation.w");
  const auto& qx = run.signal("top.orientation.x");
  const auto& qy = run.signal("top.orientation.y");
  const auto& qz = run.signal("top.orientation.z");
  // The spin turns 0.015 rad a step: RK4 leaves a phase error of about (0.015)^5/120 a step, 1e-6 rad after 1e5 steps,
  // along the spin; the axis itself moves slowly and keeps much better.
  for (std::size_t i = 0; i < tilt.size(); ++i) {
    const double t = run.times[i];
    ASSERT_NEAR(tilt[i], theta, 1e-7) << t;
    // The body's z axis.
    const double x = 2 * (qx[i] * qz[i] + qw[i] * qy[i]), y = 2 * (qy[i] * qz[i] - qw[i] * qx[i]);
    ASSERT_NEAR(x, std::sin(theta) * std::cos(W * t), 1e-6) << t;
    ASSERT_NEAR(y, std::sin(theta) * std::sin(W * t), 1e-6) << t;
  }
}

TEST(MiddleAxis, FlipsWithThePeriodOfTheEllipticFunctions) {
  const RunResult run = test::run_example("middle_axis");
  // Moments of the box about its axes, J1 < J2 < J3 for the axes x, y, z (sizes 0.24, 0.16, 0.04 m).
  const double m = 1.2, a = 0.24, b = 0.16, c = 0.04;
  const double J1 = m / 12 * (b * b + c * c), J2 = m / 12 * (a * a + c * c), J3 = m / 12 * (a * a + b * b);
  const double w1 = 0.01, w2 = 20, w3 = 0.01;
  const double twoT = J1 * w1 * w1 + J2 * w2 * w2 + J3 * w3 * w3;
  const double LL = J1 * J1 * w1 * w1 + J2 * J2 * w2 * w2 + J3 * J3 * w3 * w3;
  // Landau and Lifshitz, Mechanics, section 37: for L^2 > 2 T J2 the body circles the axis of J3 and w2 = w20 sn(tau,
  // k) has the period 4 K(k) / rate; else the roles of J1 and J3 are swapped.
  const bool about_largest = LL > twoT * J2;
  const double Ja = about_largest ? J1 : J3, Jc = about_largest ? J3 : J1;
  const double rate = std::sqrt((Jc - J2) * (LL - twoT * Ja) / (J1 * J2 * J3));
  const double k2 = (J2 - Ja) * (twoT * Jc - LL) / ((Jc - J2) * (LL - twoT * Ja));
  const double period = 4 * std::comp_ellint_1(std::sqrt(k2)) / rate;
  // Zero crossings of the body's own w2, rising: L in the body's frame, from the recorded world components.
  std::vector<double> crossings;
  double before = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const Quaternion q{run.signal("book.orientation.w")[i], run.signal("book.orientation.x")[i],
                       run.signal("book.orientation.y")[i], run.signal("book.orientation.z")[i]};
    const Vec3 w_W(run.signal("book.angular_velocity.x")[i], run.signal("book.angular_velocity.y")[i],
                   run.signal("book.angular_velocity.z")[i]);
    const double now = (calc_matrix(q).transpose() * w_W).y();
    if (i > 0 && before < 0 && now >= 0) {
      crossings.push_back(run.times[i] - (run.times[i] - run.times[i - 1]) * now / (now - before));
    }
    before = now;
  }
  ASSERT_GE(crossings.size(), 2u);
  // Linear interpolation between samples 5 ms apart is good to 1e-5 s where w2 passes zero with its cubic term.
  for (std::size_t i = 1; i < crossings.size(); ++i) EXPECT_NEAR(crossings[i] - crossings[i - 1], period, 2e-5);
}

TEST(MiddleAxis, MomentumIsConservedTo1e12) {
  const RunResult run = test::run_example("middle_axis");
  for (const char* name : {"momentum.linear.x", "momentum.linear.y", "momentum.linear.z", "momentum.angular.x",
                           "momentum.angular.y", "momentum.angular.z"}) {
    const auto& values = run.signal(name);
    const double scale = name[9] == 'l' ? 0.12 : 0.118;  // m v and J2 w2, the sizes of the vectors
    for (const double value : values) ASSERT_NEAR(value, values[0], 1e-12 * scale) << name;
  }
}

}  // namespace
}  // namespace stiction
