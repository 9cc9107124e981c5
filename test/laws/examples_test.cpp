// Laws that hold on every scene in examples/ without contact, whatever it shows.
#include "support/examples.h"

#include <gtest/gtest.h>

#include <set>

namespace stiction {
namespace {

using test::max_abs;
using test::run_example;

class EveryExample : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Examples, EveryExample, testing::ValuesIn(test::example_names(false)),
                         [](const auto& example) { return example.param; });

/// The largest energy that is in play: what a residual is compared with. (The total may be zero by the choice of
/// height.)
double energy_scale(const RunResult& run) {
  return std::max({max_abs(run.signal("energy.kinetic")), max_abs(run.signal("energy.stored")),
                   max_abs(run.signal("energy.input"))});
}

TEST_P(EveryExample, CompletesAndItsLedgerCloses) {
  const RunResult run = run_example(GetParam());
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_EQ(run.summary.time, run.times.back());
  EXPECT_TRUE(test::is_as_expected(run)) << test::describe_verdict(run);
  // The bar of the examples at RK4 and their own steps: 1e-9 of the energy in play.
  EXPECT_LT(max_abs(run.signal("energy.residual")), 1e-9 * energy_scale(run));
  // The ledger is recomputed here from its parts.
  const auto& total = run.signal("energy.total");
  for (std::size_t i = 0; i < total.size(); i += 100) {
    const double expected = total[i] - total[0] - run.signal("energy.input")[i] + run.signal("energy.dissipated")[i] -
                            run.signal("energy.stabilisation")[i];
    EXPECT_NEAR(run.signal("energy.residual")[i], expected, 1e-13 * energy_scale(run));
  }
}

TEST_P(EveryExample, ConstraintsAndQuaternionsDoNotDrift) {
  const RunResult run = run_example(GetParam());
  EXPECT_LT(run.summary.audit.at("drift"), 1e-10);
  // A normalised quaternion is unit to a few units in the last place.
  EXPECT_LT(run.summary.audit.at("quaternion"), 1e-15);
}

TEST_P(EveryExample, ConstraintFormMovesAsTheTreeDoes) {
  // One second: long enough for errors to show, short enough that chaos does not amplify rounding beyond the bound.
  // Both forms are of order 4 with errors of about 1e-12 at these steps; adaptive steps keep the energy to their
  // tolerance.
  const std::vector<std::string> second = {"time.duration=1", "method.joints=constraint"};
  const RunResult constrained = run_example(GetParam(), second), tree = run_example(GetParam(), {"time.duration=1"});
  ASSERT_EQ(constrained.summary.status, RunStatus::completed) << constrained.summary.message;
  EXPECT_LT(constrained.summary.audit.at("drift"), 1e-10);
  const MethodSettings method = test::load_example(GetParam()).method;
  const double tolerance = method.integrator.starts_with("cvode") ? method.relative_tolerance : 1e-9;
  EXPECT_LT(max_abs(constrained.signal("energy.residual")), tolerance * energy_scale(constrained));
  for (const SignalInfo& info : tree.signals) {
    if (info.name.find(".position.") == std::string::npos) continue;
    const auto& a = tree.signal(info.name);
    const auto& b = constrained.signal(info.name);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-8) << info.name << " at " << tree.times[i];
  }
}

TEST_P(EveryExample, HalvingTheStepShowsOrderFour) {
  // Convergence study with the coarse steps h, h/2, h/4 against the finest: the errors shrink by 2^4 (a table or a sine
  // as motion is smooth inside, and its knots fall on steps).
  // The arm's fastest control loop has a rate of about 330 1/s, and RK4 is stable for h < 2.8/330 only: far below that
  // for it.
  const double h = GetParam() == "manipulator" ? 5e-4 : 4e-3;
  const auto end = [&](double step) {
    return run_example(GetParam(), {"time.duration=0.48", "time.step=" + std::to_string(step), "time.output=0.48"})
        .final_state;
  };
  const State coarse = end(h), middle = end(h / 2), fine = end(h / 4);
  const double first = (coarse.q - middle.q).norm(), second = (middle.q - fine.q).norm();
  if (second < 1e-13) return;  // exact already: nothing left to measure above rounding
  const double order = std::log2(first / second);
  EXPECT_GT(order, 3.6);
  EXPECT_LT(order, 5.5);
}

TEST_P(EveryExample, RunsAreBitIdentical) {
  std::set<std::string> hashes;
  for (int i = 0; i < 5; ++i) hashes.insert(run_example(GetParam(), {"time.duration=0.2"}).summary.hash);
  EXPECT_EQ(hashes.size(), 1u);
}

}  // namespace
}  // namespace stiction
