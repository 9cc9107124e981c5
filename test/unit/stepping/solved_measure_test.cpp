#include "stiction/stepping/rigid/solved_measure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/solvers/cone/cone.h"

namespace stiction {
namespace {

constexpr double g = 9.81, h = 1e-3;

// A ball of mass m on a floor: q_n = -h g, solved by r_n = m h g.
ConeProblem make_resting_ball(double m) {
  ConeProblem problem;
  std::vector<ConeEntry> entries;
  for (int k = 0; k < 3; ++k) entries.push_back({k, k, 1 / m});
  problem.W = ConeMatrix(3, 1, entries);
  problem.q = Vec3(-h * g, 0, 0);
  problem.mu = VecX::Constant(1, 0.5);
  return problem;
}

TEST(SolvedMeasure, ToleranceThatIsGivenIsTheLimit) {
  const SolvedMeasure measure = make_solved_measure(1e-6, g);
  EXPECT_EQ(measure.calc_limit(VecX::Constant(3, -100), 3, h), 1e-6);
  EXPECT_EQ(measure.calc_limit(VecX::Zero(3), 3, 0), 1e-6);
}

// The force of a ball at rest may be off by sqrt(2) 1e-5 of its weight, sqrt(2) since h g and |q| both count in (1):
// the velocity left is W (r - m h g) = off h g.
TEST(SolvedMeasure, TheForceOfABallAtRestIsRightToAPartOfItsWeight) {
  const SolvedMeasure measure = make_solved_measure(0, g);
  for (const double m : {0.1, 1.0, 100.0}) {
    const ConeProblem problem = make_resting_ball(m);
    const double limit = measure.calc_limit(problem.q, 3, h), most = std::sqrt(2) * 1e-5;
    EXPECT_LT(calc_residual(problem, m * h * g * Vec3(1 + 0.99 * most, 0, 0)), limit) << m;
    EXPECT_GT(calc_residual(problem, m * h * g * Vec3(1 + 1.01 * most, 0, 0)), limit) << m;
  }
}

// An impact at 10 m/s without weight: velocities to 1e-5 of it, those of contacts that open do not count.
TEST(SolvedMeasure, AnImpactIsRightToAPartOfItsSpeed) {
  const SolvedMeasure measure = make_solved_measure(0, 0);
  VecX q(6);
  q << -10, 3, 0, 5, 7, 0;
  EXPECT_DOUBLE_EQ(measure.calc_limit(q, 3, h) * (1 + q.norm()), 1e-5 * std::sqrt(109.0));
}

TEST(SolvedMeasure, WhereNothingMovesItIsTheExactLimit) {
  EXPECT_EQ(make_solved_measure(0, g).calc_limit(VecX::Zero(9), 3, 0), 1e-10);
}

// n balls at rest may leave n times the square: the limit of the whole is that of its parts.
TEST(SolvedMeasure, ManyAreJudgedAsOne) {
  const SolvedMeasure measure = make_solved_measure(0, g);
  VecX q(300);
  for (int i = 0; i < 100; ++i) q.segment<3>(3 * i) = Vec3(-h * g, 0, 0);
  const double one = measure.calc_limit(q.head<3>(), 3, h) * (1 + q.head<3>().norm());
  EXPECT_NEAR(measure.calc_limit(q, 3, h) * (1 + q.norm()), 10 * one, 1e-15);
}

}  // namespace
}  // namespace stiction
