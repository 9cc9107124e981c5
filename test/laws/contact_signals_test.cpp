// Contact signals: impulses and peaks between samples against closed forms and the momentum of the bodies; which pairs
// have signals.
#include <gtest/gtest.h>

#include <numeric>

#include "stiction/base/fault.h"
#include "stiction/results/signals.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/notices.h"

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double drop_g = 9.81, drop_mass = 2, drop_height = 0.45;

// A ball that falls by `height` onto a floor at t = 0.3029 s, with 2.971 m/s; samples 5 ms apart, none at its end.
std::string make_drop(const std::string& settings, const std::string& contact) {
  return "[world]\ngravity = [0, 0, -9.81]\n" + settings +
         "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
         "[body.ball]\nmass = 2\nposition = [0, 0, 0.55]\nshape = { type = \"sphere\", radius = 0.1 }\n" +
         contact;
}

std::string make_rigid_drop(const std::string& method, double e, const std::string& table) {
  return make_drop("[time]\nduration = 0.5\nstep = 1e-3\noutput = 5e-3\n[method]\ntype = \"" + method + "\"\n",
                   table + "\nfriction = 0.3\nrestitution = " + std::to_string(e) + "\n");
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double largest_of(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

class EveryRigidDrop : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(ContactSignals, EveryRigidDrop,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra"),
                         [](const auto& info) { return info.param; });

TEST_P(EveryRigidDrop, AnImpactBetweenSamplesShowsInItsImpulseAndPeak) {
  const double v = std::sqrt(2 * drop_g * drop_height), e = 0.5;
  for (const std::string table : {"[contact.\"ball/floor\"]", "[contact.default]"}) {
    const RunResult run = test::run_text("drop", make_rigid_drop(GetParam(), e, table));
    ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    const std::string name = table.find("default") == std::string::npos ? "contact.ball/floor" : "contact.floor/ball";
    // m v (1 + e): the time of impact is located to 1e-4 of a step, v to 1e-4 h g = 1e-6 m/s.
    const double expected = drop_mass * v * (1 + e);
    EXPECT_NEAR(sum_of(run.signal(name + ".impulse")), expected, 2 * drop_mass * 1e-6);
    // Its vector acts on the second side: the floor, or the ball.
    const double sign = name == "contact.floor/ball" ? 1 : -1;
    EXPECT_NEAR(sum_of(run.signal(name + ".impulse.z")), sign * expected, 2 * drop_mass * 1e-6);
    // It is what changed the momentum, to rounding.
    const double gained = drop_mass * run.signal("ball.velocity.z").back() + drop_mass * drop_g * 0.5;
    EXPECT_NEAR(sum_of(run.signal(name + ".impulse")), gained, 1e-12 * gained);
    // 8,900 N over the step of 1 ms, of which the samples show nothing.
    EXPECT_NEAR(largest_of(run.signal(name + ".peak_force")), expected / 1e-3, 2 * drop_mass * 1e-3);
    EXPECT_GT(largest_of(run.signal(name + ".peak_force")), 8000);
    EXPECT_EQ(largest_of(run.signal(name + ".force")), 0);
  }
}

TEST_P(EveryRigidDrop, AnImpactAndTheRestAfterItAddUp) {
  const RunResult run = test::run_text("drop", make_rigid_drop(GetParam(), 0, "[contact.default]"));
  // m v + m g (T - t) with v = g t: the weight over the whole run. Gaps left by the first step of contact are closed
  // with at most the solver's tolerance in speed.
  EXPECT_NEAR(sum_of(run.signal("contact.floor/ball.impulse")), drop_mass * drop_g * 0.5, 1e-8);
  // At rest: the weight, its impulse over 5 ms, its peak.
  EXPECT_NEAR(run.signal("contact.floor/ball.force").back(), drop_mass * drop_g, 1e-6);
  EXPECT_NEAR(run.signal("contact.floor/ball.impulse").back(), drop_mass * drop_g * 5e-3, 1e-8);
  EXPECT_NEAR(run.signal("contact.floor/ball.peak_force").back(), drop_mass * drop_g, 1e-6);
}

std::string make_compliant_drop(const std::string& integrator, double step, const std::string& output) {
  return make_drop("[time]\nduration = 0.5\nstep = " + std::to_string(step) + "\noutput = " + output +
                       "\n[method]\ntype = \"compliant\"\nintegrator = \"" + integrator + "\"\n",
                   "[contact.default]\nnormal = { law = \"hertz\", stiffness = 1e8, restitution = 0.5 }\n");
}

// The trapezoidal rule over a force that begins and ends with 0. Fixed steps of 10 us, 300 in the impact: what is left
// comes from the slopes at its ends, h^2 / 12 of them, up to 3e-6 of the impulse where an end lies within a step. CVODE
// takes some hundred steps, Dormand-Prince some thirty, none at the ends of others: 5e-6 and 4e-4 were measured.
TEST(ContactSignals, CompliantImpulsesAreTheChangeOfMomentum) {
  struct Accuracy {
    std::string integrator;
    double relative;
  };
  for (const Accuracy& accuracy :
       {Accuracy{"rk4", 5e-6}, Accuracy{"cvode_bdf", 1e-4}, Accuracy{"dormand_prince", 2e-3}}) {
    SCOPED_TRACE(accuracy.integrator);
    const RunResult run = test::run_text("drop", make_compliant_drop(accuracy.integrator, 1e-5, "5e-3"));
    ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    const double gained = drop_mass * run.signal("ball.velocity.z").back() + drop_mass * drop_g * 0.5;
    EXPECT_GT(gained, 1.3 * drop_mass * std::sqrt(2 * drop_g * drop_height));
    EXPECT_NEAR(sum_of(run.signal("contact.floor/ball.impulse")), gained, accuracy.relative * gained);
    EXPECT_NEAR(sum_of(run.signal("contact.floor/ball.impulse.z")), gained, accuracy.relative * gained);
    EXPECT_LT(std::abs(sum_of(run.signal("contact.floor/ball.impulse.x"))), 1e-12);
  }
}

// With fixed steps the motion does not depend on the recording: all of it is known from a run that records every step.
TEST(ContactSignals, ThePeakIsTheLargestForceOfAllSteps) {
  const RunResult coarse = test::run_text("drop", make_compliant_drop("rk4", 1e-5, "5e-3"));
  const RunResult fine = test::run_text("drop", make_compliant_drop("rk4", 1e-5, "1e-5"));
  const double peak = largest_of(fine.signal("contact.floor/ball.force"));
  EXPECT_GT(peak, 2000);
  EXPECT_EQ(largest_of(coarse.signal("contact.floor/ball.peak_force")), peak);
  EXPECT_LT(largest_of(coarse.signal("contact.floor/ball.force")), peak);
}

// Of point contact, too: a ball that spins on a spring whose moment has reached its limit, mu r f_n. On the second
// side of the table, the floor under the ball: the normal points down, and the moment turns with the spin.
TEST(ContactSignals, PointsHaveNormalsAndMoments) {
  const std::string friction =
      "friction = { law = \"spring\", kinetic = 0.3, stiffness = 1e5, damping = 10, torsional_stiffness = 1, "
      "torsional_damping = 0.01, radius = 0.02 }\n";
  const std::string settings = "[time]\nduration = 0.1\nstep = 1e-5\noutput = 5e-3\n[method]\ntype = \"compliant\"\n";
  std::string pressed = make_drop(settings,
                                  "angular_velocity = [0, 0, 100]\n[contact.\"ball/floor\"]\nnormal = { law = "
                                  "\"hertz\", stiffness = 1e6, restitution = 0.5 }\n" +
                                      friction);
  pressed.replace(pressed.find("0, 0, 0.55]"), 11, "0, 0, 0.0993]");
  const RunResult run = test::run_text("spring", pressed);
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto &force = run.signal("contact.ball/floor.force"), &moment = run.signal("contact.ball/floor.moment.z");
  const std::size_t i = 1;
  ASSERT_GT(force[i], 1);
  EXPECT_NEAR(run.signal("contact.ball/floor.normal.z")[i], -1, 1e-15);
  EXPECT_NEAR(run.signal("contact.ball/floor.normal.x")[i], 0, 1e-15);
  EXPECT_NEAR(moment[i], 0.3 * 0.02 * force[i], 1e-12 * force[i]);
  EXPECT_NEAR(run.signal("contact.ball/floor.moment.x")[i], 0, 1e-15);
}

// The block hangs between two fingers, by friction: its momentum does not change.
TEST(ContactSignals, PairsUnderTheDefaultCarryTheBlock) {
  const RunResult run = test::run_example("grasp");
  double carried = 0, pressed = 0;
  for (const std::string finger : {"left", "right"}) {
    carried -= sum_of(run.signal("contact.block/" + finger + ".impulse.z"));
    pressed += run.signal("contact.block/" + finger + ".force").back();
  }
  const double momentum = 1.0 * (run.signal("block.velocity.z").back() - run.signal("block.velocity.z").front());
  // Impulses are exact: to rounding of 2,000 steps.
  EXPECT_NEAR(carried, 1.0 * drop_g * 2.0 + momentum, 1e-9);
  EXPECT_NEAR(pressed, 40, 1e-3);
}

// `count` balls above a floor, all under the default: count (count + 1) / 2 pairs.
Scene make_balls(int count, const std::string& more = "") {
  std::string text = "[method]\ntype = \"cone\"\n[contact.default]\nfriction = 0.3\n" + more +
                     "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n";
  for (int i = 0; i < count; ++i)
    text += "[body.ball_" + std::to_string(i) + "]\nmass = 1\nposition = [" + std::to_string(i) +
            ", 0, 0.4]\nshape = { type = \"sphere\", radius = 0.4 }\n";
  return read_scene(SceneText{{{"balls.toml", text}}, {}});
}

std::vector<std::string> contact_names(const Scene& scene, const std::vector<std::string>& patterns) {
  const System system = compile(scene);
  std::vector<std::string> names;
  const SignalTable table(system, patterns);
  for (const SignalInfo& info : table.infos()) {
    if (info.name.starts_with("contact.")) names.push_back(info.name);
  }
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(ContactSignals, ManyPairsAreSummedUpBodyByBody) {
  // 55 pairs, then 78.
  const std::vector<std::string> few = contact_names(make_balls(10), {"*"});
  EXPECT_EQ(few.size(), 8u * 55u);
  EXPECT_TRUE(has(few, "contact.floor/ball_3.peak_force"));
  EXPECT_TRUE(has(few, "contact.ball_3/ball_4.impulse.x"));
  const std::vector<std::string> many = contact_names(make_balls(12), {"*"});
  EXPECT_EQ(many.size(), 8u * 13u);
  EXPECT_TRUE(has(many, "contact.floor.force"));
  EXPECT_TRUE(has(many, "contact.ball_3.impulse"));
  // Pairs on request, and tables always.
  EXPECT_EQ(contact_names(make_balls(12), {"contact.ball_3/ball_4.*"}).size(), 8u);
  EXPECT_EQ(contact_names(make_balls(12), {"contact.floor/*.force"}).size(), 12u);
  const Scene tabled = make_balls(12, "[contact.\"ball_0/floor\"]\nfriction = 0.1\n");
  EXPECT_TRUE(has(contact_names(tabled, {"*"}), "contact.ball_0/floor.force"));
}

// 500,500 pairs: no more signals than bodies have, and without looking at all pairs.
TEST(ContactSignals, AThousandBodiesHaveAThousandSets) {
  EXPECT_EQ(contact_names(make_balls(1000), {"*"}).size(), 8u * 1001u);
}

TEST(ContactSignals, TheScenesRemarksSaySo) {
  const auto remarks_on = [](const Scene& scene) {
    const System system = compile(scene);
    for (const Notice& notice : list_notices(scene, system)) {
      if (notice.text.find("contact.BODY.force") != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_FALSE(remarks_on(make_balls(10)));
  EXPECT_TRUE(remarks_on(make_balls(12)));
}

TEST(ContactSignals, ABodysSetIsWhatActsOnIt) {
  Scene scene = make_balls(12);
  scene.world.gravity = {0, 0, -drop_g};
  scene.time.duration = 0.1;
  const RunResult run = simulate(scene);
  // Each rests on the floor: its weight, upwards on the ball, downwards on the floor.
  EXPECT_NEAR(run.signal("contact.ball_5.force").back(), drop_g, 1e-6);
  EXPECT_NEAR(sum_of(run.signal("contact.ball_5.impulse.z")), drop_g * 0.1, 1e-8);
  EXPECT_NEAR(sum_of(run.signal("contact.floor.impulse.z")), -12 * drop_g * 0.1, 1e-7);
}

TEST(ContactSignals, PatternsWithoutAMatchSayWhatThereIs) {
  const auto hint_of = [](const Scene& scene, const std::string& pattern) {
    try {
      SignalTable(compile(scene), {pattern});
    } catch (const InputError& error) {
      return error.faults().front().hint;
    }
    return std::string("no error");
  };
  EXPECT_EQ(hint_of(make_balls(2), "contact.ball/floor.force"),
            "contact signals: contact.{floor/ball_0, floor/ball_1, ball_0/ball_1}.{force, friction, depth, impulse, "
            "impulse.x, impulse.y, impulse.z, peak_force}");
  // With gaps, which stand apart from the other signals, each pair is listed once.
  EXPECT_EQ(hint_of(make_balls(2), "contact.ball/floor.gap"),
            "contact signals: contact.{floor/ball_0, floor/ball_1, ball_0/ball_1}.{force, friction, depth, impulse, "
            "impulse.x, impulse.y, impulse.z, peak_force, gap, closest_a.x, closest_a.y, closest_a.z, closest_b.x, "
            "closest_b.y, closest_b.z, closest_normal.x, closest_normal.y, closest_normal.z}");
  // Either order names a pair.
  EXPECT_EQ(hint_of(make_balls(2), "contact.ball_0/floor.force"), "no error");
  EXPECT_EQ(hint_of(make_balls(2), "contact.ball_0/floor.gap"), "no error");
  EXPECT_EQ(hint_of(make_balls(12), "contact.ball_1/ball_0.force"), "no error");
  EXPECT_NE(hint_of(make_balls(12), "contact.nobody.force").find("ball_6, ... 5 more}.{force"), std::string::npos);
  Scene smooth = make_balls(2);
  smooth.method.type = "smooth";
  EXPECT_NE(hint_of(smooth, "contact.*").find("there are no contact signals"), std::string::npos);
}

}  // namespace
}  // namespace stiction
