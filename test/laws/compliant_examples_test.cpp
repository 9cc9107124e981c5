// Laws that hold on every compliant scene in examples/.
#include <gtest/gtest.h>

#include "support/examples.h"

namespace stiction {
namespace {

using test::max_abs;
using test::run_example;

class EveryCompliantExample : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Examples, EveryCompliantExample, testing::ValuesIn(test::compliant_example_names()),
                         [](const auto& example) { return example.param; });

double compliant_energy_scale(const RunResult& run) {
  return std::max({max_abs(run.signal("energy.kinetic")), max_abs(run.signal("energy.stored")),
                   max_abs(run.signal("energy.input")), max_abs(run.signal("energy.dissipated"))});
}

TEST_P(EveryCompliantExample, TheLedgerClosesFrictionNeverFeedsAndRunsAreBitIdentical) {
  const RunResult run = run_example(GetParam());
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_TRUE(test::is_as_expected(run)) << test::describe_verdict(run);
  EXPECT_EQ(run_example(GetParam()).summary.hash, run.summary.hash);
  const double scale = std::max(compliant_energy_scale(run), std::abs(run.summary.energy_first));
  // The bar: 1e-6 of the energy at hand, with each scene's own method and steps. The battery box has the thesis' fixed
  // steps, 250 us for impacts of a few milliseconds: measured 7e-4; see the next test. The arm on the plate has the
  // thesis' explicit Euler at 1 ms, whose ledger is of first order: measured 8e-6, and 50 us leave a twentieth.
  const double bar = GetParam() == "battery_box" ? 1e-3 : GetParam() == "arm_on_plate" ? 2e-5 : 1e-6;
  EXPECT_LT(run.summary.energy_worst_residual, bar * scale);
  // Friction feeds nothing if sigma_1 v_S >= mu_C / 2. The thesis' stick_slip has 0.032 against 0.05: there the
  // bristles may be charged by more than the sliding pays, at most by what they hold, f_n mu_S^2 / (2 sigma_0). What
  // bristles have kept when bodies part is known to the tolerance of its integration, 100 times that of the motion
  // (smooth_problem.h); what they owe then, charged under a smaller load, is at most what they can hold: the pendulum
  // strikes with 1e4 N, the foot with 2e3 N. The battery box strikes edges, where the elastic force of a region is no
  // gradient (volume_contact.h): measured 0.021 J of 35 J.
  const bool passive = GetParam() != "stick_slip";
  double owed = GetParam() == "pendulum_on_floor" ? 1e4 * 0.15 * 0.15 / (2 * 1e5) : 0;
  if (GetParam() == "rocking_foot") owed = 2 * 2e3 * 0.7 * 0.7 / (2 * 1e5);
  if (GetParam() == "battery_box") owed = 0.03;
  // Its patches pass from sector to sector under loads of up to 3 N; measured 3e-7 J.
  if (GetParam() == "peg_in_hole") owed = 3 * 0.15 * 0.15 / (2 * 1500);
  const Scene scene = test::load_example(GetParam());
  double known = owed + 1e-12 * scale + 100 * scene.method.absolute_tolerance;
  // The elastic energy of a region is integrated too.
  for (const auto& contact : scene.contacts)
    if (contact.value.normal && contact.value.normal->law == "volume")
      known += 100 * scene.method.relative_tolerance * max_abs(run.signal("energy.stored"));
  EXPECT_LT(run.summary.audit.at("dissipation"), passive ? known : 10 * 0.15 * 0.15 / (2 * 1e4));
  if (!passive) {
    EXPECT_GT(run.summary.audit.at("dissipation"), 0);
  }
  // What friction and impacts have taken only grows, to the error of its integration.
  for (const char* part : {"energy.friction", "energy.impact"}) {
    const auto& taken = run.signal(part);
    for (std::size_t i = 1; i < taken.size(); ++i) ASSERT_GE(taken[i], taken[i - 1] - 1e-6 * scale) << part;
  }
}

// With located events and error control the ledger of the battery box closes to the bar too, over its first impacts.
TEST(CompliantLedger, ClosesForManyCells) {
  const RunResult run =
      run_example("battery_box", {"time.duration=0.5", "method.integrator=cvode_bdf", "method.relative_tolerance=1e-7",
                                  "method.absolute_tolerance=1e-9"});
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * run.summary.energy_first);
}

}  // namespace
}  // namespace stiction
