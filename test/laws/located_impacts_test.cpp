// What it costs to locate impacts where many bodies hit one another, and what becomes of those too slow to be located.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_text;

/// Twelve boxes, no two of them turned alike, fall into a bin 0.26 m wide.
std::string describe_boxes(double restitution) {
  std::string text = fmt::format(
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.25\nstep = 0.001\noutput = 0.001\n[method]\n"
      "type = \"cone\"\n[contact.default]\nfriction = 0.5\nrestitution = {}\n[body.bin]\nfixed = true\n"
      "[body.bin.shape.floor]\ntype = \"halfspace\"\nnormal = [0, 0, 1]\n",
      restitution);
  const char* walls[] = {"[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]"};
  for (int i = 0; i < 4; ++i)
    text += fmt::format("[body.bin.shape.wall{}]\ntype = \"halfspace\"\nnormal = {}\noffset = -0.13\n", i, walls[i]);
  for (int i = 0; i < 12; ++i) {
    text += fmt::format(
        "[body.box{}]\ndensity = 1000\nposition = [{}, {}, {}]\nvelocity = [{}, {}, -0.5]\n"
        "orientation = {{ axis = [{}, {}, 1], angle = \"{} deg\" }}\n"
        "shape = {{ type = \"box\", size = [0.08, 0.06, 0.05] }}\n",
        i, i % 2 == 0 ? -0.06 : 0.06, i / 2 % 2 == 0 ? -0.06 : 0.06, 0.07 + 0.12 * (i / 4), 0.3 * std::sin(i),
        0.3 * std::cos(i), std::sin(2 * i), std::cos(3 * i), 15 * i);
  }
  return text;
}

// A moment of impact takes the step that shows it, the step up to it, and now and then another where forces act on the
// bodies meanwhile: some 2, fewer than 3. None of that feeds energy, beyond what it takes to lift a box of 0.24 kg out
// of an overlap, which is 1e-6 m deep: 2.4e-6 J. Overlaps of up to 1e-4 of the size, half the
// diagonal of a box of 80 x 60 x 50 mm, are left.
TEST(LocatedImpacts, AMomentOfADozenBoxesTakesTwoOrThreeSteps) {
  for (const double restitution : {0.0, 0.5}) {
    const RunResult run = run_text("boxes", describe_boxes(restitution));
    ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    std::set<double> moments;
    for (const auto& event : run.events)
      if (event.kind == "impact") moments.insert(event.t);
    double trials = 0;
    for (const double evaluations : run.signal("audit.evaluations")) trials += evaluations;
    const double steps = 250;
    EXPECT_GT(moments.size(), 100u);  // or it is not the scene that this is about
    EXPECT_LT(trials, steps + 3 * static_cast<double>(moments.size())) << restitution;
    EXPECT_LT(run.summary.audit.at("penetration"), 1e-4 * 0.0559) << restitution;
    const auto& total = run.signal("energy.total");
    double worst = 0;
    for (std::size_t i = 1; i < total.size(); ++i) worst = std::max(worst, total[i] - total[i - 1]);
    EXPECT_LT(worst, 2.4e-6) << restitution;
  }
}

// A ball slides on a smooth floor at 4 mm/s, slower than h g / 2, towards a wall 1.1 mm away: it is hit at 0.275 s, and
// e = 0.5 leaves 2 mm/s. Such a moment is a step early at most: 4 um there, 2 um back.
TEST(LocatedImpacts, SlowOnesKeepTheirRestitutionAndAreAStepEarlyAtMost) {
  const double speed = 4e-3, h = 1e-3;
  for (const double e : {0.0, 0.5}) {
    const RunResult run = run_text(
        "slow",
        fmt::format("[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.5\nstep = {}\noutput = {}\n[method]\n"
                    "type = \"cone\"\n[body.floor]\nfixed = true\nshape = {{ type = \"halfspace\", normal = [0, 0, 1] "
                    "}}\n[body.wall]\nfixed = true\nshape = {{ type = \"halfspace\", normal = [1, 0, 0] }}\n"
                    "[body.ball]\nmass = 1\nposition = [0.0511, 0, 0.05]\nvelocity = [-{}, 0, 0]\nshape = {{ type = "
                    "\"sphere\", radius = 0.05 }}\n[contact.\"ball/floor\"]\nfriction = 0\nrestitution = 0\n"
                    "[contact.\"ball/wall\"]\nfriction = 0\nrestitution = {}\n",
                    h, h, speed, e));
    const auto& x = run.signal("ball.position.x");
    for (const double place : x) EXPECT_GT(place, 0.05 - 1e-12);
    EXPECT_NEAR(run.signal("ball.velocity.x").back(), e * speed, 1e-12);
    const double moment = 0.0011 / speed;
    EXPECT_NEAR(x.back(), 0.05 + e * speed * (0.5 - moment), (1 + e) * speed * h + 1e-9) << e;  // 1e-9 m is closed
  }
}

}  // namespace
}  // namespace stiction
