// Patches that slide, spin and roll, against closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/contact/damping_factor.h"

#include "support/compliant.h"
#include "support/examples.h"

namespace stiction {
namespace {

using std::numbers::pi;
using test::earth_gravity;
using test::run_example;

/// A disc of radius R under uniform pressure (Farkas and others 2003), e = v / (w R):
///     dv/dt = -mu g F(e),   dw/dt = -2 mu g T(e) / R
/// by steps of 10 us of the midpoint rule.
struct DiscMotion {
  double v, w;
};
DiscMotion calc_disc_rates(const DiscMotion& motion, double mu, double R) {
  const double e = motion.v / (motion.w * R), e2 = e * e;
  double F = 0, T = 0;
  if (e < 1) {
    const double K = std::comp_ellint_1(e), E = std::comp_ellint_2(e);
    F = 4 / (3 * pi * e) * ((e2 + 1) * E + (e2 - 1) * K);
    T = 4 / (9 * pi) * ((4 - 2 * e2) * E + (e2 - 1) * K);
  } else {
    const double K = std::comp_ellint_1(1 / e), E = std::comp_ellint_2(1 / e);
    F = 4 / (3 * pi) * ((e2 + 1) * E - (e2 - 1) * K);
    T = 4 * e / (9 * pi) * ((4 - 2 * e2) * E + (2 * e2 - 5 + 3 / e2) * K);
  }
  return {-mu * earth_gravity * F, -2 * mu * earth_gravity * T / R};
}
DiscMotion calc_disc_motion(DiscMotion motion, double mu, double R, double time) {
  const double h = 1e-5;
  for (int i = 0; i < std::lround(time / h); ++i) {
    const DiscMotion a = calc_disc_rates(motion, mu, R);
    const DiscMotion b = calc_disc_rates({motion.v + h / 2 * a.v, motion.w + h / 2 * a.w}, mu, R);
    motion.v += h * b.v, motion.w += h * b.w;
  }
  return motion;
}

double slide_of(const RunResult& run, const std::string& body, std::size_t i) {
  return std::hypot(run.signal(body + ".velocity.x")[i], run.signal(body + ".velocity.y")[i]);
}

// Friction acts 1 mm below the centre of mass: the moment 2e-3 N m tilts the pressure, by mu h / (R/2) = 1.6 % from rim
// to rim; that changes force and torque in second order, and the disc sways by microns. Bound: 2e-3 of the start.
TEST(SpinningDisc, FollowsTheContensouCurve) {
  const RunResult run = run_example("spinning_disc");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  for (const double t : {0.1, 0.3, 0.5}) {
    const auto i = static_cast<std::size_t>(std::lround(t / 0.002));
    const DiscMotion exact = calc_disc_motion({1, 10}, 0.2, 0.05, t);
    EXPECT_NEAR(slide_of(run, "disc", i), exact.v, 2e-3) << t;
    EXPECT_NEAR(run.signal("disc.angular_velocity.z")[i], exact.w, 2e-2) << t;
  }
  // Both end at once, and it stays where it is.
  EXPECT_LT(slide_of(run, "disc", run.times.size() - 1), 1e-6);
  EXPECT_LT(std::abs(run.signal("disc.angular_velocity.z").back()), 1e-4);
}

// The elliptic relation brakes the spin more: beside sliding its torque is twice the exact one (contensou.h).
TEST(SpinningDisc, TheThesisRelationBrakesTheSpinMore) {
  const RunResult exact = run_example("spinning_disc", {"time.duration=0.2"});
  const RunResult thesis =
      run_example("spinning_disc", {"time.duration=0.2", "contact.\"disc/plane\".friction.contensou=elliptic"});
  const double lost_exact = 10 - exact.signal("disc.angular_velocity.z").back(),
               lost_thesis = 10 - thesis.signal("disc.angular_velocity.z").back();
  EXPECT_GT(lost_thesis, 1.4 * lost_exact);
  EXPECT_LT(lost_thesis, 2 * lost_exact);
}

// (m r^2 + I) dw/dt = -k_v a K w, r from the axis to the centroid of the patch. The section below the plane is
// f(x) = sqrt(R^2 - x^2) - (R - d): V, K and the centroid by sums over x, d from V = m g / k_v.
TEST(RollingCylinder, SlowsDownExponentially) {
  const double m = 1, R = 0.1, L = 0.2, k = 1e8;
  struct Section {
    double volume = 0, rolling = 0, depth = 0;
  };
  const auto measure = [&](double d) {
    const double c = std::sqrt(2 * R * d - d * d);
    const int n = 20000;
    Section s;
    for (int i = 0; i < n; ++i) {
      const double x = c * (2 * (i + 0.5) / n - 1), f = std::sqrt(R * R - x * x) - (R - d), width = L * 2 * c / n;
      s.volume += f * width, s.rolling += x * x * f * width, s.depth += 0.5 * f * f * width;
    }
    s.depth /= s.volume;
    return s;
  };
  double low = 0, high = 1e-3;
  while (high - low > 1e-15) {
    const double middle = 0.5 * (low + high);
    (measure(middle).volume < m * earth_gravity / k ? low : high) = middle;
  }
  const Section rest = measure(low);
  const double r = R - low + rest.depth, a = calc_damping_factor(0.9) / (0.9 * 1e-3);
  const double rate = k * a * rest.rolling / (m * r * r + 0.5 * m * R * R);
  const RunResult run = run_example("rolling_cylinder");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto& w = run.signal("cylinder.angular_velocity.y");
  // From 0.5 s on, when the bounce of the start is over. 1e-3: bristles give way a little.
  const double measured = std::log(w[50] / w.back()) / (run.times.back() - run.times[50]);
  EXPECT_NEAR(measured / rate, 1, 1e-3);
  EXPECT_NEAR(run.signal("cylinder.velocity.x").back() / (r * w.back()), 1, 1e-3);
}

// One patch: sliding and spinning end in the same instant, to a few milliseconds of the end of both.
TEST(SlidingBox, StopsSlidingAndSpinningTogether) {
  const RunResult run = run_example("sliding_box");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto& spin = run.signal("box.angular_velocity.z");
  const auto end_of = [&](auto moves) {
    std::size_t i = run.times.size();
    while (i > 0 && !moves(i - 1)) --i;
    return run.times[i];
  };
  // The speed of the sole's rim against that of its middle: v_S of the scene is 1 mm/s.
  const double slides = end_of([&](std::size_t i) { return slide_of(run, "box", i) > 3e-3; });
  const double spins = end_of([&](std::size_t i) { return std::abs(spin[i]) > 3e-3 / 0.037; });
  EXPECT_NEAR(slides, spins, 0.02);
  EXPECT_NEAR(run.signal("contact.box/plane.force").back(), 2 * earth_gravity, 1e-8);
  EXPECT_EQ(run.signal("contact.box/plane.stick").back(), 1);
}

}  // namespace
}  // namespace stiction
