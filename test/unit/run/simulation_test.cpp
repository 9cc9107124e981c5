#include "stiction/run/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/scene/read/read_scene.h"

namespace stiction {
namespace {

Scene example(const std::string& name, const std::vector<std::string>& overrides) {
  return read_scene(load_scene_text(std::filesystem::path(STICTION_EXAMPLES) / (name + ".toml"), overrides));
}

/// Scenes of every formulation and kind of integrator, short.
struct Case {
  const char* scene;
  std::vector<std::string> overrides;
};
std::vector<Case> cases() {
  return {{"falling_rod", {"time.duration=0.6"}},
          {"four_balls", {"time.duration=0.3"}},
          {"press", {"time.duration=0.3"}},
          {"impact", {"time.duration=0.02"}},
          {"ball_on_slope", {"time.duration=0.05", "method.type=\"compliant\"", "method.integrator=\"cvode_bdf\""}},
          {"ball_on_slope", {"time.duration=0.02", "method.type=\"compliant\"", "method.integrator=\"rk4\""}},
          {"ball_on_table", {"time.duration=0.02", "method.integrator=\"rk4\""}},
          {"ball_on_table", {"time.duration=0.02", "method.integrator=\"dormand_prince\""}},
          {"arm_on_plate", {"time.duration=0.02"}},
          {"four_balls", {"time.duration=0.1", "method.type=\"berard\""}},
          {"four_balls", {"time.duration=0.1", "method.type=\"anitescu_potra\""}},
          {"two_ellipsoids", {"time.duration=0.1"}},
          {"two_ellipsoids", {"time.duration=0.1", "method.max_step=0.02"}},
          {"double_pendulum", {"time.duration=0.5"}},
          {"double_pendulum", {"time.duration=0.5", "method.integrator=\"dormand_prince\""}},
          {"double_pendulum", {"time.duration=0.5", "method.joints=\"constraint\""}}};
}

std::string step_to_end(Simulation& simulation) {
  while (simulation.time() < simulation.scene().time.duration) {
    const StepReport report = simulation.step();
    if (report.status != StepStatus::ok) return report.message;
  }
  return calc_hash(simulation.state());
}

TEST(Simulation, StepsGiveTheBitsOfARecordedRun) {
  for (const Case& c : cases()) {
    const Scene scene = example(c.scene, c.overrides);
    const RunSummary run = simulate(scene).summary;
    EXPECT_EQ(run.status, RunStatus::completed) << c.scene << ": " << run.message;
    Simulation simulation(scene);
    EXPECT_EQ(step_to_end(simulation), run.hash) << c.scene;
    EXPECT_EQ(simulation.state().step, run.steps) << c.scene;
    // The same object, again from the start.
    simulation.reset();
    EXPECT_EQ(simulation.run().summary.hash, run.hash) << c.scene;
  }
}

TEST(Simulation, StepsToAddedUpTimesGiveTheSameBits) {
  const Scene scene = example("falling_rod", {"time.duration=0.45"});
  const std::string hash = simulate(scene).summary.hash;
  Simulation simulation(scene);
  for (double t = 0; simulation.time() < scene.time.duration;) {
    t += 10 * scene.time.step;
    ASSERT_EQ(simulation.step_to(t).status, StepStatus::ok);
  }
  EXPECT_EQ(calc_hash(simulation.state()), hash);
}

TEST(Simulation, CopiesAndSavedStatesContinueBitForBit) {
  for (const Case& c : cases()) {
    const Scene scene = example(c.scene, c.overrides);
    Simulation original(scene);
    while (original.time() < 0.37 * scene.time.duration) ASSERT_EQ(original.step().status, StepStatus::ok);
    Simulation copy = original;
    const std::string bytes = encode_state(original.save());
    Simulation restored(scene);
    ASSERT_EQ(restored.step().status, StepStatus::ok);
    restored.restore(decode_state(bytes));
    const std::string hash = step_to_end(original);
    EXPECT_EQ(step_to_end(copy), hash) << c.scene;
    EXPECT_EQ(step_to_end(restored), hash) << c.scene;
    // And back in time.
    original.restore(decode_state(bytes));
    EXPECT_EQ(step_to_end(original), hash) << c.scene;
    // Where the history can be saved, saving changed nothing.
    if (std::string(c.scene) != "ball_on_slope") {
      Simulation untouched(scene);
      EXPECT_EQ(step_to_end(untouched), hash) << c.scene;
    }
  }
}

/// Signals by the index that the original gave, those on request among them, and the audit of the last step.
TEST(Simulation, ACopyShowsWhatTheOriginalShows) {
  Simulation original(example("gripper", {}));
  ASSERT_EQ(original.step_to(0.2).status, StepStatus::ok);
  const int gap = original.find_signal("contact.box/left.gap");
  Simulation copy = original, assigned(example("gripper", {}));
  assigned = copy;
  for (Simulation* twin : {&copy, &assigned}) {
    ASSERT_EQ(twin->signals().size(), original.signals().size());
    EXPECT_EQ(twin->find_signal("contact.box/left.gap"), gap);
    for (std::size_t i = 0; i < original.signals().size(); ++i) {
      const std::string& name = original.signals()[i].name;
      EXPECT_EQ(twin->signals()[i].name, name);
      EXPECT_EQ(twin->signal(static_cast<int>(i)), original.signal(static_cast<int>(i))) << name;
    }
  }
}

TEST(Simulation, BytesThatAreNoStateAreRefused) {
  Simulation simulation(example("falling_rod", {}));
  const std::string bytes = encode_state(simulation.save());
  EXPECT_EQ(encode_state(decode_state(bytes)), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 5)
    EXPECT_THROW(decode_state(bytes.substr(0, size)), InputError);
  EXPECT_THROW(decode_state(bytes + "x"), InputError);
  Simulation other(example("double_pendulum", {}));
  EXPECT_THROW(other.restore(decode_state(bytes)), InputError);
}

Named<ShapeSpec> make_shape(const Shape& shape) {
  ShapeSpec spec;
  spec.shape = shape;
  return {"", spec};
}

void expect_ok(const StepReport& report) {
  EXPECT_EQ(report.status, StepStatus::ok) << report.message;
}

/// A ball of 1 kg and 0.1 m above a floor, filled in by hand; nothing said of the method.
Scene make_ball_scene() {
  BodySpec floor;
  floor.fixed = true;
  floor.shapes.push_back(make_shape(HalfSpace{}));
  BodySpec ball;
  ball.mass = 1;
  ball.position = Vec3(0, 0, 0.15);
  ball.shapes.push_back(make_shape(Sphere{.radius = 0.1}));
  Scene scene;
  scene.world.gravity = {0, 0, -10};
  scene.time = {.duration = 1, .step = 1e-2, .output = {}};
  scene.bodies = {{"floor", floor}, {"ball", ball}};
  ContactSpec contact;
  contact.friction = 0.5;
  scene.contacts = {{"default", contact}};
  return scene;
}

TEST(Simulation, SceneMadeByAProgramWithContactsHasContact) {
  Simulation simulation(make_ball_scene());
  EXPECT_EQ(simulation.scene().method.type, "cone");
  EXPECT_EQ(simulation.step_length(), 1e-2);
  EXPECT_EQ(simulation.step_to(0.5).status, StepStatus::ok);
  // It rests on the floor: the height is the radius, the force the weight. Tolerance: that of the solver, 1e-10.
  EXPECT_NEAR(simulation.pose("ball").p.z(), 0.1, 1e-9);
  EXPECT_NEAR(simulation.velocity("ball").linear.norm(), 0, 1e-8);
  ASSERT_EQ(simulation.contacts().size(), 1u);
  const SimulationContact& contact = simulation.contacts()[0];
  const double sign = contact.body_b == "ball" ? 1 : -1;
  EXPECT_NEAR(sign * contact.force.z(), 10, 1e-7);
  EXPECT_NEAR(contact.gap, 0, 1e-9);
  EXPECT_NEAR(simulation.signal("contact.floor/ball.force"), 10, 1e-7);
  EXPECT_EQ(simulation.signal("ball.position.z"), simulation.pose("ball").p.z());
  // A signal on request does not change the numbers of others: the energy is still m g r.
  const int energy = simulation.find_signal("energy.total"), count = static_cast<int>(simulation.signals().size());
  EXPECT_NEAR(simulation.signal("contact.floor/ball.gap"), 0, 1e-9);
  EXPECT_EQ(simulation.find_signal("contact.floor/ball.gap"), count);
  EXPECT_EQ(simulation.find_signal("energy.total"), energy);
  EXPECT_NEAR(simulation.signal(energy), 1 * 10 * 0.1, 1e-7);
  simulation.set_force("ball", {1, 0, 0});  // what was made for signals is made anew
  EXPECT_EQ(simulation.signals()[static_cast<std::size_t>(count)].name, "contact.floor/ball.gap");
  EXPECT_NEAR(simulation.signal(energy), 1 * 10 * 0.1, 1e-7);
}

TEST(Simulation, SceneMadeByAProgramWithoutContactTablesIsAskedWhatItMeans) {
  // As a text that says neither: else the ball would fall through the floor without a word.
  Scene scene = make_ball_scene();
  scene.contacts.clear();
  try {
    Simulation simulation(scene);
    ADD_FAILURE() << "method " << simulation.scene().method.type;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("neither a contact table nor method.type"), std::string::npos);
  }
  scene.method.type = "smooth";
  Simulation simulation(scene);
  EXPECT_EQ(simulation.step_to(1).status, StepStatus::ok);
  EXPECT_NEAR(simulation.pose("ball").p.z(), 0.15 - 0.5 * 10, 1e-9);  // it falls through, as it was told to
  EXPECT_EQ(Simulation(simulation.scene()).scene().method.type, "smooth");
}

TEST(Simulation, AStateThatDoesNotFitChangesNothing) {
  Simulation simulation(make_ball_scene());
  expect_ok(simulation.step_to(0.05));
  const SimulationState good = simulation.save();
  SimulationState bad = good;
  bad.state.q[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(simulation.restore(bad), InputError);
  EXPECT_THROW(simulation.set_state(bad.state), InputError);
  bad = good;
  bad.inputs = {0, 1, 0, 0, 99, 0, 0, 0};  // the second is of no input
  EXPECT_THROW(simulation.restore(bad), InputError);
  EXPECT_EQ(calc_hash(simulation.state()), calc_hash(good.state));
  EXPECT_EQ(simulation.input(0), 0);
  // What contacts remember is read last: inputs, the step and the stepper are as they were, too.
  simulation.set_force("ball", {3, 0, 0});
  simulation.set_step(5e-3);
  Simulation other = simulation;
  bad = good;
  bad.state.memory = {1, 2, 3};
  EXPECT_THROW(simulation.restore(bad), InputError);
  EXPECT_EQ(simulation.time(), 0.05);
  EXPECT_EQ(simulation.step_length(), 5e-3);
  EXPECT_EQ(simulation.input(simulation.find_input("ball.force.x")), 3);
  expect_ok(simulation.step_to(0.2)), expect_ok(other.step_to(0.2));
  EXPECT_EQ(calc_hash(simulation.state()), calc_hash(other.state()));
  EXPECT_GT(simulation.velocity("ball").linear.x(), 0.1);
}

TEST(Simulation, ValuesSetInALoopAreNotCollected) {
  Simulation simulation = Simulation::from_text(Simulation(make_ball_scene()).to_toml());
  for (int k = 1; k <= 50; ++k) simulation.set("body.ball.mass", std::to_string(k));
  EXPECT_EQ(simulation.scene().text.overrides, std::vector<std::string>{"body.ball.mass=50"});
  EXPECT_EQ(simulation.scene().bodies[1].value.mass, 50);
}

TEST(Simulation, StepsEndWhereTheyAreInterrupted) {
  Simulation simulation(make_ball_scene());
  int asked = 0;
  expect_ok(simulation.step_to(1, [&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
  EXPECT_NEAR(simulation.time(), 0.03, 1e-12);
}

/// x = F t^2 / (2 m) under a constant force; F1 up to t1, then F2:
///     x = F1 t1^2 / 2m + F1 t1 s / m + F2 s^2 / 2m,   s = t - t1.                                                  (1)
/// Every method here is exact for constant accelerations, up to rounding.
TEST(Simulation, ForcesFromOutsideAccelerateABody) {
  for (const char* method : {"cone", "smooth"}) {
    for (const char* integrator : {"rk4", "dormand_prince", "cvode_adams"}) {
      if (std::string(method) == "cone" && std::string(integrator) != "rk4") continue;
      Scene scene = make_ball_scene();
      scene.bodies[1].value.position = Vec3(0, 0, 100);
      scene.method.type = method;
      scene.method.integrator = integrator;
      Simulation simulation(scene);
      simulation.set_force("ball", {2, 0, 10});
      expect_ok(simulation.step_to(0.2));
      simulation.set_force("ball", {-4, 0, 10}, {0, 0, 0.004 * 3});  // I = 0.4 m r^2 = 0.004 kg m^2
      expect_ok(simulation.step_to(0.5));
      const double tolerance = std::string(integrator) == "cvode_adams" ? 1e-7 : 1e-10;
      EXPECT_NEAR(simulation.pose("ball").p.x(), 0.04 + 0.4 * 0.3 - 2 * 0.09, tolerance) << method << integrator;
      EXPECT_NEAR(simulation.pose("ball").p.z(), 100, tolerance) << method << integrator;
      EXPECT_NEAR(simulation.velocity("ball").angular.z(), 3 * 0.3, tolerance) << method << integrator;
      // What the forces did is in the ledger.
      EXPECT_NEAR(simulation.signal("energy.residual"), 0, 1e-6) << method << integrator;
      Simulation copy = simulation;
      expect_ok(simulation.step_to(1)), expect_ok(copy.step_to(1));
      EXPECT_EQ(calc_hash(copy.state()), calc_hash(simulation.state()));
      simulation.reset();
      EXPECT_EQ(simulation.input(simulation.find_input("ball.force.x")), 0);
    }
  }
}

TEST(Simulation, ForceWakesASleeper) {
  Scene scene = make_ball_scene();
  scene.time.duration = 5;
  scene.method.sleep = 0.2;
  Simulation simulation(scene);
  expect_ok(simulation.step_to(2));
  ASSERT_EQ(simulation.signal("audit.asleep"), 1);
  const double x = simulation.pose("ball").p.x();
  simulation.set_force("ball", {1, 0, 0});
  expect_ok(simulation.step_to(2.5));
  // Rolling ball: a = F / (m + I / r^2) = 1 / 1.4, at its centre; the scheme is exact for it but for its first step.
  EXPECT_NEAR(simulation.pose("ball").p.x() - x, 0.5 * 0.25 / 1.4, 1e-3);
}

constexpr const char* arm = R"(
[time]
duration = 2
step = "1 ms"
[body.link]
mass = 2
inertia = 0.5
[joint.hinge]
type = "revolute"
child = "link"
)";

TEST(Simulation, MotorsAndDriversAreSetFromOutside) {
  Simulation simulation = Simulation::from_text(std::string(arm) + "[motor.drive]\njoint = \"hinge\"\neffort = 0\n");
  simulation.set_input("motor.drive.effort", 0.25);
  expect_ok(simulation.step_to(1));
  // phi = tau t^2 / 2 I; RK4 is exact for it.
  EXPECT_NEAR(simulation.signal("hinge.position"), 0.25, 1e-12);
  EXPECT_EQ(simulation.input(simulation.find_input("motor.drive.effort")), 0.25);

  for (const char* form : {"tree", "constraint"}) {
    Simulation driven = Simulation::from_text(
        std::string(arm) + "[driver.turn]\njoint = \"hinge\"\nmotion = { velocity = 0.2, acceleration = 1 }\n",
        {std::string("method.joints=\"") + form + "\""});
    expect_ok(driven.step_to(0.5));
    const double before = driven.signal("hinge.position"), rate = driven.signal("hinge.velocity");
    driven.set_input("driver.turn.velocity", rate);  // the path goes on at this rate
    driven.set_input("driver.turn.acceleration", 0);
    expect_ok(driven.step_to(0.75));
    EXPECT_NEAR(driven.signal("hinge.position"), before + 0.25 * rate, 1e-9) << form;
    EXPECT_NEAR(driven.signal("hinge.velocity"), rate, 1e-9) << form;
  }
}

TEST(Simulation, InputOfAHostActsFromTheTimeItGives) {
  Simulation simulation = Simulation::from_text(std::string(arm) + "[driver.turn]\njoint = \"hinge\"\nmotion = 0\n");
  const int position = simulation.find_input("driver.turn.position");
  const int velocity = simulation.find_input("driver.turn.velocity");
  simulation.set_input(velocity, 2, 0.5);
  // q = v (t - t0), also for times before t0: it is the host's business not to ask for them.
  EXPECT_DOUBLE_EQ(simulation.input(position, 0.5), 0);
  EXPECT_DOUBLE_EQ(simulation.input(position, 1), 1);
  EXPECT_EQ(simulation.input(velocity, 1), 2);
  EXPECT_EQ(simulation.time(), 0);
}

TEST(Simulation, StepCanBeChangedAndGoesOnOnANewGrid) {
  Simulation simulation(make_ball_scene());
  expect_ok(simulation.step_to(0.015));  // off the grid
  simulation.set_step(4e-3);
  expect_ok(simulation.step());
  EXPECT_EQ(simulation.time(), 0.015 + 4e-3);
  expect_ok(simulation.step());
  EXPECT_EQ(simulation.time(), 0.015 + 2 * 4e-3);
  Simulation copy = simulation;
  expect_ok(copy.step());
  EXPECT_EQ(copy.time(), 0.015 + 3 * 4e-3);
  EXPECT_THROW(simulation.set_step(0), InputError);
  EXPECT_THROW(simulation.set_step(NAN), InputError);
}

TEST(Simulation, StateIsSetAndParametersChange) {
  Simulation simulation = Simulation::from_text(arm);
  State state = simulation.state();
  state.v[0] = 3;
  simulation.set_state(state);
  expect_ok(simulation.step_to(0.5));
  EXPECT_NEAR(simulation.signal("hinge.position"), 1.5, 1e-12);
  state.q.resize(3);
  EXPECT_THROW(simulation.set_state(state), InputError);
  simulation.set("body.link.mass", "4 kg");
  EXPECT_EQ(simulation.time(), 0);
  EXPECT_EQ(simulation.scene().bodies[0].value.mass, 4);
  Scene scene = simulation.scene();
  scene.time.step = 5e-3;
  simulation.reset(scene);
  EXPECT_EQ(simulation.step_length(), 5e-3);
}

TEST(Simulation, UnknownNamesNameTheNearest) {
  Simulation simulation(make_ball_scene());
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message([&] { simulation.pose("bal"); }).find("did you mean \"ball\"?"), std::string::npos);
  EXPECT_NE(message([&] { simulation.signal("ball.position.q"); }).find("did you mean"), std::string::npos);
  EXPECT_NE(message([&] { simulation.set_input("ball.force.q", 1); }).find("did you mean"), std::string::npos);
  EXPECT_NE(message([&] { simulation.set_input("ball.force.x", NAN); }).find("not a finite number"), std::string::npos);
  EXPECT_NE(message([&] { simulation.set_force("floor", {1, 0, 0}); }), "");
  EXPECT_NE(message([&] { (void)simulation.step_to(INFINITY); }), "");
  for (const int body : {-1, 17}) {
    EXPECT_NE(message([&] { simulation.pose(body); }).find("there is no body number"), std::string::npos);
    EXPECT_NE(message([&] { simulation.velocity(body); }).find("1 to 2; 0 is the world"), std::string::npos);
  }
}

}  // namespace
}  // namespace stiction
