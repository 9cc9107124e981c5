// Sleeping of bodies at rest (stepping/sleeping.h): when, who, how exactly, and that nothing else depends on it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>
#include <set>
#include <tuple>

#include "stiction/results/contact_samples.h"
#include "stiction/scene/compile.h"
#include "stiction/stepping/stepper.h"

#include "support/examples.h"

namespace stiction {
namespace {

using test::max_abs;

constexpr double g = 9.81, step = 0.002;

/// A floor, and what else `bodies` says; sleeping after 0.1 s.
std::string make_sleeping_scene(const std::string& bodies, const std::string& type = "cone",
                                const std::string& sleep = "sleep = 0.1") {
  return "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.5\nstep = 0.002\noutput = 0.002\n[method]\ntype = \"" +
         type + "\"\n" + sleep +
         "\n[contact.default]\nfriction = 0.5\nrestitution = 0\n"
         "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n" +
         bodies;
}
std::string make_box(const std::string& name, const std::string& position, const std::string& more = "mass = 1\n") {
  return "[body." + name + "]\nposition = " + position + "\nshape = { type = \"box\", size = [0.1, 0.1, 0.1] }\n" +
         more;
}
std::string make_ball(const std::string& position, const std::string& more = "mass = 0.5\n") {
  return "[body.ball]\nposition = " + position + "\nshape = { type = \"sphere\", radius = 0.05 }\n" + more;
}
const std::string stack = make_box("low", "[0, 0, 0.05]", "mass = 3\n") +
                          make_box("middle", "[0, 0, 0.15]", "mass = 2\n") + make_box("top", "[0, 0, 0.25]");

/// Times of the events of that kind, by body; the last where there are several.
std::map<std::string, double> list_moments(const RunResult& run, const std::string& kind) {
  std::map<std::string, double> moments;
  for (const StepEvent& event : run.events) {
    if (event.kind == kind) moments[event.name] = event.t;
  }
  return moments;
}

/// The force on a body by its contacts at a sample, world axes.
Vec3 calc_contact_force(const RunResult& run, const std::string& body, double t) {
  Vec3 force = Vec3::Zero();
  for (const ContactSample& sample : run.contacts) {
    if (sample.t != t) continue;
    const auto is_body = [&](int shape) { return run.contact_shapes[static_cast<std::size_t>(shape)] == body; };
    if (is_body(sample.contact.shape_b)) force += sample.contact.impulse / step;
    if (is_body(sample.contact.shape_a)) force -= sample.contact.impulse / step;
  }
  return force;
}

class SleepingInEveryFormulation : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Formulations, SleepingInEveryFormulation,
                         testing::Values("cone", "stewart_trinkle", "anitescu_potra"));

// A body is seen at rest at the end of the first step, and sleeps 0.1 s later.
TEST_P(SleepingInEveryFormulation, ABoxAtRestSleepsInTimeAndStaysWhereItIs) {
  const std::string turned = "mass = 1\norientation = { axis = [0, 0, 1], angle = 0.7 }\n";
  const RunResult run =
      test::run_text("rest", make_sleeping_scene(make_box("box", "[0, 0, 0.05]", turned), GetParam()));
  ASSERT_EQ(list_moments(run, "sleep").count("box"), 1u);
  const double moment = list_moments(run, "sleep")["box"];
  EXPECT_NEAR(moment, step + 0.1, 1e-12);
  EXPECT_TRUE(list_moments(run, "wake").empty());
  const std::size_t first = static_cast<std::size_t>(std::lround(moment / step));
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
      "slide", make_sleeping_scene(make_box("box", "[0, 0, 0.05]", "mass = 1\nvelocity = [0.2, 0, 0]\n"), GetParam()));
  ASSERT_EQ(list_moments(run, "sleep").count("box"), 1u);
  EXPECT_NEAR(list_moments(run, "sleep")["box"], std::ceil(0.2 / (0.5 * g) / step) * step + 0.1, 1.01 * step);
}

// Statics: on each box its own weight. The last step before balanced it to what the solver left, some 1e-10 N s a step.
TEST_P(SleepingInEveryFormulation, TheForcesOnSleepersAreTheirWeight) {
  const std::string table = "[contact.\"low/floor\"]\nfriction = 0.5\nrestitution = 0\n";
  const RunResult run = test::run_text("stack", make_sleeping_scene(stack + table, GetParam()));
  EXPECT_EQ(run.signal("audit.asleep").back(), 3);
  const std::map<std::string, double> masses = {{"low", 3}, {"middle", 2}, {"top", 1}};
  for (const auto& [body, mass] : masses)
    EXPECT_LT((calc_contact_force(run, body, run.times.back()) - Vec3(0, 0, mass * g)).norm(), 1e-7) << body;
  EXPECT_NEAR(run.signal("contact.low/floor.force").back(), 6 * g, 1e-7);
}

/// The largest difference of any body's position between two runs.
double calc_largest_difference(const RunResult& run, const RunResult& other) {
  double largest = 0;
  for (const SignalInfo& info : run.signals) {
    if (info.name.find(".position.") == std::string::npos) continue;
    const auto &x = run.signal(info.name), &y = other.signal(info.name);
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  }
  return largest;
}

// The ball meets the top at sqrt(2 * 0.2 / g) = 0.2019 s, when all have slept for 0.1 s; it stays there, and all four
// fall asleep. The run without sleep solves the same problems from then on, from positions that differ by rounding; how
// forces are shared among the corners of a face is not determined, and decides nothing. What the solver leaves (1e-10
// of velocities of 1 m/s) adds up over 150 steps of 2 ms to less than 1e-9 m.
TEST_P(SleepingInEveryFormulation, AStackThatIsHitWakesAndMovesAsIfItHadNotSlept) {
  const std::string bodies = stack + make_ball("[0.02, 0.01, 0.55]");
  const RunResult run = test::run_text("hit", make_sleeping_scene(bodies, GetParam()));
  const RunResult awake = test::run_text("hit", make_sleeping_scene(bodies, GetParam(), ""));
  for (const char* body : {"low", "middle", "top"})
    EXPECT_NEAR(list_moments(run, "wake")[body], std::sqrt(2 * 0.2 / g), step) << body;
  EXPECT_LT(calc_largest_difference(run, awake), 1e-9);
  EXPECT_EQ(run.signal("audit.asleep").back(), 4);
}

// Hit from the side, boxes slide on one another and the top one falls. Sliding faces may share their friction in many
// ways that do move bodies differently: the cone's method finds the same from whatever guess, to what the solver
// leaves in 150 steps, and anitescu_potra, whose gaps are exactly 0, the same vertex. stewart_trinkle has vertices that
// hang on the rounding of gaps: it is not compared.
TEST(Sleeping, AStackThatIsKnockedOverMovesAsIfItHadNotSlept) {
  const std::string bodies = stack + make_ball("[-0.6, 0.01, 0.51]", "mass = 0.5\nvelocity = [2.5, 0, 0]\n");
  for (const char* type : {"cone", "anitescu_potra"}) {
    const RunResult run = test::run_text("side", make_sleeping_scene(bodies, type));
    const RunResult awake = test::run_text("side", make_sleeping_scene(bodies, type, ""));
    EXPECT_EQ(list_moments(run, "wake").size(), 3u) << type;
    EXPECT_GT(run.signal("top.position.x").back(), 0.1) << type;
    EXPECT_LT(calc_largest_difference(run, awake), 1e-8) << type;
  }
}

// Newton: over every step, the impulses of a body's contacts are m (v+ - v + g h), whether it sleeps, falls asleep,
// wakes (within the step, where impacts are located) or moves.
TEST_P(SleepingInEveryFormulation, RecordedImpulsesAreTheChangeOfMomentum) {
  const RunResult run = test::run_text(
      "newton",
      make_sleeping_scene(stack + make_ball("[-0.6, 0.01, 0.51]", "mass = 0.5\nvelocity = [2.5, 0, 0]\n"), GetParam()));
  EXPECT_EQ(list_moments(run, "wake").size(), 3u);
  const std::map<std::string, double> masses = {{"low", 3}, {"middle", 2}, {"top", 1}, {"ball", 0.5}};
  for (const auto& [body, mass] : masses) {
    for (std::size_t i = 1; i < run.times.size(); ++i) {
      Vec3 expected(0, 0, mass * g);
      int k = 0;
      for (const char* axis : {"x", "y", "z"}) {
        const auto& v = run.signal(body + ".velocity." + axis);
        expected[k++] += mass * (v[i] - v[i - 1]) / step;
      }
      ASSERT_LT((calc_contact_force(run, body, run.times[i]) - expected).norm(), 1e-7)
          << body << " at " << run.times[i];
    }
  }
}

TEST_P(SleepingInEveryFormulation, OnlyTheGroupThatIsHitWakes) {
  const RunResult run = test::run_text(
      "two", make_sleeping_scene(stack + make_box("other_low", "[0.101, 0, 0.05]") +
                                     make_box("other_top", "[0.101, 0, 0.15]") + make_ball("[-0.01, 0, 0.55]"),
                                 GetParam()));
  std::set<std::string> woken;
  for (const auto& [body, t] : list_moments(run, "wake")) woken.insert(body);
  EXPECT_EQ(woken, (std::set<std::string>{"low", "middle", "top"}));
  EXPECT_EQ(list_moments(run, "sleep").count("other_top"), 1u);
}

// A ball that rolls past at a distance of 0.2 mm, less than it is sought for (2 ms at 2 m/s), pushes nobody.
TEST_P(SleepingInEveryFormulation, WhoComesNearWakesNobody) {
  const RunResult run = test::run_text(
      "past", make_sleeping_scene(make_box("box", "[0, 0, 0.05]") +
                                      make_ball("[-0.5, 0.1002, 0.05]",
                                                "mass = 1\nvelocity = [2, 0, 0]\nangular_velocity = [0, 40, 0]\n"),
                                  GetParam()));
  EXPECT_GT(run.signal("ball.position.x").back(), 0.3);
  EXPECT_EQ(list_moments(run, "sleep").count("box"), 1u);
  EXPECT_TRUE(list_moments(run, "wake").empty());
}

// A driven bar turns from rest beside the edge of a box, theta = 25 t^2: the gap is c - 0.02 (1 - cos theta), of second
// order in theta, so that it depends on c and on how steps fall whether velocities, or what overlaps at the end of a
// step (some 1e-8 m), push the box first. Who is moved is awake, and is moved when the gap is closed: at
// theta = sqrt(c / 0.01).
TEST_P(SleepingInEveryFormulation, WhoIsMovedIsAwake) {
  for (int k = 0; k < 40; ++k) {
    const double c = 1e-6 * (1 + 0.05 * k), moment = std::sqrt(std::sqrt(c / 0.01) / 25);
    const RunResult run = test::run_text(
        "turn",
        make_sleeping_scene(
            make_box("box", "[0, 0, 0.05]", "mass = 1\norientation = { axis = [0, 0, 1], angle = \"45 deg\" }\n") +
                fmt::format("[body.bar]\nshape = {{ type = \"box\", size = [0.04, 0.4, 0.04] }}\n"
                            "motion = {{ position = {{ start = [{:.12g}, 0, 0.05] }}, axis = [0, 0, 1], angle = {{ "
                            "acceleration = 50 }} }}\n[contact.\"bar/floor\"]\ntouch = false\n",
                            0.05 * std::numbers::sqrt2 + 0.02 + c),
            GetParam(), "sleep = 0.002"));
    const auto &position = run.signal("box.position.x"), &asleep = run.signal("audit.asleep");
    const auto woken = list_moments(run, "wake");
    ASSERT_EQ(woken.count("box"), 1u);
    bool has_moved = false;
    for (std::size_t i = 3; i < position.size() && !has_moved; ++i) {
      has_moved = position[i] != position[i - 1];
      if (has_moved) {
        EXPECT_EQ(asleep[i], 0) << k;
        EXPECT_NEAR(run.times[i], moment, 2 * step) << k;
      }
    }
  }
}

// Two balls fall from 0.2010 and 0.2015 m upon two boxes, within one step but not at once, where only one impact a step
// is located: the rest of that step is taken at once, and wakes both.
TEST(Sleeping, AStepWithTooManyImpactsWakesWhomItHits) {
  const RunResult run = test::run_text(
      "many",
      make_sleeping_scene(make_box("a", "[0, 0, 0.05]") + make_box("b", "[1, 0, 0.05]") + make_ball("[0, 0, 0.351]") +
                              "[body.other]\nmass = 0.5\nposition = [1, 0, 0.3515]\nshape = { type = \"sphere\", "
                              "radius = 0.05 }\n",
                          "cone", "sleep = 0.1\nimpacts = 1"));
  auto woken = list_moments(run, "wake");
  for (const char* box : {"a", "b"}) EXPECT_NEAR(woken[box], 0.202, 1e-9) << box;
}

TEST_P(SleepingInEveryFormulation, WhatADrivenBodyPushesWakes) {
  const RunResult run = test::run_text(
      "push", make_sleeping_scene(make_box("box", "[0, 0, 0.05]") +
                                      "[body.pusher]\nshape = { type = \"box\", size = [0.1, 0.1, 0.05] }\n"
                                      "motion = { position = { start = [-0.13, 0, 0.05], velocity = [0.1, 0, 0] } }\n"
                                      "[contact.\"pusher/floor\"]\ntouch = false\n",
                                  GetParam()));
  // 0.03 m at 0.1 m/s
  EXPECT_NEAR(list_moments(run, "wake")["box"], 0.3, 2 * step);
  EXPECT_NEAR(run.signal("box.position.x").back(), 0.1 * (0.5 - 0.3), 1e-6);
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
  const std::string box = make_box("box", "[1, 0, 0.6]"), other = make_box("other", "[-1, 0, 0.05]");
  for (const std::string& bodies : {belt + box, table + box, hinged + box, make_box("box", "[1, 0, 0.05]") + pulled}) {
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
      "slow", make_sleeping_scene(make_box("box", "[0, 0, 0.05]", "mass = 1\nvelocity = [5e-5, 0, 0]\n") +
                                  "[contact.\"box/floor\"]\nfriction = 0\nrestitution = 0\n"));
  EXPECT_TRUE(list_moments(sliding, "sleep").empty());
  EXPECT_NEAR(sliding.signal("box.position.x").back(), 5e-5 * 0.5, 1e-12);
  const RunResult rolling = test::run_text(
      "slow", make_sleeping_scene(
                  make_ball("[0, 0, 0.05]", "mass = 1\nvelocity = [5e-5, 0, 0]\nangular_velocity = [0, 1e-3, 0]\n")));
  EXPECT_TRUE(list_moments(rolling, "sleep").empty());
  EXPECT_NEAR(rolling.signal("ball.position.x").back(), 5e-5 * 0.5, 1e-12);
}

// A body that floats, or is thrown up and turns, does not lean on anything: with a delay of one step, too.
TEST(Sleeping, WhatLeansOnNothingStaysAwake) {
  const RunResult run =
      test::run_text("flight", make_sleeping_scene(make_ball("[0, 0, 0.5]", "mass = 1\nvelocity = [0, 0, 0.981]\n"),
                                                   "cone", "sleep = 0.002\nsleep_speed = 10"));
  const std::map<std::string, double> sleep = list_moments(run, "sleep");
  // Down from 0.549 m to 0.05 m at sqrt(2 * 0.499 / g) + 0.1 s
  ASSERT_EQ(sleep.count("ball"), 1u);
  EXPECT_GT(sleep.at("ball"), 0.1 + std::sqrt(2 * (0.45 + 0.981 * 0.981 / (2 * g)) / g));
}

// The kinetic energy that is left at falling asleep, m v^2 / 2 and I w^2 / 2, goes to stabilisation, and the ledger
// closes.
TEST(Sleeping, TheEnergyThatIsTakenIsBooked) {
  const double v = 2e-3, w = v / 0.05, inertia = 0.4 * 0.05 * 0.05;
  const RunResult run = test::run_text(
      "booked", make_sleeping_scene(
                    make_ball("[0, 0, 0.05]", "mass = 1\nvelocity = [2e-3, 0, 0]\nangular_velocity = [0, 0.04, 0]\n"),
                    "cone", "sleep = 0.1\nsleep_speed = 0.01"));
  EXPECT_EQ(run.signal("audit.asleep").back(), 1);
  EXPECT_NEAR(run.signal("energy.stabilisation").back(), -0.5 * v * v - 0.5 * inertia * w * w, 1e-15);
  EXPECT_LT(max_abs(run.signal("energy.residual")), 1e-14);
}

TEST(Sleeping, TheLedgerClosesWhenAStackIsHit) {
  const RunResult run = test::run_text("ledger", make_sleeping_scene(stack + make_ball("[0.02, 0.01, 0.55]")));
  EXPECT_EQ(list_moments(run, "wake").size(), 3u);
  // Of 1 J of the ball: what impulses do is booked exactly, and gravity is constant.
  EXPECT_LT(max_abs(run.signal("energy.residual")), 1e-9);
}

// Who waits for sleep in vain is not disturbed by waiting.
TEST(Sleeping, WithoutSleepersNothingChanges) {
  for (const char* example : {"tower", "card_house", "conveyor", "grasp"}) {
    const RunResult off = test::run_example(example, {"time.duration=0.2"});
    const RunResult on = test::run_example(example, {"time.duration=0.2", "method.sleep=1000"});
    EXPECT_EQ(off.summary.hash, on.summary.hash) << example;
    EXPECT_EQ(off.signal("audit.asleep").back(), 0);
  }
}

// A stepper restored from a checkpoint of any step goes through the same states, records and events: while clocks run,
// in the step of falling asleep (51), asleep, in that of waking (101) and awake again.
TEST(Sleeping, ARunIsResumedBitByBit) {
  const Scene scene =
      read_scene(SceneText{{{"resumed.toml", make_sleeping_scene(stack + make_ball("[0.02, 0.01, 0.55]"))}}, {}});
  const System system = compile(scene);
  MethodSettings settings = scene.method;
  settings.step = step;
  // What a step shows: the hash of the state, events, contacts.
  using Seen = std::tuple<std::string, std::vector<std::string>, std::vector<double>>;
  const auto see = [](const State& state, const StepReport& report, const std::vector<ContactRecord>& contacts) {
    Seen seen;
    std::get<0>(seen) = calc_hash(state);
    for (const StepEvent& event : report.events)
      std::get<1>(seen).insert(std::get<1>(seen).end(), {event.kind, event.name});
    for (const ContactRecord& contact : contacts) append_contact_row(state.t, contact, std::get<2>(seen));
    return seen;
  };
  constexpr int steps = 130;
  std::vector<State> states;
  std::vector<std::vector<double>> checkpoints;
  std::vector<Seen> expected;
  const auto stepper = make_stepper(system, settings);
  State state = system.initial;
  std::set<std::string> kinds;
  for (int i = 0; i < steps; ++i) {
    states.push_back(state);
    checkpoints.push_back(stepper->checkpoint(state));
    const StepReport report = stepper->step(state, 1);
    for (const StepEvent& event : report.events) kinds.insert(event.kind);
    expected.push_back(see(state, report, stepper->contacts()));
  }
  EXPECT_TRUE(kinds.count("sleep") && kinds.count("wake"));
  for (std::size_t start = 1; start < steps; start += 10) {
    const auto resumed = make_stepper(system, settings);
    state = states[start];
    resumed->restore(state, checkpoints[start]);
    for (std::size_t i = start; i < steps; ++i) {
      const StepReport report = resumed->step(state, 1);
      ASSERT_TRUE(see(state, report, resumed->contacts()) == expected[i]) << "step " << i << " from " << start;
    }
  }
}

// 45 bodies of 65 and 27 g in a bin of 18 cm: they come to rest and sleep; then nothing is solved, and the bin bears
// them.
TEST(Sleeping, AHeapFallsAsleep) {
  const RunResult run =
      test::run_example("pile", {"time.duration=3", "method.sleep=0.2",
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
  EXPECT_NEAR(bin, mass * g, 1e-3 * mass * g);
  // Overlaps of sleepers count.
  EXPECT_GT(deepest, 0);
  EXPECT_EQ(run.signal("audit.penetration").back(), deepest);
}

}  // namespace
}  // namespace stiction
