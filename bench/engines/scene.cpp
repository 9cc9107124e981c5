#include "bench/engines/scene.h"

#include <cmath>
#include <functional>
#include <map>
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

Body make_box(const Vec3& size, double mass, const Vec3& position = Vec3::Zero()) {
  Body box;
  box.shape = Shape::box;
  box.size = size;
  box.mass = mass;
  const Vec3 squares = size.cwiseAbs2();
  box.inertia = mass / 12 * (Vec3::Constant(squares.sum()) - squares);
  box.pose.position = position;
  return box;
}
Body make_cube(double edge, double mass) {
  return make_box(Vec3::Constant(edge), mass);
}
// A cylinder between half-spheres, along x.
Body make_capsule(double radius, double length, double density) {
  Body capsule;
  capsule.shape = Shape::capsule;
  capsule.radius = radius;
  capsule.length = length;
  const double side = density * pi * radius * radius * length, ends = density * 4.0 / 3 * pi * std::pow(radius, 3);
  capsule.mass = side + ends;
  const double along = radius * radius * (0.5 * side + 0.4 * ends);
  const double across = side * (length * length / 12 + 0.25 * radius * radius) +
                        ends * (0.4 * radius * radius + 0.25 * length * length + 0.375 * length * radius);
  capsule.inertia = Vec3(along, across, across);
  return capsule;
}

/// Numbers of the engine itself, not of a distribution: those differ from library to library.
class Jitter {
 public:
  double draw(double reach) { return reach * (2.0 * random_() / 4294967295.0 - 1); }
  Vec3 draw_vector(double reach) {
    const double x = draw(reach), y = draw(reach), z = draw(reach);
    return {x, y, z};
  }

 private:
  std::mt19937 random_{12345};
};
std::vector<HalfSpace> make_bin(double x, double y) {
  return {{}, {Vec3::UnitX(), 0}, {-Vec3::UnitX(), -x}, {Vec3::UnitY(), 0}, {-Vec3::UnitY(), -y}};
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

Scene make_tower(double h) {
  Scene scene;
  scene.kind = Kind::tower;
  scene.h = h;
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
  const double radius = 0.025, spacing = 0.06;
  scene.half_spaces = make_bin(nx * spacing, ny * spacing);
  const double mass = 1000 * 4.0 / 3 * pi * radius * radius * radius;
  Jitter jitter;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const Vec3 place = spacing * Vec3(i + 0.5, j + 0.5, k + 0.5) + jitter.draw_vector(4e-3);
        scene.bodies.push_back(make_ball(radius, mass, place));
      }
  return scene;
}

// 300 bodies, five by six in ten layers, turned at random about the vertical and tilted a little, fall into a bin. The
// grid of 150 mm leaves bodies of at most 130 mm apart.
Scene make_bin_of(const Body& body) {
  Scene scene;
  scene.kind = Kind::motion;
  scene.h = 5e-3;
  scene.steps = 600;
  const double spacing = 0.15;
  scene.half_spaces = make_bin(5 * spacing, 6 * spacing);
  Jitter jitter;
  for (int k = 0; k < 10; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 5; ++i) {
        Body next = body;
        next.pose.position = spacing * Vec3(i + 0.5, j + 0.5, k + 0.5) + jitter.draw_vector(5e-3);
        const double turn = jitter.draw(pi), tilt = jitter.draw(0.2);
        next.pose.orientation =
            Quaternion(Eigen::AngleAxisd(tilt, Vec3::UnitX()) * Eigen::AngleAxisd(turn, Vec3::UnitZ()));
        scene.bodies.push_back(next);
      }
  return scene;
}

// Ten courses of ten bricks in bond; a ball of 5 kg meets the middle at 10 m/s.
Scene make_wall() {
  Scene scene;
  scene.kind = Kind::motion;
  scene.h = 1e-3;
  scene.steps = 1000;
  scene.half_spaces = {{}};
  for (int course = 0; course < 10; ++course)
    for (int i = 0; i < 10; ++i)
      scene.bodies.push_back(
          make_box(Vec3(0.2, 0.1, 0.1), 2, Vec3(0.2 * i + (course % 2 ? 0.1 : 0.0), 0, 0.05 + 0.1 * course)));
  scene.bodies.push_back(make_ball(0.1, 5, Vec3(1, -0.5, 0.55)));
  scene.bodies.back().velocity = Vec3(0, 10, 0);
  return scene;
}

// Twenty dominoes of 7.5 x 24 x 48 mm, 27.5 mm from each other; the first turns about its lower edge at 3 rad/s.
Scene make_dominoes() {
  Scene scene;
  scene.kind = Kind::motion;
  scene.h = 5e-4;
  scene.steps = 5000;
  scene.friction = 0.3;
  scene.half_spaces = {{}};
  const Vec3 size(0.0075, 0.024, 0.048);
  for (int i = 0; i < 20; ++i)
    scene.bodies.push_back(make_box(size, 1700 * size.prod(), Vec3(0.0275 * i, 0, 0.5 * size.z())));
  Body& first = scene.bodies[0];
  first.angular_velocity = Vec3(0, 3, 0);
  first.velocity = first.angular_velocity.cross(Vec3(-0.5 * size.x(), 0, 0.5 * size.z()));
  return scene;
}

// A slab of 1000 kg on four cubes of 1 kg.
Scene make_load() {
  Scene scene;
  scene.kind = Kind::tower;
  scene.h = 1e-3;
  scene.steps = 1000;
  scene.half_spaces = {{}};
  for (double x : {-0.2, 0.2})
    for (double y : {-0.2, 0.2}) scene.bodies.push_back(make_box(Vec3::Constant(0.1), 1, Vec3(x, y, 0.05)));
  scene.bodies.push_back(make_box(Vec3(0.6, 0.6, 0.1), 1000, Vec3(0, 0, 0.15)));
  return scene;
}

}  // namespace

const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> names = {"rod",  "balls",    "slope",     "tower",     "tower_1ms",
                                                 "load", "bounce",   "dominoes",  "bin_boxes", "bin_capsules",
                                                 "wall", "pile_100", "pile_1000", "pile_5000", "pile_10000"};
  return names;
}

Scene make_scene(const std::string& name) {
  const std::map<std::string, std::function<Scene()>> makers = {
      {"rod", make_rod},
      {"balls", make_balls},
      {"slope", make_slope},
      {"tower", [] { return make_tower(5e-3); }},
      {"tower_1ms", [] { return make_tower(1e-3); }},
      {"load", make_load},
      {"bounce", make_bounce},
      {"dominoes", make_dominoes},
      {"bin_boxes", [] { return make_bin_of(make_box(Vec3(0.1, 0.06, 0.05), 0.3)); }},
      {"bin_capsules", [] { return make_bin_of(make_capsule(0.025, 0.06, 1000)); }},
      {"wall", make_wall},
      {"pile_100", [] { return make_pile(5, 5, 4); }},
      {"pile_1000", [] { return make_pile(10, 10, 10); }},
      {"pile_5000", [] { return make_pile(20, 25, 10); }},
      {"pile_10000", [] { return make_pile(25, 40, 10); }}};
  const auto found = makers.find(name);
  if (found == makers.end()) throw std::invalid_argument("there is no scene \"" + name + "\"");
  Scene scene = found->second();
  scene.name = name;
  return scene;
}

}  // namespace stiction::engines
