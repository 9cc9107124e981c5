// stewart-trinkle-2000, section 4.1: the falling rod.
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_example;

std::vector<std::string> settings(const std::string& method, double step) {
  return {"method.type=" + method, "time.step=" + std::to_string(step)};
}

double final_x(const std::string& method, double step) {
  return run_example("falling_rod", settings(method, step)).signal("rod.position.x").back();
}

std::vector<double> impact_times(const RunResult& run) {
  std::vector<double> times;
  for (const StepEvent& event : run.events) {
    if (event.kind == "impact") times.push_back(event.t);
  }
  return times;
}

// The paper: impact near 0.383 s, slap-down near 0.548 s at h = 0.0025, which are the START times of the contact steps.
TEST(FallingRod, PaperTimesAtThePapersStep) {
  const RunResult run = run_example("falling_rod", settings("stewart_trinkle", 0.0025));
  const std::vector<double> times = impact_times(run);
  ASSERT_GE(times.size(), 2u);
  EXPECT_NEAR(times[0] - 0.0025, 0.383, 0.0025);
  EXPECT_NEAR(times[1] - 0.0025, 0.548, 0.0025);
}

// The bar: final x within 1e-3 m of -0.2274 m, slap-down within one step of 0.547 s, at h = 1e-3.
TEST(FallingRod, EndsWhereItShould) {
  const RunResult run = run_example("falling_rod", settings("cone", 1e-3));
  EXPECT_NEAR(run.signal("rod.position.x").back(), -0.2274, 1e-3);
  const std::vector<double> times = impact_times(run);
  ASSERT_GE(times.size(), 2u);
  EXPECT_NEAR(times[1], 0.547, 1e-3);
  // At rest on its side: centre at the radius.
  EXPECT_NEAR(run.signal("rod.position.y").back(), 0.05, 1e-9);
  EXPECT_NEAR(run.signal("rod.velocity.x").back(), 0, 1e-9);
  EXPECT_LT(run.summary.audit.at("penetration"), 1e-7);      // of second order in the step while it turns
  EXPECT_LT(run.signal("audit.penetration").back(), 1e-12);  // at rest
  EXPECT_EQ(run.summary.audit.at("unconverged"), 0);
  // Friction never feeds, and the ledger closes.
  EXPECT_LT(test::max_abs(run.signal("energy.residual")), 1e-10);
}

// Closed form: free fall with a turning rod until its lower end touches:
//     1 - g t^2/2 - (l/2) |sin(30 deg + 4 t)| - r = 0.
TEST(FallingRod, FirstImpactIsLocated) {
  const auto lower_gap = [](double t) {
    const double angle = std::numbers::pi / 6 + 4 * t;
    return 1 - 0.5 * 9.81 * t * t - 0.25 * std::abs(std::sin(angle)) - 0.05;
  };
  double low = 0.3, high = 0.45;
  for (int i = 0; i < 100; ++i) (lower_gap(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  const std::vector<double> times = impact_times(run_example("falling_rod", settings("cone", 1e-3)));
  ASSERT_FALSE(times.empty());
  EXPECT_NEAR(times[0], low, 1e-9);
}

// Convergence study: the difference to the finest run shrinks at least in proportion to the step (first order).
TEST(FallingRod, AllMethodsConvergeToOneMotion) {
  const double exact = final_x("cone", 2e-5);
  for (const std::string method : {"cone", "stewart_trinkle", "anitescu_potra"}) {
    SCOPED_TRACE(method);
    const double coarse = std::abs(final_x(method, 4e-4) - exact), fine = std::abs(final_x(method, 1e-4) - exact);
    EXPECT_LT(fine, 0.4 * coarse);
    EXPECT_LT(fine, 5e-4);
  }
}

// Painleve: a tip sliding at 2 m/s in a direction and at an angle for which the acceleration of the contact would grow
// with the force. It must jam at once: the tip stops within a step, and no energy is made.
TEST(FallingRod, JamsWithoutEnergyGain) {
  const std::vector<std::string> jam = {"time.duration=0.002",
                                        "time.step=1e-4",
                                        "body.rod.orientation={axis=[0,0,1], angle=\"60 deg\"}",
                                        "body.rod.position=[0, 0.26650635094610965, 0]",
                                        "body.rod.angular_velocity=[0,0,0]",
                                        "body.rod.velocity=[-2, 0, 0]"};
  // Height of the centre: (l/2) sin 60 deg + r. The lower tip is the left one and slides left, ahead of the centre:
  // normal acceleration per normal force (1/m)(1 + (m/J) x (x - mu y)) with x = -(l/2) cos 60 deg, y = -(l/2) sin 60
  // deg - r.
  const double x = -0.125, y = -0.26650635094610965, mu = 0.6, ratio = 1 / 0.002;
  // Friction on a tip that slides left points right: force (mu, 1); its moment about the centre is x - mu y.
  ASSERT_LT(1 + ratio * x * (x - mu * y), 0) << "the state is not a Painleve state";
  const RunResult run = run_example("falling_rod", jam);
  ASSERT_EQ(run.summary.status, RunStatus::completed);
  const auto& total = run.signal("energy.total");
  for (std::size_t i = 1; i < total.size(); ++i) EXPECT_LE(total[i], total[i - 1] + 1e-12);
  // After one step the tip sticks or leaves: a jump, not an acceleration.
  EXPECT_LT(run.signal("energy.kinetic")[1], 0.9 * run.signal("energy.kinetic")[0]);
}

}  // namespace
}  // namespace stiction
