#include "stiction/scene/write/write_scene.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "stiction/scene/compile/complete.h"
#include "stiction/scene/describe/describe.h"

#include "read_text.h"

namespace stiction {
namespace {

std::vector<std::filesystem::path> list_scenes(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(STICTION_SOURCE_DIR) / folder))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  return files;
}

// What is written is read as the same scene: it is written the same again. Defaults, written or not, are the same.
void expect_round_trip(const Scene& scene, const std::string& name) {
  const std::string text = write_scene(scene), whole = write_scene(scene, true);
  EXPECT_EQ(write_scene(read_text(text)), text) << name;
  EXPECT_EQ(write_scene(read_text(whole)), text) << name;
  EXPECT_EQ(write_scene(read_text(whole), true), whole) << name;
  EXPECT_EQ(calc_hash(read_text(whole)), calc_hash(scene)) << name;
}

TEST(write_scene, examples_read_back) {
  for (const std::filesystem::path& file : list_scenes("examples"))
    expect_round_trip(read_scene(load_scene_text(file)), file.stem());
}

// Scenes with a fault that only compiling finds, or none.
TEST(write_scene, scenes_of_the_tests_read_back) {
  int count = 0;
  for (const std::filesystem::path& file : list_scenes("test/cli/broken")) {
    Scene scene;
    try {
      scene = read_scene(load_scene_text(file));
    } catch (const std::runtime_error&) {
      continue;
    }
    ++count;
    expect_round_trip(scene, file.stem());
  }
  EXPECT_GT(count, 10);
}

// The example of every table in the reference. Those that are part of a scene only are completed.
TEST(write_scene, examples_of_the_reference_read_back) {
  int count = 0;
  for (const TableInfo* table : list_tables()) {
    if (!list_faults(table->example).empty()) continue;
    ++count;
    expect_round_trip(read_text(table->example), table->heading);
  }
  EXPECT_GT(count, 15);
}

constexpr const char* all_kinds = R"toml(
title = "Quotes \" and \\, tabs \t, ümläute, \u0007"
paper = "none"
[world]
gravity = ["0 m/s^2", -0.0, "-981 cm/s^2"]
up = [1, 2, 3]
[time]
duration = "1 min"
step = "20 us"
[method]
type = "smooth"
joints = "constraint"
relative_tolerance = 1e-9
directions = 6
strict = true
[record]
signals = []
[expect]
verdict = "look closer"
because = "it is a test"
[material.rubber]
density = "1.1 g/cm^3"
layer = { stiffness = [[3, 0.1, 0], [0.1, 2, 0], [0, 0, 1]], damping = 5, thickness = "1 mm" }
[body.a]
mass = "300 g"
inertia = [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]
orientation = [{ axis = [1, 2, 3], angle = "30 deg" }, { axis = [0, 1, 0], angle = 0.1 }]
shape = { type = "polytope", vertices = [[0, 0, 0], [1, 0, 0.1], [0, 1, 0.2], [0.3, 0.3, 1], [0.25, 0.25, 0.25]] }
[body.b]
mass = 1
inertia = [1, 2, 2]
center_of_mass = [0.1, 0, 0]
velocity = ["1 km/h", 0, 0]
orientation = { quaternion = [1, 2, 3, 4] }
[body.b.shape.cell]
type = "cell"
surfaces = [
  { type = "sphere", radius = 0.5, center = [0.1, 0.2, 0.3] },
  { type = "plane", normal = [0, 0.6, 0.8], offset = 0.3 },
  { type = "cylinder", radius = 0.1, axis = [1, 1, 0.3], outside = true },
  { type = "ellipsoid", semi_axes = [0.7, 0.8, 0.9], orientation = { axis = [1, 1, 1], angle = 0.4 } } ]
[body.b.shape.foot]
type = "cone"
radius = "3 cm"
height = 0.1
axis = [1, 1, 1]
position = [0, 0, -1]
density = 1000
surface_velocity = [1, { sine = { amplitude = 0.1, frequency = 2, phase = "90 deg" } }, 0]
[body.c]
motion = { position = { table = [[0, [0, 0, 0]], [1, [1, 2, 3]], [2, [1, 1, 1]]], interpolation = "cubic" }, angle = { velocity = "10 rpm", acceleration = 0.3 } }
shape = { type = "point" }
[body.d]
particle = true
mass = 0.1
position = [5, 5, 5]
copies = { count = [2, 2, 1], spacing = [0.1, 0.2, 0], jitter = 0.01 }
[body.e]
mass = 1
inertia = 0.1
[body.f]
mass = 1
inertia = 0.1
[body.g]
mass = 1
inertia = 0.1
[joint.ball]
type = "spherical"
child = "a"
child_at = [0, 0.1, 0]
position = { axis = [1, 1, 0], angle = "20 deg" }
velocity = [1, 2, 3]
[joint.slide]
type = "cylindrical"
child = "e"
axis = [1, 2, 2]
position = ["30 deg", "1 cm"]
lower = [-1, -1]
upper = [1, 1]
friction = [0.1, 2]
[joint.hinge]
type = "revolute"
parent = "e"
child = "f"
position = "20 deg"
form = "tree"
[joint.free]
type = "free"
child = "g"
position = [1, 1, 0, 0, 0.1, 0.2, 0.3]
[constraint.gear]
type = "coupler"
joints = ["hinge", "slide.angle"]
ratios = [1, 3]
[constraint.rod]
type = "distance"
b = "f"
length = "3 cm"
[spring.line]
b = "a"
stiffness = "1 kN/m"
acts = "tension"
[spring.bush]
type = "bushing"
b = "a"
stiffness_matrix = [1, 2, 3, 4, 5, 6]
friction = [0, 0, 0, 1, 1, 1]
[spring.oil]
type = "damper"
b = "a"
damping = [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 2]]
[motor.idle]
joint = "hinge"
position = { table = { times = [0, 1, 2], values = [0, "20 deg", 0] } }
proportional = 0
[motor.spin]
joint = "slide.angle"
velocity = { polynomial = [1, 2, 3, 4] }
derivative = 0
[motor.push]
joint = "slide.displacement"
effort = { table = [[0, 0], [1, 5], [2, 0]], interpolation = "hold" }
[controller.hold]
type = "joint"
joint = "hinge"
sample_time = "1 ms"
position = { table = [[0, 0], [1, 0.5]], interpolation = "linear" }
gravity = true
[controller.hand]
type = "impedance"
body = "f"
sample_time = "1 ms"
position = { start = [0, 0, 1], velocity = [0.1, 0, 0] }
stiffness = [1, 2, 3, 4, 5, 6]
[controller.yield]
type = "admittance"
body = "a"
sample_time = "1 ms"
velocity = [0, 0, -0.1]
yield = [0, 0, 1e-3]
bandwidth = "10 rad/s"
[force.none]
body = "a"
torque = [0, 0, 0]
[force.push]
body = "a"
force = ["5 N", 0, { sine = { amplitude = 2, frequency = "1 Hz", offset = 1 } }]
axes = "body"
[contact.default]
friction = 0.5
restitution = 0
[contact."rubber/b.cell"]
friction = { law = "bristle", kinetic = 0.4, static = 0.5, presliding = "0.1 mm" }
normal = { law = "hertz", modulus = ["200 GPa", "1 MPa"], poisson = 0.3, restitution = 0.5 }
[contact."a/b"]
friction = { law = "spring", kinetic = 0.3, stiffness = 1e5, damping = 100 }
normal = { law = "volume", stiffness = 1e9, restitution_slope = 0.1, direction = "inertia" }
patch = "volume"
[contact."a/c"]
touch = false
ellipse = [1, 0.5, 0.01]
direction = [1, 1, 0]
hypothesis = "poisson"
layer = { stiffness = [1, 2, 2], exponent = 1.5, dissipation = 0.1 }
)toml";

TEST(write_scene, every_kind_of_value_reads_back) {
  const Scene scene = read_text(all_kinds);
  expect_round_trip(scene, "all kinds");
  EXPECT_EQ(read_text(write_scene(scene)).title, scene.title);
  // -0.0 stays what it is.
  EXPECT_TRUE(std::signbit(read_text(write_scene(scene)).world.gravity.y()));
}

TEST(write_scene, other_words_for_the_same_have_the_same_hash) {
  const std::string rest = "[body.a]\nmass = 2\ninertia = 1\n";
  const std::string hash = calc_hash(read_text("[time]\nduration = 2\n" + rest));
  EXPECT_EQ(calc_hash(read_text("time = { duration = \"2000 ms\", step = 1e-3 }\n" + rest)), hash);
  EXPECT_EQ(calc_hash(read_text(rest, {"time.duration=2"})), hash);
  EXPECT_NE(calc_hash(read_text(rest, {"time.duration=2.0000000000000004"})), hash);
}

TEST(write_scene, is_plain_to_read) {
  EXPECT_EQ(write_scene(read_text("[body.ball]\nmass = \"200 g\"\nshape = { type = \"sphere\", radius = \"1 cm\" }\n"
                                  "[contact.default]\nfriction = 0.1\n[body.floor]\nfixed = true\n")),
            "[method]\ntype = \"cone\"\n\n[body.ball]\nmass = 0.2\nshape = { type = \"sphere\", radius = 0.01 }\n\n"
            "[body.floor]\nfixed = true\n\n[contact.default]\nfriction = 0.1\n");
}

// A surface by formulas is written as its formulas: the same scene again, and the same text.
TEST(write_scene, a_parametric_shape_has_its_formulas) {
  const Scene scene = read_text(
      "[body.egg]\ndensity = 1000\nshape = { type = \"parametric\", surface = { x = \"a*cos(u)*cos(v)\", "
      "y = \"a*sin(u)*cos(v)\", z = \"0.03*sin(v)\", u = [0, \"360 deg\"], v = [\"-90 deg\", \"90 deg\"], "
      "parameters = { a = \"20 mm\" } } }\n");
  const std::string text = write_scene(scene);
  EXPECT_NE(text.find("parameters = { a = 0.02 }"), std::string::npos) << text;
  EXPECT_EQ(write_scene(read_text(text)), text);
}

// A scene changed by a program is no longer what its text says.
TEST(find_text, is_that_of_the_scene_as_it_stands) {
  Scene scene = read_text("[body.a]\nmass = 2 # kg\ninertia = 1\n");
  EXPECT_EQ(find_text(scene).files[0].text, scene.text.files[0].text);
  scene.bodies[0].value.mass = 3;
  EXPECT_EQ(*read_scene(find_text(scene)).bodies[0].value.mass, 3);
  scene.text = {};
  EXPECT_EQ(calc_hash(read_scene(find_text(scene))), calc_hash(scene));
}

class NoSurface : public ParametricSurface {
  Patch calc_patch(double, double) const override { return {}; }
  Eigen::Vector2d calc_parameters(const Vec3&) const override { return {0, 0}; }
  double bounding_radius() const override { return 1; }
};

TEST(write_scene, what_has_no_text_is_told) {
  Scene scene;
  BodySpec body;
  ShapeSpec shape;
  shape.shape = Parametric{std::make_shared<NoSurface>()};
  body.shapes = {{"", shape}};
  scene.bodies = {{"a", body}};
  EXPECT_THROW((void)write_scene(scene), InputError);
  EXPECT_TRUE(find_text(scene).files.empty());
  scene.bodies[0].value = BodySpec();
  scene.bodies[0].value.mass = std::numeric_limits<double>::infinity();
  try {
    (void)write_scene(scene);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults()[0].path, "body.a.mass");
  }
}

}  // namespace
}  // namespace stiction
