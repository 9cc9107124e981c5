#include "stiction/solvers/cone/cone_bodies.h"

#include <gtest/gtest.h>

#include <random>

#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/solvers/cone/cone_body_auto.h"

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
  options.max_iterations = 7;
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

/// Boxes of 1 kg and edge 1 m on top of each other, each resting on the one below with `points` points spread over its
/// face: many times more contacts than freedoms, so that W is singular and impulses are not unique. Velocities at the
/// start are random.
BodyConeProblem make_stack(int boxes, int points, double mu, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double inertia = 1.0 / 6;
  BodyConeProblem problem;
  problem.bodies = boxes;
  std::vector<Vec6> velocity(at(boxes));  // in units of the root of mass and inertia
  for (Vec6& v : velocity) v << 0.1 * uniform(random), 0.1 * uniform(random), 0, 0, 0, 0.1 * uniform(random) - 0.3;
  problem.q.resize(3 * boxes * points);
  for (int i = 0; i < boxes * points; ++i) {
    const int upper = i / points, lower = upper - 1;
    const Vec3 place(0.5 * uniform(random), 0.5 * uniform(random), 0);
    BodyConeProblem::Contact contact;
    contact.body = {lower, upper};
    contact.mu = mu;
    for (std::size_t side = 0; side < 2; ++side) {
      contact.H[side].setZero();
      if (contact.body[side] < 0) continue;
      const double sign = side == 0 ? -1 : 1;
      const Vec3 arm = place - Vec3(0, 0, 0.5 * sign);
      const std::array<Vec3, 3> axes = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
      for (int k = 0; k < 3; ++k) {
        contact.H[side].col(k).head<3>() = sign * arm.cross(axes[at(k)]) / std::sqrt(inertia);
        contact.H[side].col(k).tail<3>() = sign * axes[at(k)];
      }
    }
    Vec3 q = Vec3::Zero();
    for (std::size_t side = 0; side < 2; ++side) {
      if (contact.body[side] >= 0) q += contact.H[side].transpose() * velocity[at(contact.body[side])];
    }
    problem.q.segment<3>(3 * i) = q;
    problem.contacts.push_back(contact);
  }
  return problem;
}

// The step of cone_body_smoothing.h is that of cone_smoothing.h on W = H H', written otherwise: one path, the same
// points. To rounding of some steps, condition numbers of 1e6 at alpha = 1e-6 in between.
TEST(ConeBodies, StepsAreThoseOnW) {
  for (const double mu : {0.0, 0.5}) {
    VecX known;
    const BodyConeProblem problem = make_row(12, mu, known);
    const ConeCanonical<3> cone = make_canonical<3>(make_dense(problem));
    ConeBodySmoothing map;
    map.pose(problem);
    ConeSmoothing<3> reference(cone);
    auto x = map.to_canonical(0.5 * known), u = x, dx = x, reference_dx = x;
    for (double e : {1.0, 0.1, 0.01}) {
      map.calc_velocity(x, u);
      map.update_map(x, u, e);
      reference.update_map(x, u, e);
      ASSERT_TRUE(map.solve_step(1e-6, dx));
      ASSERT_TRUE(reference.solve_step(1e-6, reference_dx));
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_LT((dx[i] - reference_dx[i]).norm(), 1e-8) << mu << " " << e << " " << i;
        x[i] += dx[i];
      }
      EXPECT_NEAR(map.calc_natural_norm(x, u), calc_natural_norm(cone, x, u), 1e-12);
    }
  }
}

// Hyperstatic stacks, where sweeps are slow: solved to what is asked for, by calc_residual on W. 240 contacts on 12
// boxes: 720 rows, 72 freedoms.
TEST(ConeBodies, SolvesHyperstaticStacks) {
  ConeBodyAuto solver;
  for (unsigned seed = 0; seed < 6; ++seed) {
    const BodyConeProblem problem = make_stack(12, 20, 0.2 + 0.15 * seed, seed);
    const ConeProblem dense = make_dense(problem);
    ConeOptions options;
    options.tolerance = 1e-9;
    VecX r = VecX::Zero(problem.q.size());
    EXPECT_EQ(solver.solve(problem, options, r), ConeStatus::solved) << seed;
    EXPECT_LE(calc_residual(dense, r), 1e-9) << seed;
    EXPECT_NEAR(calc_residual(dense, r), solver.residual(), 1e-12) << seed;
    EXPECT_GT(solver.factorizations(), 0) << seed;
    EXPECT_LT(solver.factorizations(), 100) << seed;
    // Impacts with friction and without restitution take energy: r . (u_before + u_after) <= 0.
    EXPECT_LE(r.dot(2 * problem.q + dense.W * r), 1e-9 * r.norm()) << seed;
  }
}

// Where sweeps converge, nothing is factorised; so many sweeps and nothing else are done if so many are asked for.
TEST(ConeBodies, FactorizesWhereSweepsAreSlow) {
  VecX known;
  const BodyConeProblem row = make_row(40, 0.4, known), stack = make_stack(12, 20, 0.5, 1);
  ConeBodyAuto solver;
  VecX r = VecX::Zero(known.size());
  EXPECT_EQ(solver.solve(row, {}, r), ConeStatus::solved);
  EXPECT_EQ(solver.factorizations(), 0);
  ConeOptions options;
  options.max_iterations = 15;
  r.setZero(stack.q.size());
  EXPECT_NE(solver.solve(stack, options, r), ConeStatus::solved);
  EXPECT_EQ(solver.iterations(), 15);
  EXPECT_NEAR(calc_residual(make_dense(stack), r), solver.residual(), 1e-12);
}

}  // namespace
}  // namespace stiction
