// Impulses of least norm against closed forms: tables on legs, a ball between fingers, stacks.
#include "stiction/solvers/cone/cone_least_norm.h"

#include <gtest/gtest.h>

#include <numeric>

#include "stiction/solvers/cone/cone_auto.h"

#include "cone_problems.h"
#include "cone_scenes.h"

namespace stiction {
namespace {

struct Chosen {
  ConeLeastNorm::Result result;
  VecX r;
};

/// A problem and what its impulses move: M^-1 H, by bodies of 6 velocities.
struct Moved {
  ConeProblem problem;
  MatX motion;  ///< (rows x velocities)
  VecX inverse_mass;

  explicit Moved(const GlobalConeProblem& global) : problem(make_local(global)) {
    const MatX H = global.H, M = global.M;
    inverse_mass = M.diagonal().cwiseInverse();
    motion = (inverse_mass.asDiagonal() * H).transpose();
  }
  Moved() = default;
};

/// Of all contacts as one group, from the impulses r.
Chosen choose(const Moved& moved, VecX r) {
  const ConeProblem& problem = moved.problem;
  const int d = problem.dimension();
  std::vector<int> contacts(static_cast<std::size_t>(problem.contacts()));
  std::iota(contacts.begin(), contacts.end(), 0);
  const std::vector<char> is_held(contacts.size(), 0);
  // The parts that are not 0.
  std::vector<ImpulseMotion> motions(contacts.size());
  std::vector<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> blocks, masses;
  blocks.reserve(2 * contacts.size());
  const int velocities = static_cast<int>(moved.motion.cols());
  for (int first = 0; first < velocities; first += 6)
    masses.emplace_back(moved.inverse_mass.segment(first, std::min(6, velocities - first)).asDiagonal());
  for (const int i : contacts) {
    std::size_t used = 0;
    for (int first = 0; first < velocities; first += 6) {
      const int size = std::min(6, velocities - first);
      const MatX block = moved.motion.block(d * i, first, d, size);
      if (block.isZero(0)) continue;
      blocks.emplace_back(block);
      motions[static_cast<std::size_t>(i)].parts[used++] = {first, size, blocks.back().data(),
                                                            masses[static_cast<std::size_t>(first / 6)].data()};
    }
  }
  const VecX u = problem.W * r + problem.q;
  ConeLeastNorm least_norm;
  Chosen chosen;
  chosen.result = least_norm.apply(problem, contacts, is_held, motions, u, 1e-10, r);
  chosen.r = r;
  return chosen;
}

/// A table of weight 1 (mass 1, one step of velocity 1) that stands on legs; its centre lies above (x, y).
Moved make_table(const std::vector<Vec3>& legs, double x, double y, double mu) {
  std::vector<test::MadeContact> contacts;
  for (const Vec3& leg : legs) contacts.push_back({-1, 0, leg, Vec3::UnitZ()});
  test::MadeBody table{.position = {x, y, 0.7}};
  table.velocity[5] = -1;
  return Moved(test::make_global(3, {table}, contacts, VecX::Constant(static_cast<Eigen::Index>(legs.size()), mu)));
}

constexpr double half_length = 0.8, half_width = 0.5;
const std::vector<Vec3> four_legs = {{half_length, half_width, 0},
                                     {-half_length, half_width, 0},
                                     {-half_length, -half_width, 0},
                                     {half_length, -half_width, 0}};

/// Closed form: N = a + b x + c y on springs of equal stiffness, with the three conditions of equilibrium.
double calc_leg(const Vec3& leg, double x, double y) {
  return 0.25 * (1 + x * leg.x() / (half_length * half_length) + y * leg.y() / (half_width * half_width));
}

VecX solve(const ConeProblem& problem, const VecX& start) {
  ConeOptions options;
  options.tolerance = 1e-13;
  options.start = &start;
  ConeResult result = solve_cone(problem, options);
  EXPECT_EQ(result.status, ConeStatus::solved);
  return result.r;
}

// 12 components, of which the 6 velocities of the table determine 6; without friction 1 of 4 is open.
TEST(ConeLeastNorm, FourLegsShareAnEccentricLoadAsOnSprings) {
  for (const double mu : {0.0, 0.3, 2.0}) {
    const double x = 0.2, y = -0.15;
    const Moved moved = make_table(four_legs, x, y, mu);
    const ConeProblem& problem = moved.problem;
    for (const double pair : {0.0, 0.1, 0.2}) {
      VecX start = VecX::Zero(12);
      for (int leg = 0; leg < 4; ++leg) start[3 * leg] = leg % 2 == 0 ? pair : 0.5 - pair;
      const VecX r = solve(problem, start);
      const Chosen chosen = choose(moved, r);
      ASSERT_TRUE(chosen.result.is_found);
      EXPECT_EQ(chosen.result.undetermined, mu > 0 ? 6 : 1);
      for (int leg = 0; leg < 4; ++leg) {
        EXPECT_NEAR(chosen.r[3 * leg], calc_leg(four_legs[static_cast<std::size_t>(leg)], x, y), 1e-13) << mu;
        EXPECT_NEAR(chosen.r.segment(3 * leg + 1, 2).norm(), 0, 1e-13) << mu;
      }
      EXPECT_LT((problem.W * (chosen.r - r)).norm(), 1e-14);
    }
  }
}

// Without friction the open direction is (1, -1, 1, -1): the smallest leg can be unloaded by it, and every other one
// loses or gains as much.
TEST(ConeLeastNorm, TellsByHowMuchLegsMayDiffer) {
  const double x = 0.2, y = -0.15;
  const Moved moved = make_table(four_legs, x, y, 0);
  double smallest[2] = {1, 1}, largest = 0;
  for (int leg = 0; leg < 4; ++leg) {
    const double load = calc_leg(four_legs[static_cast<std::size_t>(leg)], x, y);
    smallest[leg % 2] = std::min(smallest[leg % 2], load);
    largest = std::max(largest, load);
  }
  const Chosen chosen = choose(moved, solve(moved.problem, VecX::Zero(12)));
  EXPECT_NEAR(chosen.result.part, std::max(smallest[0], smallest[1]) / largest, 1e-12);
}

// x / half_length + y / half_width > 1: the springs of the leg across would pull. The three others bear the load as
// the statics of three legs says.
TEST(ConeLeastNorm, ALegThatWouldPullIsUnloaded) {
  const double x = 0.5, y = 0.3;
  ASSERT_LT(calc_leg(four_legs[2], x, y), 0);
  const Moved moved = make_table(four_legs, x, y, 0);
  const Chosen chosen = choose(moved, solve(moved.problem, VecX::Zero(12)));
  ASSERT_TRUE(chosen.result.is_found);
  EXPECT_EQ(chosen.result.undetermined, 0);
  const double left = 0.5 * (1 - x / half_length), back = 0.5 * (1 - y / half_width);
  EXPECT_NEAR(chosen.r[3], left, 1e-13);
  EXPECT_NEAR(chosen.r[9], back, 1e-13);
  EXPECT_NEAR(chosen.r[0], 1 - left - back, 1e-13);
  EXPECT_NEAR(chosen.r[6], 0, 1e-13);
}

TEST(ConeLeastNorm, ThreeLegsLeaveNothingOpen) {
  const std::vector<Vec3> legs(four_legs.begin(), four_legs.end() - 1);
  const Moved moved = make_table(legs, -0.1, 0.1, 0);
  const ConeProblem& problem = moved.problem;
  const VecX r = solve(problem, VecX::Zero(9));
  const Chosen chosen = choose(moved, r);
  EXPECT_EQ(chosen.result.undetermined, 0);
  EXPECT_FALSE(chosen.result.has_changed);
  EXPECT_EQ(chosen.r, r);
}

// A table that slides: friction is along the ray of each contact, and only normals are open. With the centre at the
// height c, friction mu shifts the load by mu c towards the front; the legs share that as on springs.
TEST(ConeLeastNorm, LegsThatSlipShareTheirLoad) {
  const double mu = 0.2, height = 0.7;
  std::vector<test::MadeContact> contacts;
  for (const Vec3& leg : four_legs) contacts.push_back({-1, 0, leg, Vec3::UnitZ()});
  test::MadeBody table{.position = {0, 0, height}};
  table.velocity[3] = 5;
  table.velocity[5] = -1;
  const Moved moved(test::make_global(3, {table}, contacts, VecX::Constant(4, mu)));
  const Chosen chosen = choose(moved, solve(moved.problem, VecX::Zero(12)));
  EXPECT_EQ(chosen.result.undetermined, 1);
  for (int leg = 0; leg < 4; ++leg) {
    EXPECT_NEAR(chosen.r[3 * leg], calc_leg(four_legs[static_cast<std::size_t>(leg)], mu * height, 0), 1e-13);
    EXPECT_NEAR(chosen.r.segment(3 * leg + 1, 2).norm(), mu * chosen.r[3 * leg], 1e-13);
  }
}

/// A ball of weight 1 on the floor between two fingers, which move along x and press with `grip`; each finger is one
/// coordinate. Contacts: floor, left, right; rows n, z, y of the fingers, n, x, y of the floor.
Moved make_held_ball(double grip, double mu) {
  const double radius = 0.1, inertia = 0.4 * radius * radius, finger = 0.5;
  MatX J = MatX::Zero(9, 8);  // columns: angular and linear velocity of the ball, left finger, right finger
  const auto add = [&](int row, const Vec3& point, const Vec3& direction) {
    J.block<1, 3>(row, 0) = point.cross(direction).transpose();
    J.block<1, 3>(row, 3) = direction.transpose();
  };
  add(0, {0, 0, -radius}, Vec3::UnitZ());
  add(1, {0, 0, -radius}, Vec3::UnitX());
  add(2, {0, 0, -radius}, Vec3::UnitY());
  for (const int side : {-1, 1}) {
    const int row = side < 0 ? 3 : 6;
    const Vec3 point(side * radius, 0, 0);
    add(row, point, -side * Vec3::UnitX());
    add(row + 1, point, Vec3::UnitZ());
    add(row + 2, point, Vec3::UnitY());
    J(row, side < 0 ? 6 : 7) = side;
  }
  VecX inverse(8), v(8);
  inverse << 1 / inertia, 1 / inertia, 1 / inertia, 1, 1, 1, 1 / finger, 1 / finger;
  v << 0, 0, 0, 0, 0, -1, grip / finger, -grip / finger;
  const MatX W = J * inverse.asDiagonal() * J.transpose();
  std::vector<ConeEntry> entries;
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j < 9; ++j) entries.push_back({i, j, W(i, j)});
  }
  Moved moved;
  moved.problem.W = ConeMatrix(3, 3, entries);
  moved.problem.q = J * v;
  moved.problem.mu = VecX::Constant(3, mu);
  moved.motion = J * inverse.asDiagonal();
  moved.inverse_mass = inverse;
  return moved;
}

// Closed form: floor + 2 f = 1, least floor^2 + 2 f^2: all three 1/3, as long as f <= mu grip; else f = mu grip.
TEST(ConeLeastNorm, ABallBetweenFingersRestsOnAllThreeAlike) {
  for (const double grip : {4.0, 0.7, 0.5}) {
    const double mu = 0.5, friction = std::min(1.0 / 3, mu * grip);
    const Moved moved = make_held_ball(grip, mu);
    const ConeProblem& problem = moved.problem;
    for (const double floor : {1.0, 0.6, 0.2}) {
      VecX start = VecX::Zero(9);
      start << floor, 0, 0, grip, 0.5 * (1 - floor), 0, grip, 0.5 * (1 - floor), 0;
      const VecX r = std::abs(start[4]) <= mu * grip ? start : solve(problem, start);
      ASSERT_LT(calc_residual(problem, r), 1e-12);
      const Chosen chosen = choose(moved, r);
      ASSERT_TRUE(chosen.result.is_found);
      VecX expected(9);
      expected << 1 - 2 * friction, 0, 0, grip, friction, 0, grip, friction, 0;
      EXPECT_LT((chosen.r - expected).norm(), 1e-12) << grip << " " << floor;
      EXPECT_EQ(chosen.result.undetermined, 1);
      EXPECT_LT(calc_residual(problem, chosen.r), 1e-12);
    }
  }
}

// A slider against a wall: W has no entry along the wall, friction does nothing, and least is none.
TEST(ConeLeastNorm, FrictionThatMovesNothingIsNone) {
  Moved moved;
  moved.problem.W = ConeMatrix(3, 1, {{0, 0, 2.0}});
  moved.problem.q = Vec3(-1, 0, 0);
  moved.problem.mu = VecX::Constant(1, 0.5);
  moved.motion = Vec3(2, 0, 0);
  moved.inverse_mass = VecX::Constant(1, 2.0);
  const Chosen chosen = choose(moved, Vec3(0.5, 0.1, -0.2));
  EXPECT_LT((chosen.r - Vec3(0.5, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(chosen.result.undetermined, 2);
}

// Whatever solution a solver finds first: u stays, the law holds, the norm does not rise, and where two solutions have
// the same u, the choice is one. Bodies at rest in stacks, with many more contacts than needed.
TEST(ConeLeastNorm, TheChoiceInAStackDoesNotDependOnTheStart) {
  for (const int boxes : {1, 3, 6}) {
    for (const double mu : {0.0, 0.3, 1.0}) {
      GlobalConeProblem global = test::make_stack(boxes, 3, mu, 7);
      // At rest under gravity alone.
      for (int b = 0; b < boxes; ++b) {
        global.f.segment(6 * b, 6).setZero();
        global.f[6 * b + 5] = -global.M.coeff(6 * b + 5, 6 * b + 5) * test::step_fall;
      }
      const Moved moved(global);
      const ConeProblem& problem = moved.problem;
      VecX first;
      Random random(3);
      for (int trial = 0; trial < 3; ++trial) {
        VecX start = VecX::Zero(problem.q.size());
        for (int i = 0; i < problem.contacts(); ++i) start[3 * i] = trial == 0 ? 0 : random.uniform(0, 0.1);
        const VecX r = solve(problem, start);
        const Chosen chosen = choose(moved, r);
        ASSERT_TRUE(chosen.result.is_found);
        EXPECT_LT(calc_residual(problem, chosen.r), 1e-12);
        EXPECT_LE(chosen.r.norm(), r.norm() * (1 + 1e-14));
        EXPECT_EQ(chosen.result.undetermined, mu > 0 ? 27 * boxes - 6 * boxes : 9 * boxes - 3 * boxes);
        if (trial == 0) first = chosen.r;
        EXPECT_LT((chosen.r - first).norm(), 1e-11 * first.norm()) << boxes << " " << mu;
      }
      // Centred boxes: each of the nine points bears a ninth of what is above it.
      for (int i = 0; i < problem.contacts(); ++i)
        EXPECT_NEAR(first[3 * i], test::step_fall * (boxes - i / 9) / 9, 1e-12);
    }
  }
}

}  // namespace
}  // namespace stiction
