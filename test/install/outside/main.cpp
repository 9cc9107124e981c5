// A program outside the project: makes scenes in C++ and as text, steps them, acts on them, and reads signals.
#include <stiction/simulation.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace {

int failures = 0;

void expect(const char* what, double found, double expected, double tolerance) {
  if (std::abs(found - expected) <= tolerance) return;
  std::printf("%s: %.15g, not %.15g\n", what, found, expected);
  ++failures;
}

/// Closed form: x(t) = 0.2 cos(10 t); the phase error of RK4 is below 1e-9 m here.
void check_oscillator() {
  stiction::BodySpec mass;
  mass.mass = 2.0;
  mass.inertia = 0.1;

  stiction::JointSpec rail;
  rail.type = "prismatic";
  rail.child = "mass";
  rail.axis = stiction::Vec3::UnitX();
  rail.position = {0.2};

  stiction::SpringSpec spring;
  spring.at_a = {-1, 0, 0};
  spring.b = "mass";
  spring.stiffness = 200;
  spring.rest_length = 1;

  stiction::Scene scene;
  scene.time = {.duration = 1, .step = 1e-3, .output = {}};
  scene.bodies = {{"mass", mass}};
  scene.joints = {{"rail", rail}};
  scene.springs = {{"spring", spring}};

  stiction::Simulation simulation(scene);
  while (simulation.time() < 1) (void)simulation.step();
  const double x = simulation.pose("mass").p.x();
  expect("x(1 s)", x, 0.2 * std::cos(10.0), 1e-9);
  expect("x recorded", stiction::simulate(scene).signal("mass.position.x").back(), x, 0);
}

/// A scene with contacts that says nothing of its method has contact, and steps of time.step: the ball does not fall
/// through the floor. What acts from outside is set between steps, and steps are changed: x = F t^2 / (2 m).
void check_ball() {
  stiction::ShapeSpec plane, sphere;
  plane.shape = stiction::HalfSpace{};
  sphere.shape = stiction::Sphere{.radius = 0.1};
  stiction::BodySpec floor, ball;
  floor.fixed = true;
  floor.shapes = {{"", plane}};
  ball.mass = 2;
  ball.position = stiction::Vec3(0, 0, 0.2);
  ball.shapes = {{"", sphere}};

  stiction::Scene scene;
  scene.world.gravity = {0, 0, -10};
  scene.time = {.duration = 1, .step = 0.01, .output = {}};
  scene.bodies = {{"floor", floor}, {"ball", ball}};
  scene.contacts = {{"default", {}}};

  stiction::Simulation simulation(scene);
  expect("step", simulation.step_length(), 0.01, 0);
  (void)simulation.step_to(0.5);
  expect("height", simulation.pose("ball").p.z(), 0.1, 1e-9);
  expect("speed", simulation.velocity("ball").linear.norm(), 0, 1e-8);
  expect("contacts", static_cast<double>(simulation.contacts().size()), 1, 0);
  expect("force", simulation.contacts()[0].force.z(), 20, 1e-6);
  simulation.set_step(1e-3);
  simulation.set_force("ball", {4, 0, 0});
  expect("h", simulation.step().h, 1e-3, 1e-12);
  (void)simulation.step_to(0.6);
  expect("x", simulation.pose("ball").p.x(), 0.5 * 4 / 2 * 0.1 * 0.1, 1e-9);
}

/// Scenes of more than 4 MiB of text; a motor that is told its effort; a fault is an exception with all faults.
void check_text() {
  std::string text =
      "[time]\nduration = 1\nstep = 1e-3\n[body.arm]\nmass = 1\ninertia = 2\n[joint.hinge]\n"
      "type = \"revolute\"\nchild = \"arm\"\n[motor.drive]\njoint = \"hinge\"\neffort = 0\n";
  while (text.size() < (std::size_t(5) << 20))
    text += "# a line of a long scene, as a program that writes scenes makes it\n";
  auto simulation = stiction::Simulation::from_text(text);
  simulation.set_input("motor.drive.effort", 3);
  (void)simulation.step_to(1);
  expect("angle", simulation.signal("hinge.position"), 0.5 * 3 / 2, 1e-9);
  try {
    stiction::Simulation::from_text("[body.a]\nmas = 1\n[body.b]\nmass = -1\n");
    expect("no exception", 1, 0, 0);
  } catch (const stiction::InputError& error) {
    expect("faults", static_cast<double>(error.faults().size()), 2, 0);
  }
}

}  // namespace

int main() {
  check_oscillator();
  check_ball();
  check_text();
  return failures == 0 ? 0 : 1;
}
