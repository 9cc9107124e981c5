#include "stiction/solvers/cone/cone_mixing.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

// Theorem (Walker, Ni 2011): on a linear map mixing is GMRES, one step behind. With four eigenvalues that ends after
// four steps; sweeps alone would have left 0.999^6 of the slowest error.
TEST(ConeMixing, IsGmresOnALinearMap) {
  const double eigenvalues[] = {0.999, 0.99, 0.9, 0.5};
  ConeMixing<3> mixing(4);
  ConeMixing<3>::Vecs x(4, Vec3::Zero()), swept = x;
  const auto fixed = [](int i, int k) { return 1.0 + i + 0.1 * k; };
  const auto sweep = [&] {
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) swept[i][k] = fixed(i, k) + eigenvalues[i] * (x[i][k] - fixed(i, k));
    }
  };
  for (int step = 0; step < 6; ++step) {
    sweep();
    mixing.mix(x, swept, x);
  }
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[i][k], fixed(i, k), 1e-5) << i << " " << k;
  }
}

// A solution stays one.
TEST(ConeMixing, StaysAtASolution) {
  ConeMixing<2> mixing(3);
  const ConeMixing<2>::Vecs solution(3, Eigen::Vector2d(1, -0.5));
  ConeMixing<2>::Vecs x = solution;
  for (int step = 0; step < 8; ++step) mixing.mix(x, solution, x);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(x[i], solution[i]);
}

}  // namespace
}  // namespace stiction
