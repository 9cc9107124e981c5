// Restitution with friction under the rigid methods: Ahmed's double pendulum against impacts in velocities alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_example;

/// The tip of two links in the plane of (tangential, normal) velocities; no mechanism, no engine.
struct Tip {
  Eigen::Matrix2d W;
  Eigen::Vector2d u;
  double kinetic = 0;
};

Tip make_tip(bool case_a) {
  const double degree = 3.14159265358979323846 / 180;
  const double p1 = (case_a ? 18 : 0) * degree, p2 = p1 + (case_a ? 12 : 20.7) * degree;
  // Mass matrix in absolute angles p1, p2: m l^2/4 + J, m l^2, coupling m l^2/2 cos(p2 - p1).
  Eigen::Matrix2d M, J;
  const double c = std::cos(p2 - p1);
  M << 2 * 0.25 + 1.0 / 6 + 2, 2 * 0.5 * c, 2 * 0.5 * c, 2 * 0.25 + 1.0 / 6;
  J << std::cos(p1), std::cos(p2), std::sin(p1), std::sin(p2);
  const Eigen::Vector2d v(-1, -2);
  return {J * M.inverse() * J.transpose(), J * v, 0.5 * v.dot(M * v)};
}

/// Routh's integration by brute force: the normal impulse in steps of 1e-6 of what stops the tip, friction the impulse
/// that would stop the slip at once, within the cone; ends by the named hypothesis.
double lose_energy_by_steps(const Tip& tip, double e, double mu, const std::string& hypothesis) {
  Eigen::Vector2d u = tip.u;
  const double dp = 1e-6 * -u[1] / tip.W(1, 1);
  double p = 0, p_c = 0, work = 0, W_c = 0, energy = 0;
  bool compressing = true;
  for (int i = 0; i < 100'000'000; ++i) {
    const double stop = -(u[0] + tip.W(0, 1) * dp) / tip.W(0, 0);
    const Eigen::Vector2d r(std::clamp(stop, -mu * dp, mu * dp), dp), next = u + tip.W * r;
    work += 0.5 * dp * (u[1] + next[1]);
    energy -= r.dot(0.5 * (u + next));
    p += dp;
    u = next;
    if (compressing && u[1] >= 0) compressing = false, p_c = p, W_c = -work;
    if (compressing) continue;
    if (hypothesis == "poisson" && p >= (1 + e) * p_c) break;
    if (hypothesis == "newton" && u[1] >= -e * tip.u[1]) break;
    if (hypothesis == "stronge" && work + W_c >= e * e * W_c) break;
  }
  return energy / tip.kinetic;
}

double lose_energy_of_example(const char* name, double e, double mu, const std::vector<std::string>& more) {
  std::vector<std::string> settings = {"method.type=cone",
                                       "method.integrator=rk4",
                                       "time.step=1e-4",
                                       "time.output=1e-4",
                                       "time.duration=8e-3",
                                       "record.signals=[\"energy.kinetic\"]",
                                       "contact.\"lower/floor\".normal.restitution=" + std::to_string(e)};
  const std::string law = "contact.\"lower/floor\".friction";
  settings.push_back(fmt::format("{}={}", law, mu));
  settings.insert(settings.end(), more.begin(), more.end());
  const RunResult run = run_example(name, settings);
  return 1 - run.signal("energy.kinetic").back() / run.signal("energy.kinetic").front();
}

// All hypotheses, both cases, friction from none to what stops or turns the slip during the impact. The tip starts in
// touch: the rigid configuration is exact, and the steps of the reference leave 1e-5. Where Newton's law would create
// energy it is lowered, and takes none.
TEST(AhmedBenchmark, RigidRestitution) {
  for (const bool case_a : {true, false}) {
    const Tip tip = make_tip(case_a);
    for (const std::string hypothesis : {"newton", "poisson", "stronge"}) {
      for (const double e : {0.001, 0.5, 1.0}) {
        for (const double mu : {0.0, 0.2, 0.4, 1.0}) {
          const double loss = lose_energy_of_example(case_a ? "ahmed_a" : "ahmed_b", e, mu,
                                                     {"contact.\"lower/floor\".hypothesis=" + hypothesis});
          const double expected = std::max(0.0, lose_energy_by_steps(tip, e, mu, hypothesis));
          EXPECT_NEAR(loss, expected, 2e-4) << case_a << " " << hypothesis << " e " << e << " mu " << mu;
        }
      }
    }
  }
}

// The default where friction acts is Stronge's.
TEST(AhmedBenchmark, StrongeIsTheDefault) {
  EXPECT_EQ(lose_energy_of_example("ahmed_a", 0.5, 0.4, {}),
            lose_energy_of_example("ahmed_a", 0.5, 0.4, {"contact.\"lower/floor\".hypothesis=stronge"}));
}

// `compliant` in the stiff limit: without damping (e = 1) its works are those of Stronge's law; with e = 0.5 its
// damping acts by the rate of the depth, which friction changes on the way, and e is that of an impact without
// friction.
TEST(AhmedBenchmark, RigidAgreesWithCompliant) {
  for (const char* name : {"ahmed_a", "ahmed_b"}) {
    for (const double e : {0.5, 1.0}) {
      const double mu = 0.4;
      const std::string law = "contact.\"lower/floor\".friction";
      const RunResult run =
          run_example(name, {fmt::format("contact.\"lower/floor\".normal.restitution={}", e), "time.duration=8e-3",
                             "record.signals=[\"energy.kinetic\"]", fmt::format("{}.static={}", law, mu),
                             fmt::format("{}.kinetic={}", law, mu)});
      const double loss = 1 - run.signal("energy.kinetic").back() / run.signal("energy.kinetic").front();
      EXPECT_NEAR(lose_energy_of_example(name, e, mu, {}), loss, e == 1 ? 3e-3 : 2e-2) << name << " " << e;
    }
  }
}

}  // namespace
}  // namespace stiction
