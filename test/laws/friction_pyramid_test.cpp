// A block that slides on a floor under the friction of a pyramid, against the closed form of its path.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double friction = 0.5, gravity = 9.81, step = 1e-3;
const Eigen::Vector2d start(2, 1);  // [m/s]

Vec3 slide(const std::string& method, int directions) {
  const RunResult run = test::run_text("pyramid_" + method,
                                       fmt::format(R"(
[world]
gravity = [0, 0, -{}]
[time]
duration = 1
step = {}
output = 1
[method]
type = "{}"
directions = {}
[contact.default]
friction = {}
[body.floor]
fixed = true
shape = {{ type = "halfspace", normal = [0, 0, 1] }}
[body.block]
mass = 1
inertia = [1e6, 1e6, 1e6]
position = [0, 0, 0.1]
velocity = [{}, {}, 0]
shape = {{ type = "sphere", radius = 0.1 }}
)",
                                                   gravity, step, method, directions, friction, start.x(), start.y()));
  EXPECT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  return {run.signal("block.position.x").back(), run.signal("block.position.y").back(), 0};
}

/// Edges at the angles 2 pi k / n. The force that dissipates most is mu N against the edge d nearest to the slip. It
/// leaves the slip across d as it is, until the slip lies midway between two edges, pi / n off d; there both edges take
/// part, and the force is mu N cos(pi / n) against the slip.
Vec3 calc_end(int directions) {
  const double spacing = 2 * std::numbers::pi / directions, half = 0.5 * spacing;
  const double nearest = spacing * std::round(std::atan2(start.y(), start.x()) / spacing);
  const Eigen::Vector2d along(std::cos(nearest), std::sin(nearest));
  Eigen::Vector2d across(-along.y(), along.x());
  if (start.dot(across) < 0) across = -across;
  const double v = start.dot(along), w = start.dot(across), a = friction * gravity;
  const double turned = w / std::tan(half), time = (v - turned) / a;
  Eigen::Vector2d end = 0.5 * (v + turned) * time * along + w * time * across;
  end += 0.5 * (turned * turned + w * w) / (a * std::cos(half)) * (std::cos(half) * along + std::sin(half) * across);
  return {end.x(), end.y(), 0};
}

// Velocities at the ends of steps: a path of implicit Euler, up to h v / 2 short; the step in which the force turns
// adds up to h^2 mu g.
constexpr double step_error(double speed) {
  return 0.5 * step * speed + step * step * friction * gravity;
}

TEST(FrictionPyramid, DecidesTheWayOfASlide) {
  const double length = start.squaredNorm() / (2 * friction * gravity);
  const Eigen::Vector2d exact = length * start.normalized();
  for (const int directions : {4, 8, 16, 32}) {
    const Vec3 end = calc_end(directions);
    EXPECT_LT((slide("berard", directions) - end).norm(), step_error(start.norm())) << directions;
    // Off by pi / (4 n) of the way at most, for many edges (docs/contact.md); by 1.18 times that with 8.
    if (directions < 8) continue;
    EXPECT_LT((end.head<2>() - exact).norm(), 1.18 * std::numbers::pi / (4 * directions) * length) << directions;
  }
  EXPECT_LT((slide("stewart_trinkle", 8) - calc_end(8)).norm(), step_error(start.norm()));
  EXPECT_LT((slide("anitescu_potra", 8) - calc_end(8)).norm(), step_error(start.norm()));
  // The exact cone: straight on. By midpoints, but for the step in which the block stops.
  EXPECT_LT((slide("cone", 8).head<2>() - exact).norm(), step * step * friction * gravity);
}

}  // namespace
}  // namespace stiction
