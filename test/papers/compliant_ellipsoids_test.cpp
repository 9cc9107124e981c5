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

// contact-kinematics-2003, Fig. 5, the order of events: grey hits the floor; black hits grey, which is pressed further
// in; they roll over each other; black reaches the floor; they part. And points that are followed are those of the
// solver.
TEST(TwoEllipsoids, OrderOfEventsAndFollowedPoints) {
  const RunResult run = run_example("two_ellipsoids");
  const auto first = [&](const char* kind, const char* name) {
    const auto found = std::find_if(run.events.begin(), run.events.end(),
                                    [&](const StepEvent& e) { return e.kind == kind && e.name == name; });
    return found == run.events.end() ? NAN : found->t;
  };
  double parted = 0;
  for (const StepEvent& event : run.events)
    if (event.kind == "release" && event.name == "grey/black") parted = event.t;
  const double b = first("impact", "floor/grey"), hit = first("impact", "grey/black"),
               e = first("impact", "floor/black");
  // Free fall of 0.1 m.
  EXPECT_NEAR(b, std::sqrt(2 * 0.1 / earth_gravity), 1e-9);
  EXPECT_LT(b, hit);
  EXPECT_LT(hit, first("release", "floor/grey"));
  EXPECT_LT(hit, parted);
  EXPECT_LT(parted, e);
  // Pressed in deeper by black than it was by its own fall.
  double alone = 0, pressed = 0;
  for (const ContactSample& sample : run.contacts) {
    if (sample.contact.shape_a != 0 || sample.contact.shape_b != 1) continue;
    double& deepest = sample.t < hit ? alone : pressed;
    deepest = std::max(deepest, -sample.contact.gap);
  }
  EXPECT_GT(pressed, alone);
  // In the end they move away from each other.
  const double x = run.signal("black.position.x").back() - run.signal("grey.position.x").back();
  EXPECT_GT(x, 1);
  // The exact solver in every evaluation instead: the same motion to the tolerance of the integrator (1e-8 a step),
  // which impacts amplify.
  const RunResult exact = run_example("two_ellipsoids", {"contact.default.points=exact", "time.duration=0.8"});
  const RunResult followed = run_example("two_ellipsoids", {"time.duration=0.8"});
  for (const char* name : {"grey.position.z", "black.position.x", "black.position.z"})
    EXPECT_NEAR(exact.signal(name).back(), followed.signal(name).back(), 1e-6) << name;
}

}  // namespace
}  // namespace stiction
