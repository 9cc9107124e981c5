#include "bench/engines/scene.h"

#include <cmath>
#include <random>
#include <stdexcept>

namespace stiction::engines {
namespace {

constexpr double pi = 3.14159265358979323846;

Body make_ball(double radius, double mass, const Vec3& position) {
  Body ball;
  ball.radius = radius;
  ball.mass = mass;
  ball.inertia = Vec3::Constant(0.4 * mass * radius * radius);
  ball.pose.position = position;
  return ball;
}

Body make_cube(double edge, double mass) {
  Body cube;
  cube.shape = Shape::box;
  cube.size = Vec3::Constant(edge);
  cube.mass = mass;
  cube.inertia = Vec3::Constant(mass * edge * edge / 6);
  return cube;
}

// stewart-trinkle-2000, section 4.1; J = 0.002 kg m^2 about z is the paper's.
Scene make_rod() {
  Scene scene;
  scene.kind = Kind::rod;
  scene.gravity = Vec3(0, -9.81, 0);
  scene.h = 1e-3;
  scene.steps = 1000;
  scene.friction = 0.6;
  scene.half_spaces = {{Vec3::UnitY(), 0}};
  Body rod;
  rod.shape = Shape::capsule;
  rod.radius = 0.05;
  rod.length = 0.5;
  rod.inertia = Vec3(0.00125, 0.002, 0.002);
  rod.pose = {Vec3(0, 1, 0), Quaternion(Eigen::AngleAxisd(pi / 6, Vec3::UnitZ()))};
  rod.angular_velocity = Vec3(0, 0, 4);
  rod.planar = true;
  scene.bodies = {rod};
  return scene;
}

// stewart-trinkle-2000, section 4.2.
Scene make_balls() {
  Scene scene;
  scene.kind = Kind::balls;
  scene.gravity = Vec3(0, 0, -9.82);
  scene.h = 5e-3;
  scene.steps = 200;
  scene.friction = 0.4;
  scene.half_spaces = {{}};
  scene.bodies = {make_ball(0.1, 1, Vec3(0, 0, 1)), make_ball(0.1, 1, Vec3(1, 0, 0.1)),
                  make_ball(0.1, 1, Vec3(1.20001, 0, 0.1)), make_ball(0.1, 1, Vec3(1.40002, 0, 0.1))};
  scene.bodies[0].velocity = Vec3(1.5, 0.1, 0);
  return scene;
}

// A box at 1.02 times the friction that just holds it.
Scene make_slope() {
  const double angle = 20 * pi / 180;
  Scene scene;
  scene.kind = Kind::slope;
  scene.h = 1e-3;
  scene.steps = 10000;
  scene.friction = 1.02 * std::tan(angle);
  const Vec3 normal(std::sin(angle), 0, std::cos(angle));
  scene.half_spaces = {{normal, 0}};
  scene.bodies = {make_cube(0.2, 1)};
  scene.bodies[0].pose = {0.1 * normal, Quaternion(Eigen::AngleAxisd(angle, Vec3::UnitY()))};
  return scene;
}

Scene make_tower() {
  Scene scene;
  scene.kind = Kind::tower;
  scene.h = 5e-3;
  scene.steps = 1000;
  scene.half_spaces = {{}};
  for (int i = 0; i < 10; ++i) {
    scene.bodies.push_back(make_cube(0.1, 1));
    scene.bodies.back().pose.position = Vec3(0, 0, 0.05 + 0.1 * i);
  }
  return scene;
}

// Balls that fall 1 m onto a floor, one for each coefficient of restitution. At 1.4 s each has passed its first apex.
Scene make_bounce() {
  Scene scene;
  scene.kind = Kind::bounce;
  scene.h = 1e-3;
  scene.steps = 1400;
  scene.friction = 0;
  scene.half_spaces = {{}};
  double x = 0;
  for (const double e : {0.25, 0.5, 0.9, 1.0}) {
    scene.bodies.push_back(make_ball(0.1, 1, Vec3(x, 0, 1.1)));
    scene.bodies.back().restitution = e;
    x += 1;
  }
  return scene;
}

// Spheres of 50 mm on a jittered grid over a box of five half-spaces. The grid of 60 mm just fills the box; jitter of
// at most 4 mm leaves every pair and every wall apart.
Scene make_pile(int nx, int ny, int nz) {
  Scene scene;
  scene.kind = Kind::pile;
  scene.h = 5e-3;
  scene.settle = 1000;
  scene.steps = 100;
  const double radius = 0.025, spacing = 0.06, jitter = 4e-3;
  scene.half_spaces = {
      {}, {Vec3::UnitX(), 0}, {-Vec3::UnitX(), -nx * spacing}, {Vec3::UnitY(), 0}, {-Vec3::UnitY(), -ny * spacing}};
  const double mass = 1000 * 4.0 / 3 * pi * radius * radius * radius;
  // Numbers of the engine itself, not of a distribution: those differ from library to library.
  std::mt19937 random(12345);
  const auto draw = [&] { return jitter * (2.0 * random() / 4294967295.0 - 1); };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const double dx = draw(), dy = draw(), dz = draw();
        const Vec3 place = spacing * Vec3(i + 0.5, j + 0.5, k + 0.5) + Vec3(dx, dy, dz);
        scene.bodies.push_back(make_ball(radius, mass, place));
      }
  return scene;
}

}  // namespace

const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> names = {"rod",      "balls",     "slope",     "tower",     "bounce",
                                                 "pile_100", "pile_1000", "pile_5000", "pile_10000"};
  return names;
}

Scene make_scene(const std::string& name) {
  Scene scene;
  if (name == "rod")
    scene = make_rod();
  else if (name == "balls")
    scene = make_balls();
  else if (name == "slope")
    scene = make_slope();
  else if (name == "tower")
    scene = make_tower();
  else if (name == "bounce")
    scene = make_bounce();
  else if (name == "pile_100")
    scene = make_pile(5, 5, 4);
  else if (name == "pile_1000")
    scene = make_pile(10, 10, 10);
  else if (name == "pile_5000")
    scene = make_pile(20, 25, 10);
  else if (name == "pile_10000")
    scene = make_pile(25, 40, 10);
  else
    throw std::invalid_argument("there is no scene \"" + name + "\"");
  scene.name = name;
  return scene;
}

}  // namespace stiction::engines
