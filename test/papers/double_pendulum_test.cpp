// Planar double pendulum (cooking-complementarity-2006, section 4.1) against the textbook equations, integrated here.
#include <gtest/gtest.h>

#include <array>

#include "support/examples.h"

namespace stiction {
namespace {

using Y = std::array<double, 4>;  // absolute angles of both rods from the x axis, and their rates

/// Lagrange's equations of two uniform rods of mass m and length l:
///   4/3 a'' + 1/2 cos(a-b) b'' = -1/2 sin(a-b) b'^2 - 3/2 g/l cos a
///   1/2 cos(a-b) a'' + 1/3 b'' =  1/2 sin(a-b) a'^2 - 1/2 g/l cos b
Y derivative(const Y& y) {
  const double g = 9.81, c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]);
  const double f = -0.5 * s * y[3] * y[3] - 1.5 * g * std::cos(y[0]),
               h = 0.5 * s * y[2] * y[2] - 0.5 * g * std::cos(y[1]);
  const double det = 4.0 / 9.0 - 0.25 * c * c;
  return {y[2], y[3], (f / 3 - 0.5 * c * h) / det, (4.0 / 3.0 * h - 0.5 * c * f) / det};
}

Y step(const Y& y, double h) {
  const auto add = [](const Y& a, const Y& b, double s) {
    return Y{a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2], a[3] + s * b[3]};
  };
  const Y k1 = derivative(y), k2 = derivative(add(y, k1, h / 2)), k3 = derivative(add(y, k2, h / 2)),
          k4 = derivative(add(y, k3, h));
  return add(add(add(add(y, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
}

TEST(DoublePendulum, FollowsLagrangesEquations) {
  for (const char* form : {"tree", "constraint"}) {
    const RunResult run =
        test::run_example("double_pendulum", {"time.duration=2", std::string("method.joints=") + form});
    Y y{0, 0, 0, 0};
    std::size_t sample = 0;
    for (int n = 0; n <= 20000; ++n) {
      if (n % 50 == 0) {
        ASSERT_LT(sample, run.times.size());
        // Both integrations are of order 4 at the same step; chaos amplifies their difference by less than 1e4 in 2 s.
        ASSERT_NEAR(run.signal("shoulder.position")[sample], y[0], 1e-8) << form << " " << run.times[sample];
        ASSERT_NEAR(run.signal("elbow.position")[sample], y[1] - y[0], 1e-8) << form << " " << run.times[sample];
        ASSERT_NEAR(run.signal("elbow.velocity")[sample], y[3] - y[2], 1e-7) << form << " " << run.times[sample];
        ++sample;
      }
      y = step(y, 1e-4);
    }
  }
}

TEST(DoublePendulum, TheJointsCarryTheWeightAtTheStart) {
  // At the moment of release from the horizontal: a'' and b'' from the equations above with all rates zero; the elbow
  // carries m (g + y_B''), the shoulder that and m (g + y_A'').
  const double g = 9.81, det = 4.0 / 9.0 - 0.25, f = -1.5 * g, h = -0.5 * g;
  const double a = (f / 3 - 0.5 * h) / det, b = (4.0 / 3.0 * h - 0.5 * f) / det;
  const double elbow = g + (a + b / 2), shoulder = elbow + g + a / 2;
  for (const char* form : {"tree", "constraint"}) {
    const RunResult run =
        test::run_example("double_pendulum", {"time.duration=0.01", std::string("method.joints=") + form});
    EXPECT_NEAR(run.signal("elbow.reaction.force.y")[0], elbow, 1e-12 * g) << form;
    EXPECT_NEAR(run.signal("shoulder.reaction.force.y")[0], shoulder, 1e-12 * g) << form;
    EXPECT_NEAR(run.signal("shoulder.reaction.force.x")[0], 0, 1e-12 * g) << form;
  }
}

}  // namespace
}  // namespace stiction
