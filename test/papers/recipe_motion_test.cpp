// cooking-complementarity-2006, sections 4.2 to 4.6, against the motion itself: Lagrange's equations of a block that
// slides along the floor with a pendulum, integrated here with rk4. The block stays on the floor, so that its phases
// are known: it slides freely (4.2), sticks (4.3), is pushed from 0.5 s on (4.4), or slides on the belt until it moves
// with it, and then is pushed against it (4.5, 4.6). Positions at 2 s come out to the first order of the scheme.
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace recipe_motion {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector4d;

constexpr double g = 9.81, mu = 0.5, belt = -0.2, pushing = 0.1, gap_at_start = 0.05;

/// x of the block, then the angles of both rods from the vertical (4.2-4.5), or the angle of the rod and the place of
/// the particle (4.6), height counted from the block's centre.
struct Phase {
  Vector4d q, v;
};

/// How the block moves along the floor.
enum class Block { friction_to_the_left, smooth, steady };

/// M q'' = Q, friction -mu N on the block, N from the vertical motion of all.
Vector4d calc_acceleration(const Phase& p, Block block, bool full) {
  Matrix4d M = Matrix4d::Identity();
  Vector4d Q = Vector4d::Zero();
  const double a = p.q[1], da = p.v[1], ca = std::cos(a), sa = std::sin(a);
  Eigen::RowVector4d N = Eigen::RowVector4d::Zero();  // N = N . q'' + N0
  double N0 = 0;
  if (full) {
    // Rod of 1 kg, block of 5 kg; spring and damper from the rod's end P to the particle of 0.5 kg.
    const double px = p.q[0] + sa, py = -ca, pvx = p.v[0] + ca * da, pvy = sa * da;
    const double dx = p.q[2] - px, dy = p.q[3] - py, length = std::hypot(dx, dy), pull = 100 * (length - 0.5) / length;
    const double fx = -pull * dx - (p.v[2] - pvx), fy = -pull * dy - (p.v[3] - pvy);  // on the particle
    M(0, 0) = 6, M(0, 1) = M(1, 0) = 0.5 * ca, M(1, 1) = 1.0 / 3;
    M(2, 2) = M(3, 3) = 0.5;
    Q << 0.5 * sa * da * da - fx, -0.5 * g * sa - (fx * ca + fy * sa), fx, fy - 0.5 * g;
    N[1] = 0.5 * sa;
    N0 = 6 * g + 0.5 * ca * da * da + fy;
  } else {
    const double b = p.q[2], db = p.v[2], cb = std::cos(b), sb = std::sin(b), c = std::cos(a - b), s = std::sin(a - b);
    M(0, 0) = 7, M(0, 1) = M(1, 0) = 1.5 * ca, M(0, 2) = M(2, 0) = 0.5 * cb;
    M(1, 1) = 4.0 / 3, M(1, 2) = M(2, 1) = 0.5 * c, M(2, 2) = 1.0 / 3;
    Q << 1.5 * sa * da * da + 0.5 * sb * db * db, -0.5 * s * db * db - 1.5 * g * sa, 0.5 * s * da * da - 0.5 * g * sb,
        0;
    N[1] = 1.5 * sa, N[2] = 0.5 * sb;
    N0 = 7 * g + 1.5 * ca * da * da + 0.5 * cb * db * db;
  }
  if (block == Block::friction_to_the_left) M.row(0) += mu * N, Q[0] -= mu * N0;
  if (block == Block::steady) M.row(0) = Vector4d::Unit(0).transpose(), Q[0] = 0;
  return M.partialPivLu().solve(Q);
}

Phase advance(const Phase& p, double h, Block block, bool full) {
  const auto move = [](const Phase& x, const Vector4d& dq, const Vector4d& dv, double s) {
    return Phase{x.q + s * dq, x.v + s * dv};
  };
  const Vector4d v1 = p.v, a1 = calc_acceleration(p, block, full);
  const Phase p2 = move(p, v1, a1, h / 2);
  const Vector4d v2 = p2.v, a2 = calc_acceleration(p2, block, full);
  const Phase p3 = move(p, v2, a2, h / 2);
  const Vector4d v3 = p3.v, a3 = calc_acceleration(p3, block, full);
  const Phase p4 = move(p, v3, a3, h);
  const Vector4d v4 = p4.v, a4 = calc_acceleration(p4, block, full);
  return move(p, v1 + 2 * v2 + 2 * v3 + v4, a1 + 2 * a2 + 2 * a3 + a4, h / 6);
}

/// A blow along the floor gives the block the velocity `end`: no impulse on the other coordinates.
void strike(Phase& p, double end, bool full) {
  const double dv = end - p.v[0];
  p.v[0] = end;
  const double ca = std::cos(p.q[1]);
  if (full) {
    p.v[1] -= 0.5 * ca * dv / (1.0 / 3);
    return;
  }
  const double cb = std::cos(p.q[2]), c = std::cos(p.q[1] - p.q[2]);
  Eigen::Matrix2d M;
  M << 4.0 / 3, 0.5 * c, 0.5 * c, 1.0 / 3;
  p.v.segment<2>(1) -= M.inverse() * Eigen::Vector2d(1.5 * ca, 0.5 * cb) * dv;
}

/// Until `t` reaches `end`, or `stops` changes its sign, which is found by halving the step.
template <class Stop>
void run_until(Phase& p, double& t, double end, Block block, bool full, Stop stops) {
  double h = 1e-4;
  while (t < end - 1e-12 && h > 1e-13) {
    const Phase next = advance(p, std::min(h, end - t), block, full);
    if (stops(next, t + std::min(h, end - t))) {
      h /= 2;
      continue;
    }
    t += std::min(h, end - t);
    p = next;
  }
}

Phase calc_motion(int example, double end) {
  constexpr double pi = 3.14159265358979323846;
  const bool full = example == 6;
  Phase p{Vector4d(0, pi / 3, 40 * pi / 180, 0), Vector4d::Zero()};
  if (full) p.q << 0, pi / 3, 0.8660254037844386, -1;
  double t = 0;
  const auto never = [](const Phase&, double) { return false; };
  const auto meets = [](const Phase& x, double time) { return x.q[0] + gap_at_start < pushing * time; };
  if (example == 2) return run_until(p, t, end, Block::smooth, full, never), p;
  if (example >= 5) {
    run_until(p, t, end, Block::friction_to_the_left, full, [](const Phase& x, double) { return x.v[0] < belt; });
    p.v[0] = belt;
  }
  if (example >= 4) {
    run_until(p, t, end, Block::steady, full, meets);
    strike(p, pushing, full);
  }
  run_until(p, t, end, Block::steady, full, never);
  return p;
}

class RecipeMotion : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(CookingComplementarity, RecipeMotion, testing::Range(2, 7));

TEST_P(RecipeMotion, ComesOutToFirstOrder) {
  const int example = GetParam();
  const Phase p = calc_motion(example, 2);
  const double a = p.q[1], b = p.q[2];
  const double x = example == 6 ? p.q[2] : p.q[0] + std::sin(a) + 0.5 * std::sin(b);
  const double y = 0.25 + (example == 6 ? p.q[3] : -std::cos(a) - 0.5 * std::cos(b));
  const std::string last = example == 6 ? "particle" : "b";
  const auto calc_error = [&](double step) {
    const RunResult run = test::run_example("recipe_4_" + std::to_string(example),
                                            {"time.duration=2", "time.output=2", "time.step=" + std::to_string(step)});
    EXPECT_NEAR(run.signal("block.position.x").back(), p.q[0], 2 * step) << step;
    return std::hypot(run.signal(last + ".position.x").back() - x, run.signal(last + ".position.y").back() - y);
  };
  const double coarse = calc_error(1e-3), fine = calc_error(2.5e-4);
  // 1.2 to 1.8 mm at 1 ms, and a quarter of that at a quarter of the step. (Matrices at q + h v are off by 7 to 11
  // times as much.)
  EXPECT_LT(coarse, 2e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
}

}  // namespace
}  // namespace recipe_motion
}  // namespace stiction
