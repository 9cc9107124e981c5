#include "stiction/math/fastest_decay.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

// Triangular: the eigenvalues are the diagonal; -7 belongs to the second entry (and, by 1/10, to the first).
TEST(FastestDecay, OfATriangle) {
  MatX A(3, 3);
  A << 3, 1, 2, 0, -7, 0, 0, 0, -5;
  const FastestDecay fastest = calc_fastest_decay(A);
  EXPECT_NEAR(fastest.rate, 7, 1e-13);
  EXPECT_EQ(fastest.entry, 1);
}

// An oscillation that decays, x'' + 2 d x' + (d^2 + w^2) x = 0: lambda = -d +- i w.
TEST(FastestDecay, OfAnOscillation) {
  const double d = 4, w = 30;
  MatX A(2, 2);
  A << 0, 1, -(d * d + w * w), -2 * d;
  const FastestDecay fastest = calc_fastest_decay(A);
  EXPECT_NEAR(fastest.rate, d, 1e-12);
  EXPECT_EQ(fastest.entry, 1);
}

TEST(FastestDecay, WhereNothingDecays) {
  EXPECT_EQ(calc_fastest_decay(MatX::Identity(3, 3)).rate, 0);
  EXPECT_EQ(calc_fastest_decay(MatX(0, 0)).rate, 0);
}

}  // namespace
}  // namespace stiction
