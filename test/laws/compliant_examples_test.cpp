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

TEST_P(EveryCompliantExample, TheLedgerClosesAndFrictionNeverFeeds) {
  const RunResult run = run_example(GetParam());
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_TRUE(test::is_as_expected(run)) << test::describe_verdict(run);
  const double scale = std::max(compliant_energy_scale(run), std::abs(run.summary.energy_first));
  // The bar: 1e-6 of the energy at hand, with each scene's own method and steps.
  EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * scale);
  // Friction feeds nothing if sigma_1 v_S >= mu_C / 2. The thesis' stick_slip has 0.032 against 0.05: there the
  // bristles may be charged by more than the sliding pays, at most by what they hold, f_n mu_S^2 / (2 sigma_0). What
  // bristles have kept when bodies part is known to the tolerance of its integration, 100 times that of the motion
  // (smooth_problem.h); what they owe then, charged under a smaller load, is at most what they can hold: the pendulum
  // strikes with 1e4 N.
  const bool passive = GetParam() != "stick_slip";
  const double owed = GetParam() == "pendulum_on_floor" ? 1e4 * 0.15 * 0.15 / (2 * 1e5) : 0;
  const double known = owed + 1e-12 * scale + 100 * test::load_example(GetParam()).method.absolute_tolerance;
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

TEST_P(EveryCompliantExample, RunsAreBitIdentical) {
  EXPECT_EQ(run_example(GetParam()).summary.hash, run_example(GetParam()).summary.hash);
}

}  // namespace
}  // namespace stiction
