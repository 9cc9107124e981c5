#include "stiction/solvers/cone/cone_solvers.h"

#include <gtest/gtest.h>

#include <string_view>

#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/solvers/cone/cone_gauss_seidel.h"
#include "stiction/solvers/cone/cone_matrix_free.h"

#include "cone_problems.h"

namespace stiction {
namespace {

using test::make_box_on_plane;
using test::make_pile;
using test::make_tower;

// Coulomb's law contact by contact, written out: unlike the natural map it shares nothing with the solvers.
double calc_violation(const ConeProblem& problem, const VecX& r) {
  const int d = problem.dimension();
  const VecX u = problem.W * r + problem.q;
  double worst = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const double rn = r[i * d], un = u[i * d], mu = problem.mu[i];
    VecX rt = r.segment(i * d + 1, d - 1), ut = u.segment(i * d + 1, d - 1);
    // In units in which the friction ellipsoid is a sphere.
    if (problem.ellipsoid.size() > 0) {
      rt = rt.cwiseQuotient(problem.ellipsoid.row(i).transpose());
      ut = ut.cwiseProduct(problem.ellipsoid.row(i).transpose());
    }
    // r_n >= 0, u_n >= 0, r_n u_n = 0; |r_t| <= mu r_n; dissipation -u_t r_t = mu r_n |u_t|
    const double open = std::min(rn, un), sliding = std::min(ut.norm(), mu * rn - rt.norm());
    worst = std::max({worst, std::abs(open), rt.norm() - mu * rn, sliding, std::abs(rt.dot(ut) + mu * rn * ut.norm())});
  }
  return worst;
}

void expect_solved(const ConeProblem& problem, const ConeResult& result, std::string_view what) {
  EXPECT_EQ(result.status, ConeStatus::solved) << what << " residual " << result.residual;
  EXPECT_LE(calc_residual(problem, result.r), 1e-8) << what;
  // The natural map bounds each violation to first order; the products to the size of r and u.
  EXPECT_LE(calc_violation(problem, result.r), 1e-7 * (1 + problem.q.norm()) * (1 + result.r.norm())) << what;
}

Vec6 make_velocity(double wx, double wy, double wz, double x, double y, double z) {
  Vec6 velocity;
  velocity << wx, wy, wz, x, y, z;
  return velocity;
}

TEST(ConeSolvers, EveryMethodSolvesATower) {
  ConeWorkspace workspace;
  for (const auto& [name, solve, sentence] : cone_solvers()) {
    for (int rows : {2, 3, 4}) {
      const ConeProblem problem = make_local(make_tower(3, 1, 0.4, 5, rows));
      expect_solved(problem, solve(problem, {}, workspace), name);
    }
  }
}

TEST(ConeSolvers, EveryMethodSolvesABoxWithManyContacts) {
  // 40 contacts, 120 rows, 6 freedoms: as hyperstatic as can be.
  const ConeProblem problem = make_local(make_box_on_plane(40, 0.8, make_velocity(0.3, -0.2, 0.5, 0.4, 0.1, -1)));
  ConeWorkspace workspace;
  for (const auto& [name, solve, sentence] : cone_solvers()) {
    if (name != "gauss_seidel") expect_solved(problem, solve(problem, {}, workspace), name);
  }
}

TEST(ConeSolvers, MatrixFreeSweepsAreTheSweepsOnW) {
  // The same method on the same problem: the same sweeps, up to rounding.
  for (int rows : {2, 3, 4}) {
    GlobalConeProblem problem = make_tower(3, 1, 0.4, 5, rows);
    problem.compliance = VecX::Constant(problem.w.size(), 0.02);
    const ConeProblem local = make_local(problem);
    const ConeResult free = solve_cone_matrix_free(problem), formed = solve_cone_gauss_seidel(local);
    expect_solved(local, free, "matrix_free");
    EXPECT_EQ(free.iterations, formed.iterations);
    EXPECT_NEAR((free.r - formed.r).norm(), 0, 1e-10);
    EXPECT_NEAR((free.u - formed.u).norm(), 0, 1e-10);
  }
}

TEST(ConeSolvers, SlidingBoxLosesWhatFrictionTakes) {
  // A box falling at 1 m/s and sliding at 5 m/s: impulse m on the floor, mu m against the motion: 5 - 0.3 = 4.7 m/s.
  // The tangential impulse at the rim, 0.5 m below the centre, tips it; all points stay down as long as mu * 0.5 < 0.5
  // (the arm).
  const GlobalConeProblem problem = make_box_on_plane(8, 0.3, make_velocity(0, 0, 0, 5, 0, -1));
  const ConeProblem local = make_local(problem);
  const ConeResult result = solve_cone(local);
  ASSERT_EQ(result.status, ConeStatus::solved);
  const VecX v = calc_body_velocity(problem, result.r);
  EXPECT_NEAR((v - make_velocity(0, 0, 0, 4.7, 0, 0)).norm(), 0, 1e-7);
  EXPECT_NEAR(calc_residual(problem, result.r), result.residual, 1e-12);
}

TEST(ConeSolvers, DefaultSolvesPilesOfEveryFriction) {
  for (double mu : {0.0, 0.3, 0.8, 1.5}) {
    for (int seed = 0; seed < 6; ++seed) {
      for (int rows : {2, 3, 4}) {
        const ConeProblem problem = make_local(make_pile(4 + 2 * seed, mu, seed, rows));
        expect_solved(problem, solve_cone(problem), "pile " + std::to_string(seed) + " mu " + std::to_string(mu));
      }
    }
  }
}

TEST(ConeSolvers, DefaultSolvesHeavyOnLight) {
  for (double ratio : {0.1, 10.0}) {
    const ConeProblem problem = make_local(make_tower(6, ratio, 0.6, 3));
    expect_solved(problem, solve_cone(problem), "tower");
  }
}

TEST(ConeSolvers, DefaultSolvesUnsymmetricW) {
  // Gyroscopic-like: a skew part of a thousandth of the symmetric one.
  ConeProblem problem = make_local(make_pile(8, 0.7, 11));
  for (int i = 0; i < problem.contacts(); ++i) {
    auto block = problem.W.block(problem.W.diagonal(i));
    block += 1e-3 * block.norm() * calc_skew(Vec3(1, -2, 0.5));
  }
  expect_solved(problem, solve_cone(problem), "unsymmetric");
}

TEST(ConeSolvers, EllipsoidsWithSpin) {
  GlobalConeProblem global = make_pile(6, 0.8, 21, 4);
  Random random(4);
  global.ellipsoid.resize(global.contacts(), 3);
  for (double& axis : global.ellipsoid.reshaped()) axis = random.uniform(0.2, 2);
  const ConeProblem problem = make_local(global);
  expect_solved(problem, solve_cone(problem), "ellipsoid");
}

TEST(ConeSolvers, AnAxisOfZeroIsNoFriction) {
  // Spin rows without spin friction give the answer of the problem without them.
  const GlobalConeProblem plain = make_tower(3, 1, 0.5, 8, 3);
  GlobalConeProblem spin = make_tower(3, 1, 0.5, 8, 4);
  spin.ellipsoid = MatX::Ones(spin.contacts(), 3);
  spin.ellipsoid.col(2).setZero();
  ConeOptions options;
  options.tolerance = 1e-11;
  const ConeResult a = solve_cone(make_local(plain), options), b = solve_cone(make_local(spin), options);
  ASSERT_EQ(a.status, ConeStatus::solved);
  ASSERT_EQ(b.status, ConeStatus::solved);
  EXPECT_NEAR((calc_body_velocity(plain, a.r) - calc_body_velocity(spin, b.r)).norm(), 0, 1e-8);
}

TEST(ConeSolvers, ScalingTheDataScalesTheAnswer) {
  // W -> a W, q -> b q solves r -> (b / a) r, u -> b u: the bodies' velocities are unique, the impulses need not be.
  GlobalConeProblem problem = make_tower(3, 1, 0.5, 2);
  ConeOptions options;
  options.tolerance = 1e-11;
  const VecX v = calc_body_velocity(problem, solve_cone(make_local(problem), options).r);
  for (double a : {1e-4, 1e4}) {
    GlobalConeProblem scaled = problem;
    scaled.M *= a;
    scaled.f *= a;
    const ConeResult result = solve_cone(make_local(scaled), options);
    ASSERT_EQ(result.status, ConeStatus::solved);
    EXPECT_NEAR((calc_body_velocity(scaled, result.r) - v).norm(), 0, 1e-6);
  }
}

TEST(ConeSolvers, TurningTheTangentsTurnsTheAnswer) {
  // The law knows no tangential axes: turned by any angle at each contact, the bodies move the same.
  const GlobalConeProblem problem = make_tower(3, 1, 0.5, 2);
  GlobalConeProblem turned = problem;
  MatX H = problem.H;
  for (int i = 0; i < problem.contacts(); ++i) {
    const double angle = 0.7 * i;
    Eigen::Matrix2d R;
    R << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    H.middleCols(3 * i + 1, 2) = H.middleCols(3 * i + 1, 2) * R;
  }
  turned.H = H.sparseView();
  ConeOptions options;
  options.tolerance = 1e-11;
  const ConeResult a = solve_cone(make_local(problem), options), b = solve_cone(make_local(turned), options);
  EXPECT_NEAR((calc_body_velocity(problem, a.r) - calc_body_velocity(turned, b.r)).norm(), 0, 1e-7);
}

TEST(ConeSolvers, WarmStartAtTheAnswerNeedsNoStep) {
  const ConeProblem problem = make_local(make_pile(6, 0.6, 1));
  ConeOptions options;
  const VecX solution = solve_cone(problem).r;
  options.start = &solution;
  EXPECT_EQ(solve_cone(problem, options).iterations, 0);
}

// Whatever was solved in the same workspace before.
TEST(ConeSolvers, RunsAreBitIdentical) {
  const ConeProblem problem = make_local(make_pile(8, 1.0, 3)), other = make_local(make_pile(5, 0.0, 4));
  ConeWorkspace used;
  for (const auto& [name, solve, sentence] : cone_solvers()) {
    (void)solve(other, {}, used);
    ConeWorkspace fresh;
    EXPECT_EQ(solve(problem, {}, used).r, solve(problem, {}, fresh).r) << name;
    EXPECT_EQ(solve(other, {}, used).r, solve(other, {}, fresh).r) << name;
  }
}

TEST(ConeSolvers, SayWhenThereIsNoSolution) {
  // The ground pressed into itself: W = 0 and q_n < 0 leave u_n < 0 whatever r is.
  ConeProblem problem;
  problem.W = ConeMatrix(3, 1, {});
  problem.q = Vec3(-1, 0, 0);
  problem.mu = VecX::Constant(1, 0.5);
  ConeWorkspace workspace;
  for (const auto& [name, solve, sentence] : cone_solvers()) {
    const ConeResult result = solve(problem, {}, workspace);
    EXPECT_NE(result.status, ConeStatus::solved) << name;
    EXPECT_GE(result.residual, 0.1) << name;
  }
}

TEST(ConeSolvers, TakeEmptyProblems) {
  ConeProblem problem;
  problem.W = ConeMatrix(3, 0, {});
  ConeWorkspace workspace;
  for (const auto& [name, solve, sentence] : cone_solvers())
    EXPECT_EQ(solve(problem, {}, workspace).status, ConeStatus::solved) << name;
}

}  // namespace
}  // namespace stiction
