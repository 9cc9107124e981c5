// Laws of rigid contact beyond one mu and one e: restitution that depends on the speed, static friction with dwell
// time, static friction of joints. Closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double g_laws = 9.81;
using test::run_text;

class RigidLaws : public testing::TestWithParam<std::string> {
 protected:
  /// A body that does not turn over a floor, h = 1 ms unless told.
  static std::string make_scene(const std::string& body, const std::string& contact, double duration,
                                double step = 1e-3) {
    return fmt::format(
        "[world]\ngravity = [0, 0, -{}]\n[time]\nduration = {}\nstep = {}\noutput = {}\n[method]\ntype = \"{}\"\n"
        "directions = 4\n[body.floor]\nfixed = true\nshape = {{ type = \"halfspace\", normal = [0, 0, 1] }}\n"
        "[body.ball]\nmass = 2\nparticle = true\nshape = {{ type = \"sphere\", radius = 0.1 }}\n"
        "{}\n[contact.\"ball/floor\"]\n{}\n",
        g_laws, duration, step, step, GetParam(), body, contact);
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, RigidLaws,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"),
                         [](const auto& method) { return method.param; });

// A ball that falls from the height H meets the floor with v_1 = sqrt(2 g H) and leaves with (1 - a v) v each time:
// v_(k+1) = v_k (1 - a v_k), k-th rebound to v_(k+1)^2 / (2 g), times of flight 2 v / g. e falls to 0.01 above
// v = 0.99 / a. The impact is located to 1e-6 of a step, the top of a flight is met by a sample within h/2.
TEST_P(RigidLaws, RestitutionFollowsTheSpeedOfEachImpact) {
  for (const std::string hypothesis : {"newton", "poisson", "stronge"}) {
    const double a = 0.15, H = 1, h = 1e-3;
    const RunResult run =
        run_text("slope", make_scene("position = [0, 0, 1.1]",
                                     fmt::format("restitution_slope = {}\nhypothesis = \"{}\"", a, hypothesis), 2));
    const auto& z = run.signal("ball.position.z");
    double v = std::sqrt(2 * g_laws * H), t = v / g_laws;
    for (int bounce = 0; bounce < 3; ++bounce) {
      v *= 1 - a * v;
      const double top = t + v / g_laws;
      t += 2 * v / g_laws;
      const auto sample = static_cast<std::size_t>(std::lround(top / h));
      ASSERT_LT(sample, z.size());
      // First-order formulations fall h v / 2 short or far in free flight; they are compared where that is small.
      EXPECT_NEAR(z[sample] - 0.1, v * v / (2 * g_laws), g_laws * h * h + 2e-5) << hypothesis << " " << bounce;
    }
    EXPECT_GT(run.signal("energy.impact").back(), 0);
  }
}

// A push that grows as c t moves the block when c t = mu_S m g; from then on it has (c t - mu_C m g) / m. The step in
// which it breaks away has mu_S to its end: an impulse of (mu_S - mu_C) m g h at most is missing.
TEST_P(RigidLaws, APushBreaksAwayAtStaticFriction) {
  const double c = 20, m = 2, mu_S = 0.6, mu_C = 0.4, h = 1e-3, N = m * g_laws;
  const RunResult run = run_text(
      "push", make_scene("position = [0, 0, 0.1]\n[force.push]\nbody = \"ball\"\nforce = [{ velocity = 20 }, 0, 0]",
                         "friction = { law = \"coulomb\", static = 0.6, kinetic = 0.4 }", 1));
  const auto& v = run.signal("ball.velocity.x");
  const double start = mu_S * N / c, end = 1;
  EXPECT_NEAR(v[static_cast<std::size_t>(start / h) - 1], 0, 1e-12);
  const auto speed_at = [&](double t) { return (0.5 * c * (t * t - start * start) - mu_C * N * (t - start)) / m; };
  const double missing = (mu_S - mu_C) * g_laws * h + c * h * end / m;
  EXPECT_NEAR(v.back(), speed_at(end), missing);
  EXPECT_NEAR(v.back() - v[v.size() - 101], speed_at(end) - speed_at(end - 100 * h), 2e-3 * v.back());
  EXPECT_LT(run.signal("audit.cone").back(), 1e-9);
}

// Static friction builds up as 1 - exp(-t / tau): a push between mu_C m g and mu_S m g that comes after the time T
// holds if mu_C + (mu_S - mu_C) (1 - exp(-T / tau)) is above it.
TEST_P(RigidLaws, StaticFrictionBuildsUpWithTheDwellTime) {
  const double tau = 0.1, T = 0.1, mu_S = 0.6, mu_C = 0.4, N = 2 * g_laws;
  const double bears = (mu_C + (mu_S - mu_C) * (1 - std::exp(-T / tau))) * N;
  const auto is_held = [&](double force, double initial_dwell) {
    const RunResult run = run_text(
        "dwell",
        make_scene(fmt::format("position = [0, 0, 0.1]\n[force.push]\nbody = \"ball\"\nforce = [{{ table = [[0, 0], "
                               "[{}, {}], [1, {}]], interpolation = \"hold\" }}, 0, 0]",
                               T, force, force),
                   fmt::format("friction = {{ law = \"coulomb\", static = 0.6, kinetic = 0.4, dwell_time = {}, "
                               "initial_dwell = {} }}",
                               tau, initial_dwell),
                   T + 0.02));
    return std::abs(run.signal("ball.velocity.x").back()) < 1e-9;
  };
  // One step more or less of dwell changes what it bears by (mu_S - mu_C) N h / tau e^-1.
  const double step = (mu_S - mu_C) * N * 1e-3 / tau;
  EXPECT_TRUE(is_held(bears - step, 0));
  EXPECT_FALSE(is_held(bears + step, 0));
  EXPECT_TRUE(is_held(mu_S * N * 0.99, 1));
}

// The signal of the state: 1 - exp(-t / tau) while it sticks, 0 once it slips: from 0.2 s on, as the push of 12 N is
// above mu_S N = 11.77 N.
TEST_P(RigidLaws, TheDwellStateIsASignal) {
  const double tau = 0.1;
  const RunResult run =
      run_text("dwell_signal",
               make_scene("position = [0, 0, 0.1]\n[force.push]\nbody = \"ball\"\n"
                          "force = [{ table = [[0, 0], [0.2, 12], [1, 12]], interpolation = \"hold\" }, 0, 0]",
                          "friction = { law = \"coulomb\", static = 0.6, kinetic = 0.4, dwell_time = 0.1 }", 0.3));
  const auto &dwell = run.signal("contact.ball/floor.dwell"), &stick = run.signal("contact.ball/floor.stick");
  for (const std::size_t i : {1u, 50u, 150u, 199u}) {
    EXPECT_NEAR(dwell[i], 1 - std::exp(-run.times[i] / tau), 1e-9) << i;
    EXPECT_EQ(stick[i], 1) << i;
  }
  EXPECT_EQ(dwell.back(), 0);
  EXPECT_EQ(stick.back(), 0);
  EXPECT_NEAR(run.signal("ball.velocity.x").back(), (12 - 0.4 * 2 * g_laws) / 2 * 0.1, 0.01);
}

// A block on a belt, held by a spring: it sticks while the spring is drawn from (mu_C N - D)/k to (mu_C N + D)/k with
// the belt's speed V, D = (mu_S - mu_C) N, and slips as a free oscillation about mu_C N / k until it has the speed V
// again: w T_slip = 2 (pi - atan(D w / (k V))), T_stick = 2 D / (k V).
TEST_P(RigidLaws, StickSlipOnABeltHasItsPeriod) {
  const double m = 2, k = 200, V = 0.1, mu_S = 0.4, mu_C = 0.2, h = 1e-4, w = std::sqrt(k / m);
  const double D = (mu_S - mu_C) * m * g_laws / k;
  const double period = 2 * D / V + 2 * (std::numbers::pi - std::atan(D * w / V)) / w;
  const RunResult run = run_text(
      "belt",
      fmt::format(
          "[world]\ngravity = [0, 0, -{}]\n[time]\nduration = {}\nstep = {}\noutput = {}\n[method]\n"
          "type = \"{}\"\ndirections = 4\n[body.belt]\nfixed = true\nshape = {{ type = \"halfspace\", normal = "
          "[0, 0, 1], surface_velocity = [{}, 0, 0] }}\n[body.ball]\nmass = {}\nparticle = true\nposition = [0, 0, "
          "0.1]\nshape = {{ type = \"sphere\", radius = 0.1 }}\n[spring.s]\na = \"world\"\nat_a = [-1, 0, 0.1]\nb "
          "= \"ball\"\nstiffness = {}\nrest_length = 1\n[contact.\"ball/belt\"]\nfriction = {{ law = "
          "\"coulomb\", static = {}, kinetic = {} }}\n",
          g_laws, 3.2 * period, h, h, GetParam(), V, m, k, mu_S, mu_C));
  // Times at which the block begins to slip: the velocity falls below that of the belt.
  const auto& v = run.signal("ball.velocity.x");
  std::vector<double> starts;
  for (std::size_t i = 1; i < v.size(); ++i)
    if (std::abs(v[i - 1] - V) < 1e-6 && std::abs(v[i] - V) > 1e-6) starts.push_back(run.times[i]);
  ASSERT_GE(starts.size(), 2u);
  // Break-away and sticking are met within a step each; first-order steps damp an oscillation by w h / 2 a radian.
  EXPECT_NEAR(starts[1] - starts[0], period, 2e-3 * period);
}

// Friction T_S holds a slider, T_C brakes it: the same push, and the Stribeck curve between them. At v = v_S friction
// is T_C + (T_S - T_C) / e.
TEST_P(RigidLaws, JointsHaveStaticFriction) {
  const auto push = [&](const std::string& force, const std::string& more, double step) {
    return run_text("joint",
                    fmt::format("[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.2\nstep = {}\noutput = 0.01\n"
                                "[method]\ntype = \"{}\"\n[body.slider]\nmass = 2\ninertia = 0.1\n[joint.guide]\n"
                                "type = \"prismatic\"\nchild = \"slider\"\naxis = [1, 0, 0]\nfriction = 5\n"
                                "static_friction = 8\nstribeck_velocity = 0.05\n{}\n[motor.m]\njoint = \"guide\"\n"
                                "effort = {}\n",
                                step, GetParam(), more, force))
        .signal("guide.velocity")
        .back();
  };
  EXPECT_NEAR(push("7.9", "", 1e-4), 0, 1e-12);
  // From v_S / 10 on: m dv/dt = F - T(v), T = T_C + (T_S - T_C) exp(-(v/v_S)^2). A step has the friction of its start:
  // it is Euler's explicit one, to rounding of 2000 steps of solved problems.
  const auto step_by_euler = [](double step) {
    double v = 0.005;
    const double F = 8.1, m = 2, v_S = 0.05;
    for (long i = std::lround(0.2 / step); i > 0; --i) v += step / m * (F - 5 - 3 * std::exp(-(v / v_S) * (v / v_S)));
    return v;
  };
  EXPECT_NEAR(push("8.1", "velocity = 0.005", 1e-4), step_by_euler(1e-4), 1e-9);
  // Of first order: half the step has half the error.
  const double exact = 2 * step_by_euler(5e-7) - step_by_euler(1e-6);
  EXPECT_NEAR((step_by_euler(1e-4) - exact) / (step_by_euler(5e-5) - exact), 2, 0.05);
}

}  // namespace
}  // namespace stiction
