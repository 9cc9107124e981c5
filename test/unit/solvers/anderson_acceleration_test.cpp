#include <gtest/gtest.h>

#include "stiction/solvers/cone/cone_anderson.h"

namespace stiction {
namespace {

// Theorem (Walker, Ni 2011): on a linear map it is GMRES, one step behind. With four eigenvalues that ends after
// four steps; sweeps alone would have left 0.999^6 of the slowest error.
TEST(ConeAnderson, IsGmresOnALinearMap) {
  const double eigenvalues[] = {0.999, 0.99, 0.9, 0.5};
  ConeAnderson<3> acceleration(4);
  ConeAnderson<3>::Vecs x(4, Vec3::Zero()), swept = x;
  const auto fixed = [](int i, int k) { return 1.0 + i + 0.1 * k; };
  const auto sweep = [&] {
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) swept[i][k] = fixed(i, k) + eigenvalues[i] * (x[i][k] - fixed(i, k));
    }
  };
  for (int step = 0; step < 6; ++step) {
    sweep();
    acceleration.accelerate(x, swept, x);
  }
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[i][k], fixed(i, k), 1e-5) << i << " " << k;
  }
}

// A solution stays one.
TEST(ConeAnderson, StaysAtASolution) {
  ConeAnderson<2> acceleration(3);
  const ConeAnderson<2>::Vecs solution(3, Eigen::Vector2d(1, -0.5));
  ConeAnderson<2>::Vecs x = solution;
  for (int step = 0; step < 8; ++step) acceleration.accelerate(x, solution, x);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(x[i], solution[i]);
}

// x -> b - 50 x runs away; with two differences of one number the fixed point b / 51 is exact. Another iteration after
// that knows nothing of it.
TEST(AndersonAcceleration, FindsAFixedPointThatRepels) {
  AndersonAcceleration acceleration(5, 1e300);
  for (const int n : {2, 1}) {
    acceleration.begin(n);
    VecX x = VecX::Zero(n);
    for (int k = 0; k < 3; ++k) acceleration.accelerate(x, VecX::Constant(n, 3.0) - 50 * x, x);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], 3.0 / 51, 1e-12);
  }
}

}  // namespace
}  // namespace stiction
