#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "stiction/base/random.h"
#include "stiction/solvers/mlcp/mlcp_solvers.h"

#include "lcp_families.h"

namespace stiction {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// |z - mid(l, u, z - M z - q)|, written again.
double recompute_residual(const MlcpProblem& p, const VecX& z) {
  const VecX moved = z - (p.M * z + p.q);
  double worst = 0;
  for (int i = 0; i < z.size(); ++i) {
    worst = std::max(worst, std::abs(z[i] - std::min(p.upper[i], std::max(p.lower[i], moved[i]))));
  }
  return worst;
}

// Every combination of at-lower, inside, at-upper, by LU.
std::optional<VecX> enumerate_mlcp(const MlcpProblem& p) {
  const int n = static_cast<int>(p.q.size());
  int combinations = 1;
  for (int i = 0; i < n; ++i) combinations *= 3;
  for (int code = 0; code < combinations; ++code) {
    MatX A = p.M;
    VecX b = -p.q;
    bool possible = true;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0) continue;
      b[i] = rest % 3 == 1 ? p.lower[i] : p.upper[i];
      possible = possible && std::isfinite(b[i]);
      A.row(i) = VecX::Unit(n, i);
    }
    if (!possible) continue;
    const VecX z = A.fullPivLu().solve(b);
    if (z.allFinite() && recompute_residual(p, z) < 1e-9) return z;
  }
  return std::nullopt;
}

MlcpProblem make_random_mlcp(Random& random, int n) {
  const MatX A = MatX::NullaryExpr(n, n, [&] { return random.uniform(-1, 1); });
  MlcpProblem p{A * A.transpose() + 0.1 * MatX::Identity(n, n), VecX(n), VecX(n), VecX(n)};
  for (int i = 0; i < n; ++i) {
    p.q[i] = random.uniform(-3, 3);
    const int kind = random.index(5);
    p.lower[i] = kind == 0 || kind == 2 ? -infinity : random.uniform(-1, 0);
    p.upper[i] = kind == 0 || kind == 1 ? infinity : kind == 4 ? p.lower[i] : random.uniform(0, 1);
  }
  return p;
}

// Positive definite M: one solution, whatever the bounds.
TEST(Mlcp, FindsTheOneSolutionOfDefiniteBoxProblems) {
  Random random(5);
  LcpWorkspace workspace;
  for (int k = 0; k < 400; ++k) {
    MlcpProblem problem = make_random_mlcp(random, 1 + random.index(6));
    const int n = static_cast<int>(problem.q.size());
    if (k % 3 == 0) problem.M += 0.5 * test::random_skew(random, n);
    const std::optional<VecX> expected = enumerate_mlcp(problem);
    ASSERT_TRUE(expected.has_value());
    for (const MlcpSolver& solver : mlcp_solvers()) {
      const LcpResult found = solver.solve(problem, {}, workspace);
      ASSERT_EQ(found.status, LcpStatus::solved) << solver.name << " " << k;
      ASSERT_LE(recompute_residual(problem, found.z), 1e-10) << solver.name << " " << k;
      ASSERT_LE((found.z - *expected).lpNorm<Eigen::Infinity>(), 1e-7) << solver.name << " " << k;
    }
  }
}

// Any M: with finite bounds on every row z -> mid(l, u, z - (M z + q)) maps a box into itself, so that a solution
// exists (Brouwer).
TEST(Mlcp, SolvesEveryProblemWhoseRowsAllHaveTwoBounds) {
  Random random(31);
  for (const int n : {2, 5, 8, 12, 20, 30}) {
    for (int trial = 0; trial < 40; ++trial) {
      MlcpProblem p;
      p.M.resize(n, n);
      p.q.resize(n);
      for (double& entry : p.M.reshaped()) entry = random.uniform(-1, 1);
      for (double& entry : p.q) entry = random.uniform(-1, 1);
      p.lower = VecX::Constant(n, -1);
      p.upper = VecX::Constant(n, 1);
      const LcpResult result = solve_mlcp(p);
      EXPECT_EQ(result.status, LcpStatus::solved) << n << " rows, trial " << trial;
      EXPECT_LE(recompute_residual(p, result.z), 1e-10) << n << " rows, trial " << trial;
    }
  }
}

// Joints given twice and contacts: M = J W J', q = J v. The free block is singular, its rows are consistent. Feasible,
// because v = 0 satisfies joints and contacts and lies in the range of what impulses reach; PSD, so it has a solution.
TEST(Mlcp, SolvesRedundantJointsWithContacts) {
  Random random(6);
  LcpWorkspace workspace;
  for (int k = 0; k < 100; ++k) {
    const int joints = 1 + random.index(6), contacts = 1 + random.index(12), dof = 12;
    MatX J = MatX::NullaryExpr(2 * joints + contacts, dof, [&] { return random.uniform(-1, 1); });
    const MatX mix = MatX::NullaryExpr(joints, joints, [&] { return random.uniform(-1, 1); });
    J.middleRows(joints, joints) = mix * J.topRows(joints);
    const VecX v = VecX::NullaryExpr(dof, [&] { return random.uniform(-1, 1); });
    std::vector<bool> is_free(static_cast<std::size_t>(J.rows()), false);
    for (int i = 0; i < 2 * joints; ++i) is_free[i] = true;
    const MlcpProblem problem = make_mlcp(J * J.transpose(), J * v, is_free);
    const LcpResult found = solve_mlcp(problem, {}, workspace);
    ASSERT_EQ(found.status, LcpStatus::solved) << k;
    ASSERT_LE(recompute_residual(problem, found.z), 1e-10) << k;
    // The guess is only a guess: the solution found from it is one as well.
    LcpOptions warm;
    warm.start = &found.z;
    ASSERT_EQ(solve_mlcp(problem, warm, workspace).status, LcpStatus::solved) << k;
  }
}

// A free row without entries in the free block: 0 = z_2 - 1 fixes the complementarity variable, w_2 = y + 3 - 3 z_2 the
// free one: by hand, z_2 = 1 and, as z_2 > 0, y = 0.
TEST(Mlcp, PivotsOnComplementarityRowsWhereTheFreeBlockVanishes) {
  MlcpProblem problem = make_mlcp(MatX{{0, 1}, {1, -3}}, VecX{{-1, 3}}, {true, false});
  LcpWorkspace workspace;
  const LcpResult found = solve_mlcp_elimination(problem, {}, workspace);
  EXPECT_EQ(found.status, LcpStatus::solved);
  EXPECT_NEAR(found.z[0], 0, 1e-14);
  EXPECT_NEAR(found.z[1], 1, 1e-14);
}

// The same left side cannot be -1 and -2.
TEST(Mlcp, SaysThatContradictingRowsHaveNoSolution) {
  const MlcpProblem problem = make_mlcp(MatX{{1, 1, 0}, {1, 1, 0}, {0, 0, 1}}, VecX{{1, 2, -1}}, {true, true, false});
  EXPECT_EQ(solve_mlcp(problem).status, LcpStatus::no_solution);
}

// Joint friction: m dv = h f + z, |z| <= bound. By hand: sliding at the bound, sticking inside.
TEST(Mlcp, JointFrictionSticksInsideItsBoxAndSlidesAtIt) {
  const MatX M = MatX::Constant(1, 1, 0.5);
  const VecX bound = VecX::Constant(1, 2.0);
  EXPECT_NEAR(solve_mlcp({M, VecX::Constant(1, 3.0), -bound, bound}).z[0], -2.0, 1e-15);
  EXPECT_NEAR(solve_mlcp({M, VecX::Constant(1, -3.0), -bound, bound}).z[0], 2.0, 1e-15);
  EXPECT_NEAR(solve_mlcp({M, VecX::Constant(1, 0.5), -bound, bound}).z[0], -1.0, 1e-15);
}

}  // namespace
}  // namespace stiction
