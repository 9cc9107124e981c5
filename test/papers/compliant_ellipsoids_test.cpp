// Two ellipsoids, against contact-kinematics-2003, section 6.
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

}  // namespace
}  // namespace stiction
