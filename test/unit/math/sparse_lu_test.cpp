#include "stiction/math/sparse_lu.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

/// Entries with probability `density`, and every diagonal entry, which is `weight` times as large.
SparseLu::Matrix make_random(int n, double density, double weight, Random& random) {
  SparseLu::Matrix A(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (i == j || random.uniform(0, 1) < density) A.insert(i, j) = (i == j ? weight : 1.0) * random.uniform(-1, 1);
    }
  }
  A.makeCompressed();
  return A;
}

// b - A x is rounding: 1e-15 of |A| |x|, times what pivots that are a tenth of the largest entry let it grow, far less
// than 1e4 in practice.
TEST(SparseLu, SolvesRandomSystems) {
  Random random(1);
  SparseLu lu;
  int solved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.index(60);
    // Weight 0: zeros on the diagonal, so that rows must be exchanged.
    const SparseLu::Matrix A = make_random(n, 0.3, trial % 3 == 0 ? 0 : 1, random);
    const VecX b = VecX::NullaryExpr(n, [&] { return random.uniform(-1, 1); });
    const VecX singular = MatX(A).jacobiSvd().singularValues();
    if (!(singular[n - 1] > 1e-8 * singular[0])) continue;
    ++solved;
    ASSERT_TRUE(lu.compute(A, 1e-14)) << n;
    VecX x = b;
    lu.solve(x);
    const double scale = MatX(A).cwiseAbs().rowwise().sum().maxCoeff() * x.cwiseAbs().maxCoeff();
    EXPECT_LE((A * x - b).cwiseAbs().maxCoeff(), 1e-11 * scale) << n;
  }
  EXPECT_GT(solved, 100);
}

// The same pattern with other numbers, and then another pattern.
TEST(SparseLu, TakesOtherNumbersAndPatterns) {
  Random random(2);
  SparseLu lu;
  SparseLu::Matrix A = make_random(30, 0.1, 4, random);
  for (int trial = 0; trial < 6; ++trial) {
    if (trial == 3) A = make_random(25, 0.2, 4, random);
    for (int i = 0; i < A.nonZeros(); ++i) A.valuePtr()[i] *= random.uniform(0.9, 1.1);
    ASSERT_TRUE(lu.compute(A, 1e-14));
    VecX x = VecX::Ones(A.rows());
    lu.solve(x);
    EXPECT_LE((A * x - VecX::Ones(A.rows())).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(SparseLu, SaysWhatIsSingular) {
  SparseLu lu;
  SparseLu::Matrix A(3, 3);
  A.insert(0, 0) = 1;
  A.insert(1, 1) = 1;
  A.insert(2, 2) = 0;
  A.makeCompressed();
  EXPECT_FALSE(lu.compute(A, 1e-14));
  // Two equal rows
  MatX B(2, 2);
  B << 1, 2, 1, 2;
  const SparseLu::Matrix equal = B.sparseView();
  EXPECT_FALSE(lu.compute(equal, 1e-14));
  EXPECT_TRUE(lu.compute(SparseLu::Matrix(0, 0), 1e-14));
}

}  // namespace
}  // namespace stiction
