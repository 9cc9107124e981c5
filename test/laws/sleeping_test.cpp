// Sleeping of bodies at rest (stepping/rigid/sleeping.h): who falls asleep, when, and what is told of sleepers.
#include <gtest/gtest.h>

#include <numbers>

#include "laws/sleeping_scenes.h"

namespace stiction {
namespace {

using test::calc_contact_force;
using test::list_moments;
using test::make_sleeping_ball;
using test::make_sleeping_box;
using test::make_sleeping_scene;
using test::max_abs;
using test::sleeping_gravity;
using test::sleeping_stack;
using test::sleeping_step;

class SleepingInEveryFormulation : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Formulations, SleepingInEveryFormulation,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"));

// A body is seen at rest at the end of the first step, and sleeps 0.1 s later.
TEST_P(SleepingInEveryFormulation, ABoxAtRestSleepsInTimeAndStaysWhereItIs) {
  const std::string turned = "mass = 1\norientation = { axis = [0, 0, 1], angle = 0.7 }\n";
  const RunResult run =
      test::run_text("rest", make_sleeping_scene(make_sleeping_box("box", "[0, 0, 0.05]", turned), GetParam()));
  ASSERT_EQ(list_moments(run, "sleep").count("box"), 1u);
  const double moment = list_moments(run, "sleep")["box"];
  EXPECT_NEAR(moment, sleeping_step + 0.1, 1e-12);
  EXPECT_TRUE(list_moments(run, "wake").empty());
  const std::size_t first = static_cast<std::size_t>(std::lround(moment / sleeping_step));
  for (const char* name : {"box.position.x", "box.position.y", "box.position.z", "box.orientation.w",
                           "box.orientation.x", "box.orientation.y", "box.orientation.z"}) {
    const auto& signal = run.signal(name);
    for (std::size_t i = first; i < signal.size(); ++i) EXPECT_EQ(signal[i], signal[first]) << name;
  }
  for (const char* name : {"box.velocity.x", "box.velocity.z", "box.angular_velocity.y"}) {
    const auto& signal = run.signal(name);
    for (std::size_t i = first; i < signal.size(); ++i) EXPECT_EQ(signal[i], 0.0) << name;
  }
  // Nothing is left to be solved.
  for (std::size_t i = first + 1; i < run.times.size(); ++i) {
    EXPECT_EQ(run.signal("audit.asleep")[i], 1);
    EXPECT_EQ(run.signal("audit.iterations")[i], 0);
    EXPECT_EQ(run.signal("audit.contacts")[i], 0);
  }
}

// It comes to rest after v / (mu g) = 0.0408 s: seen at 0.042 s, or a step earlier or later where friction acts by
// whole steps.
TEST_P(SleepingInEveryFormulation, TheClockStartsWhenABoxHasComeToRest) {
  const RunResult run = test::run_text(
      "slide",
      make_sleeping_scene(make_sleeping_box("box", "[0, 0, 0.05]", "mass = 1\nvelocity = [0.2, 0, 0]\n"), GetParam()));
  ASSERT_EQ(list_moments(run, "sleep").count("box"), 1u);
  EXPECT_NEAR(list_moments(run, "sleep")["box"],
              std::ceil(0.2 / (0.5 * sleeping_gravity) / sleeping_step) * sleeping_step + 0.1, 1.01 * sleeping_step);
}

// Statics: on each box its own weight. The last step before balanced it to what the solver left, some 1e-10 N s a step.
TEST_P(SleepingInEveryFormulation, TheForcesOnSleepersAreTheirWeight) {
  const std::string table = "[contact.\"low/floor\"]\nfriction = 0.5\nrestitution = 0\n";
  const RunResult run = test::run_text("stack", make_sleeping_scene(sleeping_stack + table, GetParam()));
  EXPECT_EQ(run.signal("audit.asleep").back(), 3);
  const std::map<std::string, double> masses = {{"low", 3}, {"middle", 2}, {"top", 1}};
  for (const auto& [body, mass] : masses)
    EXPECT_LT((calc_contact_force(run, body, run.times.back()) - Vec3(0, 0, mass * sleeping_gravity)).norm(), 1e-7)
        << body;
  EXPECT_NEAR(run.signal("contact.low/floor.force").back(), 6 * sleeping_gravity, 1e-7);
}

// Who leans on what moves, or may move by other forces than gravity and contact, stays awake.
TEST(Sleeping, NobodySleepsOnWhatIsDriven) {
  const std::string belt =
      "[body.belt]\nfixed = true\nposition = [1, 0, 0.5]\n"
      "shape = { type = \"box\", size = [1, 1, 0.1], surface_velocity = [1e-6, 0, 0] }\n";
  const std::string table =
      "[body.table]\nshape = { type = \"box\", size = [1, 1, 0.1] }\nmotion = { position = { start = [1, 0, 0.5] } }\n"
      "[contact.\"table/floor\"]\ntouch = false\n";
  const std::string hinged =
      "[body.table]\nmass = 1\nposition = [1, 0, 0.5]\nshape = { type = \"box\", size = [1, 1, 0.1] }\n"
      "[joint.hinge]\ntype = \"revolute\"\nchild = \"table\"\nat = [1, 0, 0.5]\naxis = [0, 0, 1]\n"
      "[contact.\"table/floor\"]\ntouch = false\n";
  const std::string pulled = "[force.pull]\nbody = \"box\"\nforce = [0.1, 0, 0]\n";
  const std::string box = make_sleeping_box("box", "[1, 0, 0.6]"), other = make_sleeping_box("other", "[-1, 0, 0.05]");
  for (const std::string& bodies :
       {belt + box, table + box, hinged + box, make_sleeping_box("box", "[1, 0, 0.05]") + pulled}) {
    const RunResult run = test::run_text("driven", make_sleeping_scene(bodies + other));
    EXPECT_LT(max_abs(run.signal("box.velocity.z")), 1e-9) << bodies;
    EXPECT_EQ(list_moments(run, "sleep").count("box"), 0u) << bodies;
    EXPECT_EQ(list_moments(run, "sleep").count("other"), 1u) << bodies;
  }
}

// Slip is no rest, however slow; a ball that rolls at 5e-5 m/s turns at 1e-3 rad/s, and with a size of sqrt(3) r its
// fastest point is taken to do 1.4e-4 m/s, more than 1e-4.
TEST(Sleeping, SlowMotionIsNoRest) {
  const RunResult sliding = test::run_text(
      "slow", make_sleeping_scene(make_sleeping_box("box", "[0, 0, 0.05]", "mass = 1\nvelocity = [5e-5, 0, 0]\n") +
                                  "[contact.\"box/floor\"]\nfriction = 0\nrestitution = 0\n"));
  EXPECT_TRUE(list_moments(sliding, "sleep").empty());
  EXPECT_NEAR(sliding.signal("box.position.x").back(), 5e-5 * 0.5, 1e-12);
  const RunResult rolling = test::run_text(
      "slow", make_sleeping_scene(make_sleeping_ball(
                  "[0, 0, 0.05]", "mass = 1\nvelocity = [5e-5, 0, 0]\nangular_velocity = [0, 1e-3, 0]\n")));
  EXPECT_TRUE(list_moments(rolling, "sleep").empty());
  EXPECT_NEAR(rolling.signal("ball.position.x").back(), 5e-5 * 0.5, 1e-12);
}

// A body that floats, or is thrown up and turns, does not lean on anything: with a delay of one step, too.
TEST(Sleeping, WhatLeansOnNothingStaysAwake) {
  const RunResult run = test::run_text(
      "flight", make_sleeping_scene(make_sleeping_ball("[0, 0, 0.5]", "mass = 1\nvelocity = [0, 0, 0.981]\n"), "cone",
                                    "sleep = 0.002\nsleep_speed = 10"));
  const std::map<std::string, double> sleep = list_moments(run, "sleep");
  // Down from 0.549 m to 0.05 m at sqrt(2 * 0.499 / g) + 0.1 s
  ASSERT_EQ(sleep.count("ball"), 1u);
  EXPECT_GT(sleep.at("ball"), 0.1 + std::sqrt(2 * (0.45 + 0.981 * 0.981 / (2 * sleeping_gravity)) / sleeping_gravity));
}

// The kinetic energy that is left at falling asleep, m v^2 / 2 and I w^2 / 2, goes to stabilisation, and the ledger
// closes.
TEST(Sleeping, TheEnergyThatIsTakenIsBooked) {
  const double v = 2e-3, w = v / 0.05, inertia = 0.4 * 0.05 * 0.05;
  const RunResult run = test::run_text(
      "booked",
      make_sleeping_scene(
          make_sleeping_ball("[0, 0, 0.05]", "mass = 1\nvelocity = [2e-3, 0, 0]\nangular_velocity = [0, 0.04, 0]\n"),
          "cone", "sleep = 0.1\nsleep_speed = 0.01"));
  EXPECT_EQ(run.signal("audit.asleep").back(), 1);
  EXPECT_NEAR(run.signal("energy.stabilisation").back(), -0.5 * v * v - 0.5 * inertia * w * w, 1e-15);
  EXPECT_LT(max_abs(run.signal("energy.residual")), 1e-14);
}

// Who waits for sleep in vain is not disturbed by waiting.
TEST(Sleeping, WithoutSleepersNothingChanges) {
  for (const char* example : {"tower", "card_house", "conveyor", "grasp"}) {
    const RunResult off = test::run_example(example, {"time.duration=0.2"});
    const RunResult on = test::run_example(example, {"time.duration=0.2", "method.sleep=1000"});
    // All but the clocks.
    EXPECT_EQ(off.final_state.q, on.final_state.q) << example;
    EXPECT_EQ(off.final_state.v, on.final_state.v) << example;
    EXPECT_EQ(off.final_state.z, on.final_state.z) << example;
    EXPECT_EQ(off.signal("audit.asleep").back(), 0);
  }
}

// 45 bodies of 65 and 27 g in a bin of 18 cm: they come to rest but for balls that spin for ever, at less than 100
// mm/s, and sleep; then nothing is solved, and the bin bears them.
TEST(Sleeping, AHeapFallsAsleep) {
  const RunResult run =
      test::run_example("pile", {"time.duration=4", "method.sleep=0.2", "method.sleep_speed=0.1",
                                 "body.ball.copies={count=[3,3,4], spacing=[0.06,0.06,0.06], jitter=0.004}",
                                 "body.cube.copies={count=[3,3,1], spacing=[0.06,0.06,0.06], jitter=0.002}",
                                 "body.cube.position=[0.03,0.03,0.28]", "body.bin.shape.right.offset=-0.18",
                                 "body.bin.shape.back.offset=-0.18"});
  EXPECT_EQ(run.signal("audit.asleep").back(), 45);
  EXPECT_EQ(run.signal("audit.iterations").back(), 0);
  EXPECT_EQ(run.signal("energy.kinetic").back(), 0);
  const auto& asleep = run.signal("audit.asleep");
  const auto all = static_cast<std::size_t>(std::find(asleep.begin(), asleep.end(), 45) - asleep.begin());
  ASSERT_LT(all + 50, asleep.size());
  for (const SignalInfo& info : run.signals) {
    if (info.name.find(".position.") == std::string::npos && info.name.find(".orientation.") == std::string::npos)
      continue;
    EXPECT_EQ(run.signal(info.name)[all], run.signal(info.name).back()) << info.name;
  }
  const double mass = 1000 * (36 * 4.0 / 3 * std::numbers::pi * std::pow(0.025, 3) + 9 * std::pow(0.03, 3));
  double bin = 0, deepest = 0;
  for (const ContactSample& sample : run.contacts) {
    if (sample.t != run.times.back()) continue;
    const std::string& shape = run.contact_shapes[static_cast<std::size_t>(sample.contact.shape_a)];
    if (shape.find("bin") == 0) bin += sample.contact.impulse.z() / 0.005;
    deepest = std::max(deepest, -sample.contact.gap);
  }
  EXPECT_NEAR(bin, mass * sleeping_gravity, 1e-3 * mass * sleeping_gravity);
  // Overlaps of sleepers count.
  EXPECT_GT(deepest, 0);
  EXPECT_EQ(run.signal("audit.penetration").back(), deepest);
}

}  // namespace
}  // namespace stiction
