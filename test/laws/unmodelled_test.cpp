// What a scene has and the method leaves out is never called trustworthy.
#include <gtest/gtest.h>

#include "stiction/base/fault.h"

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_text;

const std::string ball_over_floor = R"(
world.gravity = [0, 0, -9.81]
time = { duration = 1, step = 1e-3 }
[body.floor]
fixed = true
shape = { type = "box", size = [2, 2, 0.1] }
[body.ball]
mass = 1
position = [0, 0, 0.3]
shape = { type = "sphere", radius = 0.1 }
)";

// A pair that can touch without a law is a fault, whatever the scene leaves out.
TEST(Unmodelled, ShapesThatCanTouchNeedAWordAboutContact) {
  EXPECT_THROW((void)run_text("silent", ball_over_floor), InputError);
  EXPECT_NO_THROW((void)run_text("smooth", "method.type = \"smooth\"" + ball_over_floor));
}

TEST(Unmodelled, ContactTablesThatDoNotActAreAReason) {
  const RunResult run =
      run_text("smooth", "method.type = \"smooth\"" + ball_over_floor + "[contact.default]\nfriction = 0.5\n");
  EXPECT_EQ(judge(run.summary, run.description).trust, Trust::look_closer) << test::describe_verdict(run);
}

// A soft ball falls through a plate of its own radius: m g (0.3 + 0.1) = 3.9 J, and the law holds 2/5 k d^(5/2) with
// d = 0.15 m where it passes the middle of the plate: 0.035 J.
TEST(Unmodelled, ASoftBallThatPassesAPlateIsNotTrusted) {
  const auto fall = [](double stiffness) {
    return run_text("soft", "method = { type = \"compliant\", integrator = \"dormand_prince\" }" + ball_over_floor +
                                "[contact.default]\nfriction = 0\nnormal = { law = \"hertz\", stiffness = " +
                                std::to_string(stiffness) + ", restitution = 0.5 }\n");
  };
  const RunResult through = fall(10), above = fall(1e6);
  EXPECT_LT(through.signal("ball.position.z").back(), -1);
  EXPECT_EQ(judge(through.summary, through.description).trust, Trust::do_not_trust) << test::describe_verdict(through);
  EXPECT_GT(above.signal("ball.position.z").back(), 0.1);
  EXPECT_EQ(judge(above.summary, above.description).trust, Trust::trustworthy) << test::describe_verdict(above);
}

}  // namespace
}  // namespace stiction
