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
  const double scale = std::max(compliant_energy_scale(run), std::abs(run.summary.energy_first));
  // The bar: 1e-6 of the energy at hand, with each scene's own method and steps; block_on_slope takes steps of 2 ms.
  EXPECT_LT(run.summary.energy_worst_residual, (GetParam() == "block_on_slope" ? 3e-6 : 1e-6) * scale);
  // Its power is never negative; what bristles have kept when bodies part is known to the tolerance of its integration,
  // 100 times that of the motion (smooth_problem.h).
  EXPECT_LT(run.summary.audit.at("dissipation"),
            1e-12 * scale + 100 * test::load_example(GetParam()).method.absolute_tolerance);
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
