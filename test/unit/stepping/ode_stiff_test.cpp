// BDF on stiff problems; constraint projection inside multistep methods.
#include <gtest/gtest.h>

#include <cmath>

#include "ode_problems.h"

namespace stiction {
namespace {

using test::CartesianPendulum;
using test::FunctionProblem;

// Robertson's chemical reactions, 1966.
template <class In, class Out>
void calc_robertson(const In& y, Out& dy) {
  dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  dy[2] = 3e7 * y[1] * y[1];
  dy[1] = -dy[0] - dy[2];
}

TEST(Stiff, RobertsonWithBdf) {
  FunctionProblem problem(3, [](double, const VecX& y, VecX& dy) { calc_robertson(y, dy); });
  OdeSettings settings;
  settings.relative_tolerance = 1e-9;
  settings.absolute_tolerance = 1e-14;
  const auto integrator = find_integrator("cvode_bdf")->make(problem, settings);
  double t = 0;
  VecX y = Eigen::Vector3d(1, 0, 0);
  int evaluations = 0;
  test::run(*integrator, t, y, 40, 40, [&](const OdeReport& report) { evaluations += report.evaluations; });
  // Explicit reference: the step of 1e-4 s is bound by stability, the fast rate being about 3400 / s.
  const auto f = [](long double, const auto& x, auto& dx) { calc_robertson(x, dx); };
  const auto exact = test::solve_reference<3>(f, {1, 0, 0}, 40, 400000);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto expected = static_cast<double>(exact[i]);
    EXPECT_NEAR(y[static_cast<Eigen::Index>(i)], expected, 1e-6 * std::abs(expected));
  }
  // A method bound by stability would need 40 s / (2.8 / 3400 per s) = 5e4 steps.
  EXPECT_LT(evaluations, 2500);
}

// x' = -1e6 (x - cos t) - sin t, x(0) = 2: after a transient of a microsecond, x = cos t.
TEST(Stiff, FastDecayWithBdf) {
  FunctionProblem problem(1,
                          [](double t, const VecX& y, VecX& dy) { dy[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t); });
  const auto integrator = find_integrator("cvode_bdf")->make(problem, {});
  double t = 0;
  VecX y = VecX::Constant(1, 2);
  int evaluations = 0;
  test::run(*integrator, t, y, 3, 0.1, [&](const OdeReport& report) { evaluations += report.evaluations; });
  EXPECT_NEAR(y[0], std::cos(3.0), 1e-8);
  EXPECT_LT(evaluations, 5000);
}

class Manifold : public testing::TestWithParam<IntegratorInfo> {};
INSTANTIATE_TEST_SUITE_P(Adaptive, Manifold, testing::ValuesIn(test::select([](auto& row) { return row.adaptive; })),
                         [](const auto& row) { return row.param.name; });

TEST_P(Manifold, PendulumConvergesToTheReference) {
  CartesianPendulum problem;
  OdeSettings settings;
  settings.relative_tolerance = settings.absolute_tolerance = 1e-10;
  const auto integrator = GetParam().make(problem, settings);
  double t = 0;
  VecX y = CartesianPendulum::start();
  int evaluations = 0;
  test::run(*integrator, t, y, 3.0, 0.01, [&](const OdeReport& report) { evaluations += report.evaluations; });
  const auto f = [](long double, const auto& x, auto& dx) { CartesianPendulum::calc<long double>(x, dx); };
  const auto exact = test::solve_reference<4>(f, {1, 0, 0, 0}, 3, 30000);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(y[static_cast<Eigen::Index>(i)], static_cast<double>(exact[i]), 3e-7);
  // The projection does not cost the multistep methods their order: they would need 1e5 steps at order 1.
  EXPECT_LT(evaluations, 6000);
}

}  // namespace
}  // namespace stiction
