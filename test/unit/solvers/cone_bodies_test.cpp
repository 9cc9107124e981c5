#include "stiction/solvers/cone/cone_bodies.h"

#include <gtest/gtest.h>

#include <random>

#include "stiction/solvers/cone/cone_auto.h"

namespace stiction {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// W = H H' and q, by definition (1) of cone_bodies.h.
ConeProblem make_dense(const BodyConeProblem& problem) {
  const int n = static_cast<int>(problem.contacts.size());
  MatX H = MatX::Zero(3 * n, 6 * problem.bodies);
  ConeProblem dense;
  dense.mu.resize(n);
  for (int i = 0; i < n; ++i) {
    const BodyConeProblem::Contact& contact = problem.contacts[at(i)];
    dense.mu[i] = contact.mu;
    for (std::size_t side = 0; side < 2; ++side) {
      if (contact.body[side] >= 0) H.block(3 * i, 6 * contact.body[side], 3, 6) += contact.H[side].transpose();
    }
  }
  const MatX W = H * H.transpose();
  std::vector<ConeEntry> entries;
  for (int row = 0; row < 3 * n; ++row) {
    for (int column = 0; column < 3 * n; ++column) {
      if (W(row, column) != 0) entries.push_back({row, column, W(row, column)});
    }
  }
  dense.W = ConeMatrix(3, n, entries);
  dense.q = problem.q;
  return dense;
}

/// Bodies in a row, each touching the next and the ground, with a solution that is known: a third of the contacts each
/// sticks, slips and is open. q = u - W r.
BodyConeProblem make_row(int bodies, double mu, VecX& r) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  BodyConeProblem problem;
  problem.bodies = bodies;
  const auto add = [&](int a, int b) {
    BodyConeProblem::Contact contact;
    contact.body = {a, b};
    contact.mu = mu;
    for (std::size_t side = 0; side < 2; ++side) {
      contact.H[side].setZero();
      if (contact.body[side] < 0) continue;
      // Velocity along the axes, and some of the rotation.
      contact.H[side].topRows<3>() = (side == 0 ? -1 : 1) * Mat3::Identity();
      for (double& entry : contact.H[side].bottomRows<3>().reshaped()) entry = 0.3 * uniform(random);
    }
    problem.contacts.push_back(contact);
  };
  for (int i = 0; i < bodies; ++i) {
    add(-1, i);
    if (i + 1 < bodies) add(i, i + 1);
  }
  const int n = static_cast<int>(problem.contacts.size());
  r.setZero(3 * n);
  VecX u = VecX::Zero(3 * n);
  for (int i = 0; i < n; ++i) {
    const double angle = 3 * uniform(random), normal = 2 + uniform(random);
    const Vec3 direction(0, std::cos(angle), std::sin(angle));
    if (i % 3 == 0) r.segment<3>(3 * i) = normal * (Vec3::UnitX() + 0.6 * mu * direction);
    if (i % 3 == 1) {
      r.segment<3>(3 * i) = normal * (Vec3::UnitX() + mu * direction);
      u.segment<3>(3 * i) = -0.3 * direction;
    }
    if (i % 3 == 2) u.segment<3>(3 * i) = 0.2 * Vec3::UnitX() + 0.1 * direction;
  }
  problem.q = VecX::Zero(3 * n);
  problem.q = u - make_dense(problem).W * r;
  return problem;
}

// Measured by calc_residual with W in double precision; the velocities are those of the solution the problem was made
// of, to what the residual allows (the least eigenvalue of W, about 0.02, stands between).
TEST(ConeBodies, SolvesWhatItIsMadeOf) {
  for (const double mu : {0.0, 0.2, 0.6}) {
    VecX known;
    const BodyConeProblem problem = make_row(40, mu, known);
    const ConeProblem dense = make_dense(problem);
    ASSERT_LT(calc_residual(dense, known), 1e-15);
    ConeBodySolver solver;
    ConeOptions options;
    options.tolerance = 1e-9;
    VecX r = VecX::Zero(known.size());
    EXPECT_EQ(solver.solve(problem, options, r), ConeStatus::solved) << mu;
    EXPECT_LE(calc_residual(dense, r), 1e-9) << mu;
    EXPECT_NEAR(calc_residual(dense, r), solver.residual(), 1e-14) << mu;
    EXPECT_LT((dense.W * (r - known)).cwiseAbs().maxCoeff(), 1e-6) << mu;
  }
}

// A solution is taken as it is, without a sweep, whatever the digits of single precision are.
TEST(ConeBodies, StaysAtASolution) {
  VecX known;
  const BodyConeProblem problem = make_row(40, 0.4, known);
  ConeBodySolver solver;
  VecX r = known;
  EXPECT_EQ(solver.solve(problem, {}, r), ConeStatus::solved);
  EXPECT_EQ(solver.sweeps(), 0);
  EXPECT_LT((r - known).cwiseAbs().maxCoeff(), 1e-15);
}

// Impulses are in their cones and on them to rounding, not to single precision, also when sweeps end early.
TEST(ConeBodies, ImpulsesAreInTheirCones) {
  VecX known;
  const double mu = 0.5;
  const BodyConeProblem problem = make_row(60, mu, known);
  ConeBodySolver solver;
  ConeOptions options;
  options.iterations = 7;
  VecX r = VecX::Zero(known.size());
  EXPECT_EQ(solver.solve(problem, options, r), ConeStatus::iteration_limit);
  EXPECT_EQ(solver.sweeps(), 7);
  int open = 0;
  for (int i = 0; i < r.size() / 3; ++i) {
    EXPECT_LE(r.segment<2>(3 * i + 1).norm(), mu * r[3 * i] * (1 + 1e-14)) << i;
    if (r[3 * i] == 0) ++open;
  }
  EXPECT_GT(open, 20);
}

// The second problem of a solver has the answer it would have as the first.
TEST(ConeBodies, RemembersNothing) {
  VecX known, smaller;
  const BodyConeProblem large = make_row(50, 0.5, known), small = make_row(20, 0.3, smaller);
  ConeBodySolver used, fresh;
  VecX r = VecX::Zero(known.size()), first = VecX::Zero(smaller.size()), second = first;
  (void)used.solve(large, {}, r);
  (void)used.solve(small, {}, first);
  (void)fresh.solve(small, {}, second);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace stiction
