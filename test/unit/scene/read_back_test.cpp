#include "stiction/scene/write/read_back.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/scene/write/write_scene.h"

namespace stiction {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

ShapeSpec shape_of(Shape shape) {
  ShapeSpec spec;
  spec.shape = std::move(shape);
  return spec;
}

/// A ball above a floor, filled in by a program.
Scene make_scene() {
  BodySpec floor, ball;
  floor.fixed = true;
  floor.shapes = {{"", shape_of(HalfSpace{})}};
  ball.mass = 1;
  ball.position = Vec3(0, 0, 0.15);
  ball.shapes = {{"", shape_of(Sphere{.radius = 0.1})}};
  Scene scene;
  scene.time = {.duration = 1, .step = 1e-2, .output = {}};
  scene.bodies = {{"floor", floor}, {"ball", ball}};
  scene.contacts = {{"default", {}}};
  return scene;
}
Shape& shape_in(Scene& scene) {
  return scene.bodies[1].value.shapes[0].value.shape;
}
JointSpec make_joint(const std::string& type) {
  JointSpec joint;
  joint.type = type;
  joint.child = "ball";
  return joint;
}
NormalSpec make_normal(const std::string& law, double stiffness) {
  NormalSpec normal;
  normal.law = law;
  normal.stiffness = stiffness;
  return normal;
}

struct Spoiled {
  const char* path;     ///< of the fault
  const char* message;  ///< that is part of it
  std::function<void(Scene&)> spoil;
};

// Each was taken as it is before: a ball of radius -0.1 m sank into the floor to its centre, one whose normal law was
// misspelt fell through it, and a spring of an unknown type did nothing.
const std::vector<Spoiled> spoiled = {
    {"body.ball.shape.radius", "must be > 0 m", [](Scene& s) { shape_in(s) = Sphere{.radius = -0.1}; }},
    {"body.ball.shape.size", "must be > 0 m", [](Scene& s) { shape_in(s) = Box{.size = Vec3(-1, 1, 1)}; }},
    {"body.ball.shape.vertices", "at least 4", [](Scene& s) { shape_in(s) = Polytope{}; }},
    {"body.ball.orientation", "zero",
     [](Scene& s) {
       s.bodies[1].value.orientation = Quaternion{0, 0, 0, 0};
     }},
    {"body.ball.copies", "at most 20000",
     [](Scene& s) {
       s.bodies[1].value.copies = CopiesSpec{.count = {1e9, 1, 1}, .spacing = Vec3(1, 0, 0)};
     }},
    {"world.gravity", "not finite", [](Scene& s) { s.world.gravity.z() = not_a_number; }},
    {"time.output", "not finite", [](Scene& s) { s.time.output = not_a_number; }},
    {"time.output", "must be > 0 s", [](Scene& s) { s.time.output = -1; }},
    {"method.type", "did you mean", [](Scene& s) { s.method.type = "con"; }},
    {"method.integrator", "is empty", [](Scene& s) { s.method.integrator.clear(); }},
    {"method.directions", "2 or more", [](Scene& s) { s.method.directions = 0; }},
    {"method.threads", "1 or more", [](Scene& s) { s.method.threads = 0; }},
    {"contact.default.friction", "must be >= 0", [](Scene& s) { s.contacts[0].value.friction = -1.0; }},
    {"contact.default.friction", "not finite", [](Scene& s) { s.contacts[0].value.friction = not_a_number; }},
    {"contact.default.restitution", "must be in [0, 1]", [](Scene& s) { s.contacts[0].value.restitution = 2; }},
    {"contact.default.hypothesis", "did you mean", [](Scene& s) { s.contacts[0].value.hypothesis = "strong"; }},
    {"contact.default", "direction is missing",
     [](Scene& s) {
       s.contacts[0].value.ellipse = {1, 0.5};
     }},
    {"contact.default.normal.law", "did you mean",
     [](Scene& s) { s.contacts[0].value.normal = make_normal("herz", 1e5); }},
    {"contact.default.normal.stiffness", "must be > 0",
     [](Scene& s) { s.contacts[0].value.normal = make_normal("hertz", -1); }},
    {"contact.nonsense", "expected a pair", [](Scene& s) { s.contacts[0].name = "nonsense"; }},
    {"body.\"flo/or\"", "not a valid name", [](Scene& s) { s.bodies[0].name = "flo/or"; }},
    {"joint.j.type", "did you mean",
     [](Scene& s) {
       s.joints = {{"j", make_joint("revolut")}};
     }},
    {"joint.j.axis", "is empty, or zero",
     [](Scene& s) {
       s.joints = {{"j", make_joint("revolute")}};
       s.joints[0].value.axis.setZero();
     }},
    {"spring.s.type", "did you mean",
     [](Scene& s) {
       SpringSpec spring;
       spring.type = "liner";
       spring.b = "ball";
       s.springs = {{"s", spring}};
     }},
    {"constraint.c.type", "expected",
     [](Scene& s) {
       ConstraintSpec constraint;
       constraint.b = "ball";
       s.constraints = {{"c", constraint}};
     }},
    {"force.f.force", "not finite",
     [](Scene& s) {
       ForceSpec force;
       force.body = "ball";
       force.force.components[0] = make_constant(not_a_number);
       s.forces = {{"f", force}};
     }},
};

TEST(read_back, what_a_program_makes_is_judged_as_text_is) {
  EXPECT_NO_THROW(read_back(make_scene()));
  for (const Spoiled& spoil : spoiled) {
    Scene scene = make_scene();
    spoil.spoil(scene);
    try {
      read_back(scene);
      ADD_FAILURE() << spoil.path << " is accepted";
    } catch (const InputError& error) {
      ASSERT_EQ(error.faults().size(), 1u) << error.what();
      EXPECT_NE(error.faults()[0].path.find(spoil.path), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(spoil.message), std::string::npos) << error.what();
      EXPECT_EQ(error.faults()[0].place.file, "");
    }
  }
}

TEST(read_back, all_faults_at_once) {
  Scene scene = make_scene();
  for (std::size_t i = 0; i < 5; ++i) spoiled[i == 0 ? 0 : i + 4].spoil(scene);
  try {
    read_back(scene);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults().size(), 4u) << error.what();  // two of them are of time.output, the later one stays
  }
}

TEST(read_back, what_was_read_is_the_same) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(STICTION_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() != ".toml") continue;
    const Scene scene = read_scene(load_scene_text(entry.path())), back = complete(read_back(scene));
    EXPECT_EQ(write_scene(back, true), write_scene(scene, true)) << entry.path();
    EXPECT_EQ(calc_hash(compile(back).initial), calc_hash(compile(scene).initial)) << entry.path();
    EXPECT_EQ(back.text.files.size(), scene.text.files.size());
    ++count;
  }
  EXPECT_GT(count, 60);
}

TEST(read_back, shapes_and_sides_are_completed) {
  Scene scene = make_scene();
  Polytope cube;
  for (int i = 0; i < 8; ++i) cube.vertices.push_back(0.1 * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  cube.vertices.push_back(Vec3::Zero());  // inside
  shape_in(scene) = cube;
  scene.contacts[0].name = "ball/floor";
  scene.joints = {{"j", make_joint("revolute")}};
  scene.joints[0].value.axis = {0, 0, 2};
  Scene back = read_back(scene);
  EXPECT_EQ(std::get<Polytope>(shape_in(back)).vertices.size(), 8u);
  EXPECT_EQ(std::get<Polytope>(shape_in(back)).faces.size(), 6u);
  EXPECT_EQ(back.contacts[0].value.a, "ball");
  EXPECT_EQ(back.contacts[0].value.b, "floor");
  EXPECT_EQ(back.joints[0].value.axis, Vec3(0, 0, 1));
}

TEST(read_back, functions_of_a_program_stay) {
  Scene scene = make_scene();
  NormalSpec normal;
  normal.law = "function";
  normal.function = [](double x, double, double) { return 3 * x; };
  FrictionSpec friction;
  friction.law = "function";
  friction.function = [](double, double) { return 0.3; };
  scene.contacts[0].value.normal = normal;
  scene.contacts[0].value.friction = friction;
  const Scene back = read_back(scene);
  EXPECT_EQ(back.contacts[0].value.normal->function(2, 0, 0), 6);
  EXPECT_EQ(std::get<FrictionSpec>(back.contacts[0].value.friction).function(0, 0), 0.3);
  scene.contacts[0].value.restitution = 2;  // what stands beside them is judged
  EXPECT_THROW(read_back(scene), InputError);
}

}  // namespace
}  // namespace stiction
