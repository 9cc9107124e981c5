// Spatial springs and followed points, against contact-kinematics-2003, sections 5 and 6.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/compliant.h"
#include "support/examples.h"

namespace stiction {
namespace {

using test::degree;
using test::earth_gravity;
using test::run_example;

/// Of a run of two_ellipsoids: when a pair first comes to touch, or first parts.
double find_first(const RunResult& run, const char* kind, const char* pair) {
  const auto found = std::find_if(run.events.begin(), run.events.end(),
                                  [&](const StepEvent& e) { return e.kind == kind && e.name == pair; });
  return found == run.events.end() ? NAN : found->t;
}

// Figs 5 and 6, the order of events: (b) grey hits the floor; black hits grey, which is pressed further in; (c) they
// roll over each other; (d), (e) black reaches the floor; (f) only then they part, and both roll away.
TEST(TwoEllipsoids, OrderOfEvents) {
  const RunResult run = run_example("two_ellipsoids");
  const double b = find_first(run, "impact", "floor/grey"), hit = find_first(run, "impact", "grey/black"),
               e = find_first(run, "impact", "floor/black"), f = find_first(run, "release", "grey/black");
  // Free fall of 0.1 m.
  EXPECT_NEAR(b, std::sqrt(2 * 0.1 / earth_gravity), 1e-9);
  EXPECT_LT(b, hit);
  EXPECT_LT(hit, e);
  EXPECT_LT(e, f);
  // Black lay on grey from (b) to (f), and left it once; grey never left the floor.
  EXPECT_EQ(std::count_if(run.events.begin(), run.events.end(), [](const auto& x) { return x.kind == "release"; }), 1);
  // Pressed in deeper by black than it was by its own fall.
  double alone = 0, pressed = 0;
  const auto& grey = run.signal("contact.floor/grey.gap");
  for (std::size_t i = 0; i < grey.size(); ++i) {
    double& deepest = run.times[i] < hit ? alone : pressed;
    deepest = std::max(deepest, -grey[i]);
  }
  EXPECT_GT(alone, 0);
  EXPECT_GT(pressed, alone);
  // Right above each other at the start, and away to both sides in the end: black by more than its own length, grey by
  // more than its own width.
  EXPECT_LT(run.signal("black.position.x").back(), -0.6);
  EXPECT_GT(run.signal("grey.position.x").back(), 0.24);
}

// Fig. 5, the distances over time.
TEST(TwoEllipsoids, DistancesOverTime) {
  const RunResult run = run_example("two_ellipsoids");
  const auto &grey = run.signal("contact.floor/grey.gap"), &black = run.signal("contact.floor/black.gap"),
             &between = run.signal("contact.grey/black.gap");
  // Closed form at the start: 0.22 - 0.12, and 0.604 - |S R' z| with semi-axes S. R' z is z turned by -20 degrees about
  // the unit axis a = (0.3, 1, 0): z cos - (a x z) sin.
  const double c = std::cos(20 * degree), s = std::sin(20 * degree), n = std::hypot(0.3, 1.0);
  EXPECT_NEAR(grey[0], 0.1, 1e-12);
  EXPECT_NEAR(black[0], 0.604 - Vec3(0.3 * -s * 1 / n, 0.25 * s * 0.3 / n, 0.2 * c).norm(), 1e-12);
  EXPECT_GT(black[0], grey[0]);  // the paper: the largest is that between black and the ground
  EXPECT_GT(black[0], between[0]);
  EXPECT_GT(between[0], 0);
  // Free fall to (b): to the integrator's tolerance, 1e-8 a step.
  const double b = find_first(run, "impact", "floor/grey");
  for (std::size_t i = 0; run.times[i] < b; ++i) {
    const double fallen = 0.5 * earth_gravity * run.times[i] * run.times[i];
    EXPECT_NEAR(grey[i], grey[0] - fallen, 1e-8);
    EXPECT_NEAR(black[i], black[0] - fallen, 1e-8);
    EXPECT_NEAR(between[i], between[0], 1e-8);
  }
  // Every distance is below 0 while its pair touches, and above 0 else.
  const auto check_signs = [&](const std::vector<double>& gap, const char* pair) {
    const double from = find_first(run, "impact", pair), to = find_first(run, "release", pair);
    for (std::size_t i = 0; i < gap.size(); ++i) {
      const bool touches = run.times[i] > from && !(run.times[i] > to);
      EXPECT_EQ(gap[i] < 0, touches) << pair << " at " << run.times[i];
    }
  };
  check_signs(grey, "floor/grey");
  check_signs(black, "floor/black");
  check_signs(between, "grey/black");
  // (f): the distance grows to more than 1 m.
  EXPECT_GT(between.back(), 1);
}

// Points that are followed are those of the exact solver: the same motion to the tolerance of the integrator (1e-8 a
// step), which impacts amplify; and the depth at which the law sees them is the exact one.
TEST(TwoEllipsoids, FollowedPointsAreTheClosest) {
  const RunResult exact = run_example("two_ellipsoids", {"contact.default.points=exact", "time.duration=0.8"});
  const RunResult followed = run_example("two_ellipsoids", {"time.duration=0.8"});
  for (const char* name : {"grey.position.z", "black.position.x", "black.position.z"})
    EXPECT_NEAR(exact.signal(name).back(), followed.signal(name).back(), 1e-6) << name;
  const auto& between = followed.signal("contact.grey/black.gap");
  int seen = 0;
  for (const ContactSample& sample : followed.contacts) {
    if (sample.contact.shape_a != 1 || sample.contact.shape_b != 2) continue;
    const auto at = std::lower_bound(followed.times.begin(), followed.times.end(), sample.t - 1e-9);
    EXPECT_NEAR(between[static_cast<std::size_t>(at - followed.times.begin())], sample.contact.gap, 1e-10);
    ++seen;
  }
  EXPECT_GT(seen, 100);
}

// Section 5: pure rolling does not charge the spring, sliding does. Two balls on parallel axles, pressed into each
// other by 1 mm, turn against each other like gears: their surfaces have one velocity in the average tangent plane,
// half the depth below either surface.
TEST(SpatialSpring, IsChargedBySlidingNotByRolling) {
  const auto run_with = [](double left, double right) {
    return test::run_text(fmt::format("gears_{}_{}", left, right), fmt::format(R"(
[time]
duration = 10
step = 1e-3
output = 1e-2
[method]
type = "compliant"
integrator = "dormand_prince"
[body.left]
mass = 1
shape = {{ type = "sphere", radius = 0.1 }}
[body.right]
mass = 1
shape = {{ type = "sphere", radius = 0.2 }}
[joint.a]
type = "revolute"
child = "left"
axis = [0, 0, 1]
velocity = {}
[joint.b]
type = "revolute"
child = "right"
axis = [0, 0, 1]
at = [0.299, 0, 0]
velocity = {}
[contact."left/right"]
normal = {{ law = "linear", stiffness = 1e4 }}
friction = {{ law = "spring", kinetic = 0.5, stiffness = 1e4, damping = 10 }}
)",
                                                                               left, right));
  };
  // Rolling: w_1 (R_1 - x/2) = -w_2 (R_2 - x/2). Ten radians a second for ten seconds; nothing but rounding.
  const double w = 10, gear = (0.1 - 0.0005) / (0.2 - 0.0005);
  const RunResult rolls = run_with(w, -gear * w);
  EXPECT_LT(test::max_abs(rolls.signal("contact.left/right.friction")), 1e-9);
  EXPECT_NEAR(rolls.signal("a.velocity").back(), w, 1e-12);
  EXPECT_NEAR(rolls.signal("b.velocity").back(), -gear * w, 1e-12);
  // The stored energy is that of the normal spring alone, k x^2 / 2 = 5e-3 J.
  EXPECT_NEAR(rolls.signal("energy.stored").back(), 5e-3, 1e-12);
  // One of them faster by 0.01 rad/s: slip u = 0.01 (R_1 - x/2) charges the spring, an oscillator with the mass m seen
  // at the contact: d'' m + c d' + k d = 0, d(0) = 0, d'(0) = u; f = k d + c d'. To 1e-3 of its largest, k u / omega.
  const double r1 = 0.1 - 0.0005, r2 = 0.2 - 0.0005, u = 0.01 * r1, k = 1e4, c = 10;
  const double m = 1 / (r1 * r1 / (0.4 * 0.01) + r2 * r2 / (0.4 * 0.04));
  const double rate = c / (2 * m), omega = std::sqrt(k / m - rate * rate);
  const RunResult slides = run_with(w + 0.01, -gear * w);
  const auto& friction = slides.signal("contact.left/right.friction");
  for (std::size_t i = 1; i < 20; ++i) {
    const double t = slides.times[i], fade = std::exp(-rate * t);
    const double d = u / omega * fade * std::sin(omega * t);
    const double d_rate = u * fade * (std::cos(omega * t) - rate / omega * std::sin(omega * t));
    EXPECT_NEAR(friction[i], std::abs(k * d + c * d_rate), 1e-3 * k * u / omega) << t;
  }
}

}  // namespace
}  // namespace stiction
