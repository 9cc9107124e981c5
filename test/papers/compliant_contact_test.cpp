// Compliant point contact against gonthier-thesis-2007, section 5.1, and closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_example;

// Figs 5.1 and 5.2: the ball leaves with e v for every e, within 1e-4, and its ledger closes.
TEST(CompliantImpact, EveryRestitutionComesOut) {
  for (const double e : {0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    const RunResult run = run_example("impact", {fmt::format("contact.\"ball/plane\".normal.restitution={}", e)});
    EXPECT_NEAR(run.signal("ball.velocity.z").back() / e, 1, 1e-4) << e;
    EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * run.summary.energy_first);
  }
  // e = 1 - 0.2 v; the table replaces the one of the scene.
  for (const double v : {0.5, 1.0, 2.0, 4.0}) {
    const RunResult run =
        run_example("impact", {"contact.\"ball/plane\".normal={law=\"hertz\", stiffness=3.4e10, restitution_slope=0.2}",
                               fmt::format("body.ball.velocity=[0,0,{}]", -v)});
    EXPECT_NEAR(run.signal("ball.velocity.z").back() / (v * (1 - 0.2 * v)), 1, 1e-4) << v;
  }
}

// The force loop of Fig. 5.2 as signals. Without damping it is the line f = k depth^(3/2), and all of m v^2 / 2 is in
// the spring where the ball turns: k depth^(5/2) / (5/2). With damping the loop's area is what the impact took, and the
// force is never tension.
TEST(CompliantImpact, ForceLoopsAreSignals) {
  const auto run_with = [](double e) {
    return run_example("impact", {fmt::format("contact.\"ball/plane\".normal.restitution={}", e)});
  };
  const double k = 3.4e10, m = 0.454;
  const RunResult elastic = run_with(1);
  const auto& force = elastic.signal("contact.ball/plane.force");
  const auto& depth = elastic.signal("contact.ball/plane.depth");
  const double deepest = *std::max_element(depth.begin(), depth.end());
  EXPECT_NEAR(deepest, std::pow(2.5 * 0.5 * m / k, 0.4), 1e-3 * deepest);  // m/s squared = 1; between two samples
  for (std::size_t i = 0; i < force.size(); ++i) {
    EXPECT_NEAR(force[i], k * std::pow(depth[i], 1.5), 1e-9 * k * std::pow(deepest, 1.5));
  }
  const RunResult damped = run_with(0.5);
  const auto &f = damped.signal("contact.ball/plane.force"), &d = damped.signal("contact.ball/plane.depth");
  double area = 0;
  for (std::size_t i = 1; i < f.size(); ++i) area += 0.5 * (f[i] + f[i - 1]) * (d[i] - d[i - 1]);
  // Trapezoids between 161 samples: (1/161)^2 of it, 7e-6.
  EXPECT_NEAR(area, 0.5 * m * (1 - 0.25), 1e-5);
  EXPECT_GE(*std::min_element(f.begin(), f.end()), 0);
}

// Hunt and Crossley's own factor (Fig. 5.1): e comes out too high below 1, and right at 1.
TEST(CompliantImpact, ApproximationsMissTheirRestitution) {
  const auto leave = [](const char* rule, double e) {
    const RunResult run =
        run_example("impact", {fmt::format("contact.\"ball/plane\".normal.restitution={}", e),
                               fmt::format("contact.\"ball/plane\".normal.damping_rule=\"{}\"", rule)});
    return run.signal("ball.velocity.z").back() / e;
  };
  EXPECT_GT(leave("hunt_crossley", 0.5), 1.1);
  EXPECT_GT(leave("lankarani_nikravesh", 0.5), 1.2);
  EXPECT_NEAR(leave("hunt_crossley", 0.99), 1, 1e-3);
}

// Section 5.1.4: the plate's reaction under force/moment accommodation. Closed forms: pressed at a commanded 2 mm/s
// against 10 N a mm/s and a dead-band of 10 N it is 30 N, exactly, as the tolerance of 10 um/s is far below that speed.
// Dragged at a commanded 5 mm/s, (3, 4) mm/s in x and y, with mu_S = 0.16 as its Stribeck velocity is far above
// that: 4.8 N against the motion, of which (2.9, 3.8) N along x and y are within the dead-band: the arm gives way by
// what friction of 10 N, smooth below v_eps = 10 um/s, creeps: 3/2 r - 1/2 r^3 = 0.38 has r < 0.27, so by less than 2.7
// um/s.
TEST(ArmOnPlate, PressesAndDrags) {
  const RunResult run = run_example("arm_on_plate");
  const auto force_at = [&](double t) {
    for (const ContactSample& sample : run.contacts)
      if (std::abs(sample.t - t) < 1e-6) return Vec3(sample.contact.impulse / 50e-6);
    return Vec3(Vec3::Zero());
  };
  // The command is a spline through points 0.25 s apart: constant to 1e-3 a second away from where it changes.
  EXPECT_NEAR(force_at(2).z(), 30, 0.01);
  EXPECT_NEAR(force_at(4.5).z(), 30, 0.02);
  // mu = mu_C + (mu_S - mu_C) s_dw, s_dw = s = exp(-(v/v_S)^2)
  const double v = 5e-3, mu = 0.1 + 0.06 * std::exp(-v * v / 0.01);
  EXPECT_NEAR(force_at(4.5).x(), 0.6 * -30 * mu, 0.01);
  EXPECT_NEAR(force_at(4.5).y(), 0.8 * -30 * mu, 0.01);
  const std::size_t i = 450;
  for (const auto& [name, part] : {std::pair("hand.position.x", 0.6), std::pair("hand.position.y", 0.8)}) {
    const auto& x = run.signal(name);
    EXPECT_NEAR((x[i + 10] - x[i - 10]) / (run.times[i + 10] - run.times[i - 10]), part * v, 2e-5) << name;
  }
  // Touched after 2 mm at 2 mm/s, left when it is commanded up.
  EXPECT_NEAR(run.events.front().t, 1, 2e-3);
  EXPECT_NEAR(run.events.back().t, 6.05, 0.1);
  EXPECT_EQ(run.events.back().kind, "release");
}

// A cylinder that lies exactly along a plane: its deepest point is one end or the other, the force jumps, and error
// control halves its steps for ever. The run says so soon, instead of going on for days; fixed steps pass.
TEST(CompliantLimits, ACrawlIsToldAndFixedStepsPass) {
  const auto run_with = [](const std::string& integrator) {
    return test::run_text("crawl_" + integrator, R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.2
step = 1e-4
output = 1e-2
[method]
type = "compliant"
integrator = ")" + integrator + R"("
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.can]
mass = 0.5
position = [0, 0, 0.0501]
orientation = { axis = [1, 0, 0], angle = "90 deg" }
shape = { type = "cylinder", radius = 0.05, length = 0.1 }
[contact."can/floor"]
normal = { law = "hertz", stiffness = 1e7, restitution = 0.5 }
friction = 0.4
)");
  };
  const RunResult crawls = run_with("dormand_prince");
  EXPECT_EQ(crawls.summary.status, RunStatus::failed);
  EXPECT_NE(crawls.summary.message.find("step size has collapsed"), std::string::npos) << crawls.summary.message;
  EXPECT_EQ(run_with("rk4").summary.status, RunStatus::completed);
}

}  // namespace
}  // namespace stiction
