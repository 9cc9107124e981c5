#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stiction/base/internal_error.h"
#include "stiction/solvers/lcp/lcp_solvers.h"
#include "stiction/solvers/mlcp/mlcp_enumeration.h"

#include "lcp_families.h"
#include "lcp_oracle.h"

namespace stiction {
namespace {

using Family = LcpProblem (*)(Random&, int);

struct Case {
  const char* name;
  Family make;
  bool lemke_processes;  // theorem: Lemke solves it or no solution exists (Cottle, Pang, Stone 1992, 4.4.12, 4.4.1)
};

class LcpAgainstEnumeration : public testing::TestWithParam<Case> {};

// 4 x 2500 problems of dimension 1 to 8. The oracle decides whether a solution exists; residuals are recomputed here.
TEST_P(LcpAgainstEnumeration, FindsASolutionExactlyWhereOneExists) {
  Random random(1);
  LcpWorkspace workspace;
  int unsolvable = 0;
  for (int k = 0; k < 2500; ++k) {
    const LcpProblem problem = GetParam().make(random, 1 + random.index(test::oracle_size));
    const bool exists = test::enumerate_lcp(problem.M, problem.q).has_value();
    unsolvable += !exists;
    const LcpResult found = solve_lcp(problem, {}, workspace);
    ASSERT_EQ(found.status, exists ? LcpStatus::solved : LcpStatus::no_solution) << k << "\n" << problem.M;
    if (exists) {
      ASSERT_LE(test::recompute_residual(problem.M, problem.q, found.z), 1e-10) << k;
    }
    if (!GetParam().lemke_processes) continue;
    const LcpResult lemke = solve_lcp_lemke(problem, {}, workspace.lemke);
    ASSERT_EQ(lemke.status, exists ? LcpStatus::solved : LcpStatus::ray) << k << "\n" << problem.M;
    if (!looks_symmetric_psd(problem.M) || GetParam().make != &test::make_psd_problem) continue;
    const LcpResult principal = solve_lcp_principal_pivoting(problem, {}, workspace.principal_pivoting);
    ASSERT_EQ(principal.status, exists ? LcpStatus::solved : LcpStatus::ray) << k << "\n" << problem.M;
  }
  // P-problems always have a solution; the other families must exercise both answers.
  EXPECT_EQ(unsolvable > 0, GetParam().make != &test::make_p_problem);
}

INSTANTIATE_TEST_SUITE_P(Families, LcpAgainstEnumeration,
                         testing::Values(Case{"p_matrix", &test::make_p_problem, true},
                                         Case{"psd", &test::make_psd_problem, true},
                                         Case{"degenerate", &test::make_degenerate_problem, false},
                                         Case{"copositive_plus", &test::make_copositive_plus_problem, true}),
                         [](const auto& family) { return family.param.name; });

TEST(LcpScales, SolutionsBeyondDoublesAreNoProof) {
  // z = -q / M is 1e608, and 1e400 beside 1e-400: solutions that no double holds.
  const LcpProblem one{MatX::Constant(1, 1, 1e-308), VecX::Constant(1, -1e300)};
  const LcpProblem two{Eigen::Vector2d(1e-200, 1e200).asDiagonal(), Eigen::Vector2d(-1e200, -1e-200)};
  EXPECT_EQ(solve_lcp(one).status, LcpStatus::stalled);
  EXPECT_EQ(solve_lcp(two).status, LcpStatus::stalled);
  EXPECT_EQ(solve_mlcp_enumeration(make_mlcp(one), {}).status, LcpStatus::stalled);
  // -z - 1 >= 0 has no z >= 0, at any scale.
  for (const double scale : {1.0, 1e300, 1e-300}) {
    const LcpProblem none{MatX::Constant(1, 1, -scale), VecX::Constant(1, -scale)};
    EXPECT_EQ(solve_lcp(none).status, scale < 1 ? LcpStatus::solved : LcpStatus::no_solution) << scale;
  }
}

// D M D with scales over eight orders of magnitude, PSD of half rank, and q in the range of M plus something positive:
// feasible, so that a solution exists (Cottle, Pang, Stone 1992, 3.1.2).
TEST(LcpScales, BadlyScaledSemidefiniteProblemsAreSolved) {
  Random random(12);
  LcpWorkspace workspace;
  int solved_by_lemke = 0, count = 300;
  for (int k = 0; k < count; ++k) {
    const int n = 4 + random.index(12);
    MatX A(n, (n + 1) / 2);
    for (double& a : A.reshaped()) a = random.uniform(-1, 1);
    VecX scale(n), z(n), slack(n);
    for (double& s : scale) s = std::pow(10, random.uniform(-4, 4));
    for (int i = 0; i < n; ++i) {
      z[i] = random.index(2) == 0 ? 0 : random.uniform();
      slack[i] = z[i] > 0 ? 0 : random.uniform();
    }
    const MatX M = A * A.transpose();
    const LcpProblem problem{scale.asDiagonal() * M * scale.asDiagonal(), scale.cwiseProduct(slack - M * z)};
    const LcpResult found = solve_lcp(problem, {}, workspace);
    EXPECT_EQ(found.status, LcpStatus::solved) << k << " residual " << found.residual;
    solved_by_lemke += find_lcp_solver("lemke")->solve(problem, {}, workspace).status == LcpStatus::solved;
  }
  // By itself, without the refinements and the other methods of the default.
  EXPECT_GE(solved_by_lemke, count * 95 / 100);
}

// A P-problem has one solution (Samelson, Thrall, Wesler 1958): the warm start must not change it.
TEST(LcpWarmStart, ReachesTheSameSolutionFromAnySet) {
  Random random(2);
  LcpWorkspace workspace;
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + random.index(30);
    LcpProblem problem = test::make_p_problem(random, n);
    if (k % 2 == 0) problem.M = (problem.M * problem.M.transpose()).eval();
    const LcpResult cold = solve_lcp(problem, {}, workspace);
    VecX guess(n);
    for (double& g : guess) g = random.index(2);
    LcpOptions warm;
    warm.start = &guess;
    for (const LcpSolver& solver : lcp_solvers()) {
      if (solver.name == "enumeration" || (solver.name == "principal_pivoting" && k % 2 == 1)) continue;
      const LcpResult found = solver.solve(problem, warm, workspace);
      ASSERT_EQ(found.status, LcpStatus::solved) << solver.name << " " << k;
      ASSERT_LE((found.z - cold.z).lpNorm<Eigen::Infinity>(), 1e-6) << solver.name << " " << k;
    }
    // From its own solution, nothing is left to pivot.
    warm.start = &cold.z;
    EXPECT_EQ(solve_lcp_lemke(problem, warm, workspace.lemke).iterations, 0);
  }
}

// Murty 1978: 2^n - 1 pivots, neither fewer (another path) nor more (cycling).
TEST(LcpLemke, WalksMurtysExponentialPathWithoutCycling) {
  LcpLemke lemke;
  for (int n = 2; n <= 16; ++n) {
    const LcpProblem problem = test::make_murty_problem(n);
    const LcpResult found = solve_lcp_lemke(problem, {}, lemke);
    EXPECT_EQ(found.status, LcpStatus::solved);
    EXPECT_EQ(found.iterations, (1 << n) - 1);
    EXPECT_LE(test::recompute_residual(problem.M, problem.q, found.z), 1e-10);
    // Only the last variable is positive: q_n = -2^n.
    EXPECT_NEAR(found.z[n - 1], std::ldexp(1.0, n), 1e-10);
  }
}

TEST(LcpLemke, StopsAtItsLimitAndSaysSo) {
  LcpOptions options;
  options.max_iterations = 10;
  LcpLemke lemke;
  EXPECT_EQ(lemke.solve(test::make_murty_problem(8), options).status, LcpStatus::iteration_limit);
}

// Stewart-Trinkle matrices are copositive with q in range: solvable by Lemke (Stewart, Trinkle 1996, theorem 3.1).
TEST(LcpLemke, SolvesPolyhedralFriction) {
  Random random(3);
  LcpLemke lemke;
  for (const auto& [balls, contacts, edges] : {std::array{4, 7, 8}, {2, 6, 4}, {8, 24, 8}, {1, 1, 4}}) {
    for (int k = 0; k < 40; ++k) {
      if (balls == 1 && contacts > balls) continue;
      const LcpProblem problem = test::make_contact_problem(random, balls, contacts, edges);
      const LcpResult found = solve_lcp_lemke(problem, {}, lemke);
      ASSERT_EQ(found.status, LcpStatus::solved) << contacts << " " << k;
      ASSERT_LE(test::recompute_residual(problem.M, problem.q, found.z), 1e-10);
    }
  }
}

// Frictionless hyperstatic contact: M = J J' of rank 6 with 40 rows, q = J v.
TEST(LcpPrincipalPivoting, SolvesHyperstaticProblems) {
  Random random(4);
  LcpPrincipalPivoting pivoting;
  for (int k = 0; k < 50; ++k) {
    MatX J(40, 6);
    for (double& a : J.reshaped()) a = random.uniform(-1, 1);
    J.col(2) = J.col(2).cwiseAbs();
    // With J e_3 > 0, w = J (v + c e_3) >= 0 for large c, so the problem is feasible, and PSD: it has a solution.
    VecX v(6);
    for (double& a : v) a = random.uniform(-1, 1);
    const LcpProblem problem{J * J.transpose(), J * v};
    const LcpResult found = solve_lcp_principal_pivoting(problem, {}, pivoting);
    ASSERT_EQ(found.status, LcpStatus::solved) << k;
    ASSERT_LE(test::recompute_residual(problem.M, problem.q, found.z), 1e-10);
  }
}

TEST(LcpSolvers, NeverClaimASolutionOfANonFiniteProblem) {
  LcpProblem problem{MatX::Identity(3, 3), -VecX::Ones(3)};
  problem.M(1, 2) = std::nan("");
  LcpWorkspace workspace;
  for (const LcpSolver& solver : lcp_solvers()) {
    EXPECT_NE(solver.solve(problem, {}, workspace).status, LcpStatus::solved) << solver.name;
  }
}

TEST(LcpSolvers, SolveTheEmptyProblem) {
  LcpWorkspace workspace;
  for (const LcpSolver& solver : lcp_solvers()) {
    EXPECT_EQ(solver.solve({MatX(0, 0), VecX(0)}, {}, workspace).status, LcpStatus::solved) << solver.name;
  }
}

TEST(LcpSolvers, RefuseWrongSizes) {
  EXPECT_THROW((void)solve_lcp({MatX::Identity(2, 3), VecX::Zero(2)}), InternalError);
}

}  // namespace
}  // namespace stiction
