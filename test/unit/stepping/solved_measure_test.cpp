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

// Left by cheap methods: the velocity W (r - m h g) = off h g within 1e-7 sqrt((h g)^2 + |q|^2), by (1).
TEST(SolvedMeasure, WhatCheapMethodsLeaveIsRightToASmallerPart) {
  const SolvedMeasure measure = make_solved_measure(0, g);
  const ConeProblem problem = make_resting_ball(1);
  const double most = std::sqrt(2) * 1e-7;
  const auto accepts = [&](double off) {
    const VecX r = h * g * Vec3(1 + off, 0, 0);
    return measure.accepts(problem, r, calc_residual(problem, r), h);
  };
  EXPECT_TRUE(accepts(0.99 * most));
  EXPECT_FALSE(accepts(1.01 * most));
}

// Two walls that come nearer by 2e-10 m/s with a body of 1 kg between them: u = -1e-10 m/s whatever equal impulses are,
// so that no impulses are the solution. By (2) each may have 10 * 2 * 1e-10 N s.
TEST(SolvedMeasure, ImpulsesOfAWedgeAreNoSolution) {
  const SolvedMeasure measure{.exact = 1e-12, .gravity = g};
  ConeProblem problem;
  problem.W = ConeMatrix(2, 2, {{0, 0, 1}, {0, 2, -1}, {2, 0, -1}, {2, 2, 1}, {1, 1, 1}, {3, 3, 1}});
  problem.q = Eigen::Vector4d(-1e-10, 0, -1e-10, 0);
  problem.mu = VecX::Zero(2);
  const auto accepts = [&](double impulse) {
    const VecX r = Eigen::Vector4d(impulse, 0, impulse, 0);
    const double residual = calc_residual(problem, r);
    EXPECT_GT(residual, measure.exact);
    EXPECT_LT(residual, measure.calc_limit_of_hard(problem.q, 2, h));
    return measure.accepts(problem, r, residual, h);
  };
  EXPECT_TRUE(accepts(1.9e-9));
  EXPECT_FALSE(accepts(2.1e-9));
}

TEST(SolvedMeasure, AToleranceThatIsGivenHoldsForAllProblems) {
  const SolvedMeasure measure = make_solved_measure(1e-8, g);
  const ConeProblem problem = make_resting_ball(1);
  const VecX r = h * g * Vec3(1, 0, 0);
  EXPECT_TRUE(measure.accepts(problem, r, 0.99e-8, h));
  EXPECT_FALSE(measure.accepts(problem, r, 1.01e-8, h));
}

}  // namespace
}  // namespace stiction
