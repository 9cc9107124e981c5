// What every integrator in the table must do.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/stepping/ode/integrators.h"

#include "allocation_counter.h"
#include "ode_problems.h"

namespace stiction {
namespace {

using test::BallOnSpring;
using test::CartesianPendulum;
using test::FunctionProblem;
using test::TorqueFreeBody;

class Integrator : public testing::TestWithParam<IntegratorInfo> {
 protected:
  std::unique_ptr<OdeIntegrator> make(OdeProblem& problem) const { return GetParam().make(problem, settings_); }
  OdeSettings settings_;
};
using Adaptive = Integrator;
using WithoutAllocation = Integrator;
const auto by_name = [](const auto& row) { return row.param.name; };
INSTANTIATE_TEST_SUITE_P(All, Integrator, testing::ValuesIn(integrators()), by_name);
INSTANTIATE_TEST_SUITE_P(All, Adaptive, testing::ValuesIn(test::select([](auto& row) { return row.adaptive; })),
                         by_name);
// CVODE's own memory is beyond us.
INSTANTIATE_TEST_SUITE_P(All, WithoutAllocation,
                         testing::ValuesIn(test::select([](auto& row) { return !row.name.starts_with("cvode"); })),
                         by_name);

TEST_P(Integrator, IsListedWithADescription) {
  EXPECT_EQ(find_integrator(GetParam().name)->name, GetParam().name);
  EXPECT_GE(GetParam().order, 1);
  EXPECT_EQ(GetParam().description.back(), '.');
}

TEST_P(Integrator, ReachesEveryLimitExactly) {
  TorqueFreeBody problem;
  const auto integrator = make(problem);
  double t = 0;
  VecX y = TorqueFreeBody::start();
  for (const double t_limit : {0.0003, 0.01, 0.010001, 0.5, 0.7071}) {
    test::run(*integrator, t, y, t_limit, 1.0);
    EXPECT_EQ(t, t_limit);
    // Quaternions are unit to rounding, also where the state is interpolated.
    EXPECT_NEAR(y.head<4>().norm(), 1, 4e-16);
  }
}

TEST_P(Integrator, GivesTheSameBitsTwice) {
  VecX results[2];
  for (VecX& y : results) {
    BallOnSpring problem;
    const auto integrator = make(problem);
    double t = 0;
    y = BallOnSpring::start();
    test::run(*integrator, t, y, 1.0, 0.01);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_P(Adaptive, StepsDoNotDependOnWhereOneLooks) {
  VecX results[2];
  const double intervals[] = {1.0, 0.0123};
  for (int i = 0; i < 2; ++i) {
    BallOnSpring problem;
    const auto integrator = make(problem);
    double t = 0;
    results[i] = BallOnSpring::start();
    test::run(*integrator, t, results[i], 1.0, intervals[i]);
  }
  EXPECT_EQ(results[0], results[1]);
}

// At many moments of a run with events: between steps, inside steps, right at events.
TEST_P(Integrator, ContinuesFromACheckpointBitForBit) {
  for (const double t_save : {0.0, 0.05, 0.377, 0.3778, 0.38, 0.6}) {
    BallOnSpring problem;
    const auto integrator = make(problem);
    double t = 0;
    VecX y = BallOnSpring::start();
    if (t_save > 0) test::run(*integrator, t, y, t_save, 0.01);
    // A method with a history that it cannot save waits until it drops it, here at the next event at the latest.
    while (!integrator->can_checkpoint(t, y) && t < 1.0)
      ASSERT_EQ(integrator->advance(t, y, std::floor(t / 0.01 + 1 + 1e-9) * 0.01).status, OdeStatus::ok);
    if (!integrator->can_checkpoint(t, y)) continue;
    const std::vector<double> memory = integrator->checkpoint(t, y);

    BallOnSpring problem_copy = problem;
    const auto restored = make(problem_copy);
    restored->restore(t, y, memory);
    double t_copy = t;
    VecX y_copy = y;
    while (t < 1.0) {
      const double t_limit = std::floor(t / 0.01 + 1 + 1e-9) * 0.01;
      const OdeReport first = integrator->advance(t, y, t_limit);
      const OdeReport second = restored->advance(t_copy, y_copy, t_limit);
      ASSERT_EQ(first.status, OdeStatus::ok);
      ASSERT_EQ(second.status, OdeStatus::ok);
      ASSERT_EQ(t, t_copy);
      ASSERT_EQ(y, y_copy);
      ASSERT_EQ(problem.mode(0), problem_copy.mode(0));
      ASSERT_EQ(first.events.size(), second.events.size());
    }
  }
}

TEST_P(Integrator, StartsAfreshFromAChangedState) {
  TorqueFreeBody problem;
  const auto used = make(problem), fresh = make(problem);
  double t = 0;
  VecX y = TorqueFreeBody::start();
  test::run(*used, t, y, 0.1, 0.01);
  y[4] += 1;
  double t_fresh = t;
  VecX y_fresh = y;
  test::run(*used, t, y, 0.2, 0.01);
  test::run(*fresh, t_fresh, y_fresh, 0.2, 0.01);
  EXPECT_EQ(y, y_fresh);
}

// y' = y^2, y(0) = 1 is 1 / (1 - t): it ends at t = 1.
TEST_P(Integrator, KeepsTheLastGoodStateWhenTheSolutionEnds) {
  FunctionProblem problem(1, [](double, const VecX& y, VecX& dy) { dy[0] = y[0] * y[0]; });
  const auto integrator = make(problem);
  double t = 0;
  VecX y = VecX::Ones(1);
  OdeStatus status = OdeStatus::ok;
  for (int i = 0; i < 100000 && status == OdeStatus::ok; ++i) {
    const double t_before = t;
    const VecX y_before = y;
    status = integrator->advance(t, y, 2.0).status;
    if (status != OdeStatus::ok) {
      EXPECT_EQ(t, t_before);
      EXPECT_EQ(y, y_before);
    }
  }
  EXPECT_TRUE(status == OdeStatus::not_finite || status == OdeStatus::step_too_small);
  EXPECT_TRUE(std::isfinite(y[0]));
  // A fixed step runs a few steps past the end before it overflows.
  EXPECT_NEAR(t, 1, 0.02);
}

TEST_P(Integrator, ReportsAFunctionThatIsNotFinite) {
  FunctionProblem problem(2, [](double t, const VecX&, VecX& dy) {
    dy[0] = 1;
    dy[1] = std::sqrt(0.5 - t);
  });
  const auto integrator = make(problem);
  double t = 0;
  VecX y = VecX::Zero(2);
  OdeStatus status = OdeStatus::ok;
  for (int i = 0; i < 100000 && status == OdeStatus::ok; ++i) status = integrator->advance(t, y, 2.0).status;
  EXPECT_EQ(status, OdeStatus::not_finite);
  EXPECT_NEAR(t, 0.5, 1.1e-3);
  EXPECT_TRUE(y.allFinite());
  EXPECT_FALSE(integrator->trial().allFinite());
}

TEST_P(Integrator, StaysOnTheManifold) {
  CartesianPendulum problem;
  const auto integrator = make(problem);
  double t = 0, worst = 0;
  VecX y = CartesianPendulum::start();
  test::run(*integrator, t, y, 5.0, 0.0137,
            [&](const OdeReport&) { worst = std::max(worst, CartesianPendulum::calc_drift(y)); });
  // |v| is up to sqrt(2 g) = 4.4: rounding of p.v.
  EXPECT_LT(worst, 1e-14);
}

TEST_P(Integrator, ReportsAFailedProjection) {
  CartesianPendulum problem;
  const auto integrator = make(problem);
  double t = 0;
  VecX y = CartesianPendulum::start();
  test::run(*integrator, t, y, 0.1, 0.01);
  problem.fail_projection = true;
  // An adaptive method may first hand out the end of the step that it had taken and projected before.
  if (GetParam().adaptive) {
    EXPECT_EQ(integrator->advance(t, y, 5.0).h, 0);
  }
  const double t_good = t;
  const VecX y_good = y;
  EXPECT_EQ(integrator->advance(t, y, 5.0).status, OdeStatus::projection_failed);
  EXPECT_EQ(t, t_good);
  EXPECT_EQ(y, y_good);
}

TEST_P(WithoutAllocation, WorksOnceSettled) {
  BallOnSpring problem;
  const auto integrator = make(problem);
  double t = 0;
  VecX y = BallOnSpring::start();
  // The first two events make room for their reports.
  test::run(*integrator, t, y, 0.5, 0.01);
  const long before = test::count_allocations();
  bool ok = true;
  for (int k = 51; k <= 120; ++k) {
    while (t < 0.01 * k) ok = ok && integrator->advance(t, y, 0.01 * k).status == OdeStatus::ok;
  }
  EXPECT_EQ(test::count_allocations() - before, 0);
  EXPECT_TRUE(ok);
}

}  // namespace
}  // namespace stiction
