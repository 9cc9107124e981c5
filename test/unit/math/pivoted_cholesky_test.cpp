#include "stiction/math/pivoted_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/base/random.h"

namespace stiction {
namespace {

MatX make_random(Random& random, int rows, int columns) {
  MatX A(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) A(i, j) = random.uniform(-1, 1);
  return A;
}

TEST(PivotedCholesky, SolvesAThreeByThreeByHand) {
  // A = [4 2 0; 2 5 2; 0 2 5], x = (1, 2, 3): b = A x = (8, 18, 19), computed by hand.
  MatX A(3, 3);
  A << 4, 2, 0, 2, 5, 2, 0, 2, 5;
  PivotedCholesky cholesky(3);
  EXPECT_EQ(cholesky.factorize(A), 3);
  VecX x(3);
  x << 8, 18, 19;
  cholesky.solve_in_place(x);
  EXPECT_NEAR(x[0], 1, 1e-14);
  EXPECT_NEAR(x[1], 2, 1e-14);
  EXPECT_NEAR(x[2], 3, 1e-14);
  EXPECT_EQ(cholesky.dropped_pivot(), 0);
}

TEST(PivotedCholesky, AgreesWithAnOrthogonalFactorisationOnRandomDefiniteMatrices) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.index(12);
    const MatX G = make_random(random, n, n + 3);
    const MatX A = G * G.transpose();
    const VecX b = make_random(random, n, 1);
    PivotedCholesky cholesky(n);
    ASSERT_EQ(cholesky.factorize(A), n);
    VecX x = b;
    cholesky.solve_in_place(x);
    // Householder QR of A shares nothing with the code under test.
    const VecX expected = A.colPivHouseholderQr().solve(b);
    EXPECT_LT((x - expected).norm(), 1e-9 * (1 + expected.norm())) << "trial " << trial;
  }
}

TEST(PivotedCholesky, FindsTheRankAndSolvesConsistentSystems) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + random.index(10), rank = 1 + random.index(n);
    const MatX G = make_random(random, n, rank);
    const MatX A = G * G.transpose();
    const VecX b = A * make_random(random, n, 1);
    PivotedCholesky cholesky;
    ASSERT_EQ(cholesky.factorize(A), rank) << "trial " << trial;
    VecX x = b;
    cholesky.solve_in_place(x);
    // Every equation holds, those of the dropped unknowns too; the condition number may cost some digits.
    EXPECT_LT((A * x - b).norm(), 1e-9 * (1 + b.norm())) << "trial " << trial;
    for (int k = rank; k < n; ++k) EXPECT_EQ(x[cholesky.order()[static_cast<std::size_t>(k)]], 0);
  }
}

TEST(PivotedCholesky, ScaleOfTheRowsDoesNotChangeTheRank) {
  // Rows of very different units: a constraint in mm beside one in km.
  Random random(3);
  const MatX G = make_random(random, 6, 4);
  VecX scale(6);
  scale << 1e-8, 1e6, 1, 1e3, 1e-4, 10;
  const MatX A = scale.asDiagonal() * (G * G.transpose()) * scale.asDiagonal();
  PivotedCholesky cholesky(6);
  EXPECT_EQ(cholesky.factorize(A), 4);
}

TEST(PivotedCholesky, ToleranceIsTheSquaredSineBetweenRows) {
  // Two unit rows at the angle 1e-4: the second pivot is sin^2 = 1e-8.
  MatX A(2, 2);
  A << 1, std::cos(1e-4), std::cos(1e-4), 1;
  PivotedCholesky cholesky(2);
  EXPECT_EQ(cholesky.factorize(A, 2e-8), 1);
  EXPECT_NEAR(cholesky.dropped_pivot(), 1e-8, 1e-15);
  EXPECT_EQ(cholesky.factorize(A, 0.5e-8), 2);
}

TEST(PivotedCholesky, EmptyRowsAndNumbersThatAreNoneAreDropped) {
  MatX A = MatX::Zero(3, 3);
  A(1, 1) = 4;
  PivotedCholesky cholesky(3);
  EXPECT_EQ(cholesky.factorize(A), 1);
  VecX x = VecX::Constant(3, 2.0);
  cholesky.solve_in_place(x);
  EXPECT_EQ(x, Vec3(0, 0.5, 0));
  A(2, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(cholesky.factorize(A), 1);
  // The empty system.
  EXPECT_EQ(cholesky.factorize(MatX(0, 0)), 0);
}

}  // namespace
}  // namespace stiction
