// Impacts as processes: closed forms of one contact in the plane, by hand; in space, the hodograph of the slip by fine
// Runge-Kutta steps; several contacts.
#include "stiction/stepping/rigid/impact_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/random.h"

namespace stiction {
namespace {

using enum RestitutionHypothesis;

ConeMatrix make_matrix(const MatX& dense, int d) {
  std::vector<ConeEntry> entries;
  for (int i = 0; i < dense.rows(); ++i) {
    for (int j = 0; j < dense.cols(); ++j) entries.push_back({i, j, dense(i, j)});
  }
  return {d, static_cast<int>(dense.rows()) / d, entries};
}

VecX solve_one(const MatX& W, const VecX& u, const ImpactContact& contact) {
  ImpactProcess process({.exact = 1e-12, .part = 0, .part_of_hard = 0});
  ImpactProblem problem{make_matrix(W, static_cast<int>(u.size())), u, {contact}};
  VecX r;
  const ImpactProcess::Result result = process.solve(problem, r);
  EXPECT_TRUE(result.converged);
  return r;
}

/// W of the end of a rod: mass 1, moment of inertia I, from the centre to the end (x, y), normal along y, t along -x.
MatX make_rod(double x, double y, double inertia) {
  MatX W(2, 2);
  W << 1 + x * x / inertia, x * y / inertia, x * y / inertia, 1 + y * y / inertia;
  return W;
}

/// By hand, for W_nt >= 0 or < 0 and an initial slip > 0: over the normal impulse p, u_n and u_t are broken lines.
/// They bend at p_s = u_t / (mu W_tt - W_nt), where slip stops, if it does: afterwards it sticks if mu W_tt >= |W_nt|,
/// or turns round. Work is the area under u_n.
struct HandCalculation {
  double a1 = 0, a2 = 0, p_s = 0;
  HandCalculation(const MatX& W, double slip, double mu) {
    a1 = W(0, 0) - mu * W(0, 1);
    const double braking = mu * W(1, 1) - W(0, 1);
    p_s = braking > 0 ? slip / braking : 1e300;
    const bool sticks = mu * W(1, 1) >= std::abs(W(0, 1));
    a2 = sticks ? W(0, 0) - W(0, 1) * W(0, 1) / W(1, 1) : W(0, 0) + mu * W(0, 1);
  }
  double speed(double u0, double p) const { return u0 + a1 * std::min(p, p_s) + a2 * std::max(0.0, p - p_s); }
  double work(double u0, double p) const {
    const double first = std::min(p, p_s), second = std::max(0.0, p - p_s);
    return u0 * first + 0.5 * a1 * first * first + (u0 + a1 * first) * second + 0.5 * a2 * second * second;
  }
  template <typename Condition>
  static double find(const Condition& is_beyond, double low, double high) {
    for (int k = 0; k < 200; ++k) (is_beyond(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
    return 0.5 * (low + high);
  }
  double end(double u0, double e, RestitutionHypothesis hypothesis) const {
    // The last p at which u_n = 0: friction that jams makes u_n fall first.
    const double p_c = find([&](double p) { return p > std::min(p_s, 1e3) * (a1 <= 0) && speed(u0, p) >= 0; }, 0, 1e3);
    if (hypothesis == newton) return find([&](double p) { return p >= p_c && speed(u0, p) >= -e * u0; }, 0, 1e3);
    if (hypothesis == poisson) return (1 + e) * p_c;
    const double W_c = -work(u0, p_c);
    if (e == 0) return p_c;
    return find([&](double p) { return p >= p_c && work(u0, p) + W_c >= e * e * W_c; }, 0, 1e3);
  }
};

struct Rod {
  const char* what;
  double x, y, inertia, slip, mu;
};

TEST(ImpactProcess, RodsByHand) {
  const Rod rods[] = {{"slides throughout", 0.1, 0.3, 0.1, 5, 0.2},
                      {"stops and sticks in compression", 0.05, 0.3, 0.1, 0.2, 0.8},
                      {"stops and turns round in compression", -0.3, 0.3, 0.03, 0.4, 0.1},
                      {"stops and sticks in restitution", 0.1, 0.3, 0.1, 1.2, 0.6},
                      {"jams until it sticks", 0.3, 0.4, 0.02, 1, 1.5}};
  for (const Rod& rod : rods) {
    const MatX W = make_rod(rod.x, rod.y, rod.inertia);
    const HandCalculation hand(W, rod.slip, rod.mu);
    for (const RestitutionHypothesis hypothesis : {newton, poisson, stronge}) {
      for (const double e : {0.0, 0.5, 1.0}) {
        SCOPED_TRACE(testing::Message() << rod.what << " " << static_cast<int>(hypothesis) << " e " << e);
        const Eigen::Vector2d u(-1, rod.slip);
        const VecX r = solve_one(W, u, {.mu = rod.mu, .restitution = e, .hypothesis = hypothesis});
        const double p = hand.end(-1, e, hypothesis);
        EXPECT_NEAR(r[0], p, 1e-9 * p);
        const VecX end = u + W * r;
        EXPECT_NEAR(end[0], hand.speed(-1, p), 1e-9);
        // Slip after it has stopped: none, or the other way.
        if (p > hand.p_s && rod.mu * W(1, 1) >= std::abs(W(0, 1))) {
          EXPECT_NEAR(end[1], 0, 1e-9);
        }
        if (p > hand.p_s && rod.mu * W(1, 1) < std::abs(W(0, 1))) {
          EXPECT_NEAR(end[1], (W(0, 1) + rod.mu * W(1, 1)) * (p - hand.p_s), 1e-9);
        }
        if (p <= hand.p_s) {
          EXPECT_NEAR(end[1], rod.slip + (W(0, 1) - rod.mu * W(1, 1)) * p, 1e-9);
        }
        // Stronge's law does not create energy; e = 1 without friction would keep it.
        if (hypothesis == stronge) {
          EXPECT_LE(0.5 * r.dot(u + end), 1e-12);
        }
      }
    }
  }
}

// Without friction, and without coupling, the three hypotheses agree: u_n+ = -e u_n-.
TEST(ImpactProcess, HypothesesAgreeWhereNothingCouples) {
  MatX W = MatX::Zero(3, 3);
  W.diagonal() << 2, 7, 7;
  for (const RestitutionHypothesis hypothesis : {newton, poisson, stronge}) {
    const Vec3 u(-3, 1, 2);
    const VecX r = solve_one(W, u, {.mu = 0.1, .restitution = 0.7, .hypothesis = hypothesis});
    EXPECT_NEAR((u + W * r)[0], 2.1, 1e-12);
    // A ball that slides throughout: friction mu r_n against the slip, whose direction stays.
    EXPECT_NEAR(r[1], -0.1 * r[0] / std::sqrt(5), 1e-12);
    EXPECT_NEAR(r[2], -0.2 * r[0] / std::sqrt(5), 1e-12);
  }
}

MatX make_random_matrix(Random& random) {
  MatX A(3, 3);
  for (int i = 0; i < 9; ++i) A(i / 3, i % 3) = random.uniform(-1, 1);
  return A * A.transpose() + 0.3 * MatX::Identity(3, 3);
}

/// Slip in space by Runge-Kutta steps over the normal impulse, as long as it does not stop.
struct Hodograph {
  MatX W;
  double mu = 0;
  Vec3 slope(const Vec3& u) const {
    const Eigen::Vector2d s = u.tail(2).normalized();
    return W * Vec3(1, -mu * s[0], -mu * s[1]);
  }
  Vec3 step(const Vec3& u, double p) const {
    const Vec3 a = slope(u), b = slope(u + 0.5 * p * a), c = slope(u + 0.5 * p * b), d = slope(u + p * c);
    return u + p / 6 * (a + 2 * b + 2 * c + d);
  }
};

TEST(ImpactProcess, SlipThatTurnsInSpace) {
  Random random(3);
  int turned = 0;
  for (int k = 0; k < 40; ++k) {
    Hodograph hodograph{make_random_matrix(random), random.uniform(0.1, 0.6)};
    Vec3 u(-1, random.uniform(-2, 2), random.uniform(-2, 2));
    const Vec3 before = u;
    const double e = 0.6;
    double work = 0, compression = 0, slowest = 1e300, p = 1e-3;
    // Each phase ends within a step, whose length is then found by halving.
    for (const bool compressing : {true, false}) {
      const auto is_over = [&](const Vec3& next, double step) {
        const double done = work + 0.5 * step * (u[0] + next[0]);
        return compressing ? next[0] >= 0 : done >= (e * e - 1) * compression;
      };
      for (int i = 0; i < 100000 && !is_over(hodograph.step(u, p), p); ++i) {
        const Vec3 next = hodograph.step(u, p);
        work += 0.5 * p * (u[0] + next[0]);
        u = next;
        slowest = std::min(slowest, u.tail(2).norm());
      }
      double low = 0, high = p;
      for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (low + high);
        (is_over(hodograph.step(u, middle), middle) ? high : low) = middle;
      }
      const Vec3 next = hodograph.step(u, high);
      work += 0.5 * high * (u[0] + next[0]);
      u = next;
      if (compressing) compression = -work;
    }
    // Where slip comes near 0 the steps of the reference are too long.
    if (slowest < 0.05) continue;
    if (before.tail(2).normalized().dot(u.tail(2).normalized()) < 0.9) ++turned;
    const VecX r = solve_one(hodograph.W, before, {.mu = hodograph.mu, .restitution = e, .hypothesis = stronge});
    // Directions from the middle of increments of 1/50 rad: 1e-4 of the velocities, which are of the order of 1 m/s.
    EXPECT_LT((before + hodograph.W * r - u).norm(), 5e-4) << k;
  }
  EXPECT_GE(turned, 3);
}

// Never energy, in space, whatever the matrix: friction takes, and e^2 <= 1.
TEST(ImpactProcess, StrongeCreatesNoEnergy) {
  Random random(5);
  for (int k = 0; k < 500; ++k) {
    const MatX W = make_random_matrix(random);
    const Vec3 u(-random.uniform(0.01, 3), random.uniform(-2, 2), random.uniform(-2, 2));
    const double mu = random.uniform(0, 3), e = k % 2 == 0 ? 1 : random.uniform(0, 1);
    const VecX r = solve_one(W, u, {.mu = mu, .restitution = e, .hypothesis = stronge});
    const Vec3 end = u + W * r;
    EXPECT_LE(0.5 * r.dot(u + end), 1e-9) << k;
    EXPECT_GE(end[0], -1e-9) << k;
    EXPECT_LE(r.tail(2).norm(), mu * r[0] * (1 + 1e-9)) << k;
  }
}

// A body on two contacts whose motion does not determine how they share: they share alike.
TEST(ImpactProcess, EqualContactsShareAlike) {
  MatX W = MatX::Zero(4, 4);
  for (int i = 0; i < 4; ++i) W(i, i) = W(i, (i + 2) % 4) = 1;
  ImpactProcess process({.exact = 1e-12, .part = 0, .part_of_hard = 0});
  const ImpactContact contact{.mu = 0.5, .restitution = 0.5, .hypothesis = stronge};
  ImpactProblem problem{make_matrix(W, 2), Eigen::Vector4d(-1, 0.3, -1, 0.3), {contact, contact}};
  VecX r;
  ASSERT_TRUE(process.solve(problem, r).converged);
  // Slip of 0.3 stops after a normal impulse of 0.6; u_n+ = 0.5.
  EXPECT_NEAR(r[0], 0.75, 1e-9);
  EXPECT_NEAR(r[2], 0.75, 1e-9);
  EXPECT_NEAR(r[1], -0.15, 1e-9);
  EXPECT_NEAR(r[3], -0.15, 1e-9);
}

// Points of bodies that turn about a fixed point, W = X J^-1 X' of rank 2: where the slip stops, the point stops, and
// no impulse moves it any more. Impulses are finite, nothing closes, and no energy comes out of nothing.
TEST(ImpactProcess, StopsPointsOfBodiesAboutAFixedPoint) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const auto make = [&] { return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
    const Vec3 arm = make(), w = make();
    Mat3 X;
    X << 0, arm[2], -arm[1], -arm[2], 0, arm[0], arm[1], -arm[0], 0;
    const Vec3 inertia(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const MatX W = X * inertia.cwiseInverse().asDiagonal() * X.transpose();
    const VecX u = X * w;
    if (u[0] >= 0) continue;
    const double mu = random.uniform(0, 2), e = random.uniform(0, 1);
    const VecX r = solve_one(W, u, {.mu = mu, .restitution = e, .hypothesis = stronge});
    ASSERT_TRUE(r.allFinite()) << i;
    const VecX u_end = u + W * r;
    EXPECT_GE(u_end[0], -1e-6 * u.norm()) << i;
    EXPECT_LE(r.dot(u + u_end), 1e-9 * u.norm() * r.norm()) << i;
  }
}

}  // namespace
}  // namespace stiction
