// A program outside the project: makes a scene in C++, steps it, and reads a signal.
#include <cmath>
#include <cstdio>

#include <stiction/simulation.h>

int main() {
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

  // Closed form: x(t) = 0.2 cos(10 t); the phase error of RK4 is below 1e-9 m here.
  stiction::Simulation simulation(scene);
  while (simulation.time() < 1) (void)simulation.step();
  const double x = simulation.pose("mass").p.x();
  std::printf("x(1 s) = %.12f m\n", x);
  const double recorded = stiction::simulate(scene).signal("mass.position.x").back();
  return std::abs(x - 0.2 * std::cos(10.0)) < 1e-9 && recorded == x ? 0 : 1;
}
