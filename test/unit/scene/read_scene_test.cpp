#include "stiction/scene/read/read_scene.h"

#include <gtest/gtest.h>

#include <numbers>

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

using std::numbers::pi;

TEST(ReadScene, EmptyTextIsTheDefaultScene) {
  const Scene scene = read_text("");
  EXPECT_EQ(scene.world.gravity, Vec3(0, 0, 0));
  EXPECT_EQ(scene.time.duration, TimeSpec{}.duration);
  EXPECT_EQ(scene.method.integrator, "rk4");
  EXPECT_EQ(scene.record.signals, std::vector<std::string>{"*"});
  EXPECT_TRUE(scene.bodies.empty());
}

TEST(ReadScene, Settings) {
  const Scene scene = read_text(R"(
title = "Ball on an inclined plane"
paper = "some thesis"
[world]
gravity = [0, 0, "-9.81 m/s^2"]
up = [0, 0, 2]
[time]
duration = 4.5
step = "20 us"
output = "1 ms"
[method]
type = "smooth"
integrator = "dormand_prince"
joints = "constraint"
relative_tolerance = 1e-9
absolute_tolerance = 1e-11
max_step = "1 ms"
[record]
signals = ["ball.*"]
[material.steel]
density = "7.85 g/cm^3"
)");
  EXPECT_EQ(scene.title, "Ball on an inclined plane");
  EXPECT_EQ(scene.paper, "some thesis");
  EXPECT_EQ(scene.world.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(*scene.world.up, Vec3(0, 0, 1));
  EXPECT_EQ(scene.time.duration, 4.5);
  EXPECT_EQ(scene.time.step, 2e-5);
  EXPECT_EQ(scene.time.output, 1e-3);
  EXPECT_EQ(scene.method.integrator, "dormand_prince");
  EXPECT_EQ(scene.method.joints, JointForm::constraint);
  EXPECT_EQ(scene.method.step, 2e-5);
  EXPECT_EQ(scene.method.relative_tolerance, 1e-9);
  EXPECT_EQ(scene.method.absolute_tolerance, 1e-11);
  EXPECT_EQ(scene.method.max_step, 1e-3);
  EXPECT_EQ(scene.record.signals, std::vector<std::string>{"ball.*"});
  EXPECT_EQ(scene.materials[0].value.density, 7850);
}

TEST(ReadScene, TablesKeepTheOrderOfTheFile) {
  const Scene scene = read_text(
      "[body.z]\nmass = 1\n[joint.k]\ntype = \"weld\"\nchild = \"a\"\n[body.a]\n[body.m]\n[joint.b]\ntype = "
      "\"weld\"\nchild = \"m\"\n");
  ASSERT_EQ(scene.bodies.size(), 3u);
  EXPECT_EQ(scene.bodies[0].name, "z");
  EXPECT_EQ(scene.bodies[1].name, "a");
  EXPECT_EQ(scene.bodies[2].name, "m");
  EXPECT_EQ(scene.joints[0].name, "k");
  EXPECT_EQ(scene.joints[1].name, "b");
}

TEST(ReadScene, Body) {
  const Scene scene = read_text(R"(
[body.rod]
planar = true
mass = "500 g"
inertia = "2 g m^2"
center_of_mass = [0, "10 cm", 0]
position = ["1 mm", 1, -2]
velocity = [1, 2, "36 km/h"]
angular_velocity = [0, 0, "120 rpm"]
material = "steel"
[body.plate]
fixed = true
inertia = [[3, 0.5, 0], [0.5, 4, 0], [0, 0, "5 kg m^2"]]
)");
  const BodySpec& rod = scene.bodies[0].value;
  EXPECT_TRUE(rod.planar);
  EXPECT_FALSE(rod.fixed);
  EXPECT_EQ(rod.mass, 0.5);
  EXPECT_EQ(std::get<double>(*rod.inertia), 0.002);
  EXPECT_EQ(*rod.center_of_mass, Vec3(0, 0.1, 0));
  EXPECT_EQ(*rod.position, Vec3(0.001, 1, -2));
  EXPECT_EQ(*rod.velocity, Vec3(1, 2, 10));
  EXPECT_EQ(*rod.angular_velocity, Vec3(0, 0, 4 * pi));
  EXPECT_EQ(rod.material, "steel");
  EXPECT_FALSE(rod.density.has_value());
  const Mat3 inertia = std::get<Mat3>(*scene.bodies[1].value.inertia);
  EXPECT_EQ(inertia(0, 1), 0.5);
  EXPECT_EQ(inertia(2, 2), 5);
}

TEST(ReadScene, Shapes) {
  const Scene scene = read_text(R"(
[body.ball]
shape = { type = "sphere", radius = "1 mm" }
[body.hammer.shape.head]
type = "capsule"
axis = [3, 0, 4]
length = 0.5
radius = 0.05
position = [0, 0, 1]
orientation = { axis = [1, 0, 0], angle = "180 deg" }
density = 7850
[body.hammer.shape.handle]
type = "box"
size = [1, 2, 3]
[body.rest.shape]
a = { type = "cylinder", radius = 1, length = 2 }
b = { type = "cone", radius = 1, height = 2, axis = [0, 1, 0] }
c = { type = "ellipsoid", semi_axes = [1, 2, 3] }
)");
  ASSERT_EQ(scene.bodies[0].value.shapes.size(), 1u);
  EXPECT_EQ(scene.bodies[0].value.shapes[0].name, "");
  EXPECT_EQ(std::get<Sphere>(scene.bodies[0].value.shapes[0].value.shape).radius, 0.001);
  const auto& parts = scene.bodies[1].value.shapes;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "head");
  const Capsule& head = std::get<Capsule>(parts[0].value.shape);
  EXPECT_EQ(head.length, 0.5);
  EXPECT_EQ(head.radius, 0.05);
  // 3-4-5: exact to rounding.
  EXPECT_LT((head.axis - Vec3(0.6, 0, 0.8)).norm(), 1e-15);
  EXPECT_EQ(parts[0].value.position, Vec3(0, 0, 1));
  EXPECT_EQ(parts[0].value.density, 7850);
  EXPECT_NEAR(parts[0].value.orientation.x, 1, 1e-15);
  EXPECT_EQ(std::get<Box>(parts[1].value.shape).size, Vec3(1, 2, 3));
  const auto& rest = scene.bodies[2].value.shapes;
  EXPECT_EQ(std::get<Cylinder>(rest[0].value.shape).axis, Vec3(0, 0, 1));
  EXPECT_EQ(std::get<Cone>(rest[1].value.shape).height, 2);
  EXPECT_EQ(std::get<Cone>(rest[1].value.shape).axis, Vec3(0, 1, 0));
  EXPECT_EQ(std::get<Ellipsoid>(rest[2].value.shape).semi_axes, Vec3(1, 2, 3));
}

Quaternion read_orientation(const std::string& text) {
  return *read_text("[body.a]\norientation = " + text + "\n").bodies[0].value.orientation;
}

TEST(ReadScene, OrientationForms) {
  // A quarter turn about z: (cos 45, 0, 0, sin 45).
  const double s = std::sqrt(0.5);
  for (const std::string text :
       {"{ axis = [0, 0, 7], angle = \"90 deg\" }", "{ quaternion = [2, 0, 0, 2] }",
        "[{ axis = [0, 0, 1], angle = \"30 deg\" }, { axis = [0, 0, 1], angle = \"60 deg\" }]"}) {
    const Quaternion q = read_orientation(text);
    EXPECT_NEAR(q.w, s, 1e-15) << text;
    EXPECT_NEAR(q.z, s, 1e-15) << text;
    EXPECT_EQ(q.x, 0) << text;
    EXPECT_EQ(q.y, 0) << text;
  }
}

TEST(ReadScene, RotationsAreAppliedInOrderAboutFixedAxes) {
  // A quarter turn about x takes y to z; then one about z leaves it: y ends on z. In the other order y would end on -x.
  const Quaternion q =
      read_orientation("[{ axis = [1, 0, 0], angle = \"90 deg\" }, { axis = [0, 0, 1], angle = \"90 deg\" }]");
  const Vec3 y = calc_matrix(q) * Vec3::UnitY();
  EXPECT_LT((y - Vec3::UnitZ()).norm(), 1e-15);
}

TEST(ReadScene, JointsOfOneCoordinate) {
  const Scene scene = read_text(R"(
[joint.elbow]
type = "revolute"
parent = "upper"
child = "lower"
at = [1, 0, 0]
axis = [0, 2, 0]
child_at = [0, 0, 1]
child_orientation = { axis = [1, 0, 0], angle = 0 }
position = "180 deg"
velocity = "30 rpm"
lower = "-180 deg"
upper = [3]
friction = "0.5 N m"
form = "constraint"
[joint.lift]
type = "prismatic"
child = "upper"
position = "5 mm"
friction = "2 N"
[joint.spindle]
type = "screw"
child = "nut"
pitch = "5 mm"
)");
  const JointSpec& elbow = scene.joints[0].value;
  EXPECT_EQ(elbow.type, "revolute");
  EXPECT_EQ(elbow.parent, "upper");
  EXPECT_EQ(elbow.child, "lower");
  EXPECT_EQ(elbow.at, Vec3(1, 0, 0));
  EXPECT_EQ(elbow.axis, Vec3(0, 1, 0));
  EXPECT_EQ(*elbow.child_at, Vec3(0, 0, 1));
  EXPECT_EQ(elbow.child_orientation->w, 1);
  EXPECT_EQ(elbow.position, std::vector<double>{pi});
  EXPECT_EQ(elbow.velocity, std::vector<double>{pi});
  EXPECT_EQ(*elbow.lower, std::vector<double>{-pi});
  EXPECT_EQ(*elbow.upper, std::vector<double>{3});
  EXPECT_EQ(*elbow.friction, std::vector<double>{0.5});
  EXPECT_EQ(elbow.form, JointForm::constraint);
  EXPECT_EQ(scene.joints[1].value.parent, "world");
  EXPECT_EQ(scene.joints[1].value.position, std::vector<double>{0.005});
  EXPECT_EQ(scene.joints[2].value.pitch, 0.005);
}

TEST(ReadScene, JointsOfSeveralCoordinates) {
  const Scene scene = read_text(R"(
[joint.a]
type = "cylindrical"
child = "x"
position = ["180 deg", "5 mm"]
friction = ["1 N m", "2 N"]
[joint.b]
type = "planar"
child = "x"
velocity = [1, "2 m/s", "30 rpm"]
[joint.c]
type = "universal"
child = "x"
axis = [1, 0, 0]
axis2 = [0, 1, 0]
position = [0.1, 0.2]
[joint.d]
type = "spherical"
child = "x"
position = { axis = [0, 0, 1], angle = "180 deg" }
velocity = [1, 2, 3]
[joint.e]
type = "spherical"
child = "x"
position = [0, 2, 0, 0]
[joint.f]
type = "free"
child = "x"
position = [2, 0, 0, 0, "1 mm", 2, 3]
velocity = [0, 0, "30 rpm", 1, "2 m/s", 3]
[joint.g]
type = "weld"
child = "x"
)");
  EXPECT_EQ(scene.joints[0].value.position, (std::vector<double>{pi, 0.005}));
  EXPECT_EQ(*scene.joints[0].value.friction, (std::vector<double>{1, 2}));
  EXPECT_EQ(scene.joints[1].value.velocity, (std::vector<double>{1, 2, pi}));
  EXPECT_EQ(*scene.joints[2].value.axis2, Vec3(0, 1, 0));
  ASSERT_EQ(scene.joints[3].value.position.size(), 4u);
  EXPECT_NEAR(scene.joints[3].value.position[3], 1, 1e-15);
  EXPECT_EQ(scene.joints[4].value.position, (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(scene.joints[5].value.position, (std::vector<double>{1, 0, 0, 0, 0.001, 2, 3}));
  EXPECT_EQ(scene.joints[5].value.velocity, (std::vector<double>{0, 0, pi, 1, 2, 3}));
}

TEST(ReadScene, ConstraintsAndSprings) {
  const Scene scene = read_text(R"(
[constraint.pin]
type = "point"
a = "p"
b = "q"
at_a = [1, 2, 3]
[constraint.rod]
type = "distance"
b = "q"
length = "20 cm"
[constraint.gear]
type = "coupler"
joints = ["j", "k.angle"]
ratios = [1, -3]
offset = 0.5
[spring.s]
b = "q"
stiffness = "1 kN/m"
damping = "5 N s/m"
rest_length = 0
acts = "tension"
[spring.t]
type = "torsional"
joint = "j"
stiffness = "5 N m"
damping = "2 N m s/rad"
rest = "180 deg"
[spring.u]
type = "bushing"
b = "q"
stiffness_matrix = ["1 N m/rad", 2, 3, "4 N/m", 5, 6]
damping_matrix = [[1, 0, 0, "7 N s", 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [7, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
friction = ["1 N m", 2, 3, "4 kN", 5, 6]
tolerance_velocity = "1 um/s"
tolerance_rate = "180 deg/s"
)");
  EXPECT_EQ(scene.constraints[0].value.at_a, Vec3(1, 2, 3));
  EXPECT_FALSE(scene.constraints[0].value.at_b.has_value());
  EXPECT_EQ(scene.constraints[1].value.a, "world");
  EXPECT_EQ(scene.constraints[1].value.length, 0.2);
  EXPECT_EQ(scene.constraints[2].value.joints, (std::vector<std::string>{"j", "k.angle"}));
  EXPECT_EQ(scene.constraints[2].value.ratios, (std::vector<double>{1, -3}));
  EXPECT_EQ(scene.constraints[2].value.offset, 0.5);
  EXPECT_EQ(scene.springs[0].value.type, "linear");
  EXPECT_EQ(scene.springs[0].value.stiffness, 1000);
  EXPECT_EQ(scene.springs[0].value.damping, 5);
  EXPECT_EQ(scene.springs[0].value.rest_length, 0);
  EXPECT_EQ(scene.springs[0].value.acts, "tension");
  EXPECT_EQ(scene.springs[1].value.stiffness, 5);
  EXPECT_EQ(scene.springs[1].value.rest, pi);
  Vec6 diagonal;
  diagonal << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(*scene.springs[2].value.stiffness_matrix, Mat6(diagonal.asDiagonal()));
  EXPECT_EQ((*scene.springs[2].value.damping_matrix)(0, 3), 7);
  diagonal[3] = 4000;
  EXPECT_EQ(*scene.springs[2].value.friction, diagonal);
  EXPECT_EQ(*scene.springs[2].value.tolerance_velocity, 1e-6);
  EXPECT_EQ(*scene.springs[2].value.tolerance_rate, pi);
}

TEST(ReadScene, Contacts) {
  const Scene scene =
      read_text("[contact.\"hand.thumb/ball\"]\nrestitution = 0.25\n[contact.default]\nfriction = 0.5\n");
  ASSERT_EQ(scene.contacts.size(), 2u);
  EXPECT_EQ(scene.contacts[0].value.a, "hand.thumb");
  EXPECT_EQ(scene.contacts[0].value.b, "ball");
  EXPECT_EQ(scene.contacts[0].value.restitution, 0.25);
  EXPECT_EQ(std::get<double>(scene.contacts[1].value.friction), 0.5);
  EXPECT_EQ(scene.contacts[1].name, "default");
  EXPECT_EQ(scene.contacts[1].value.a, "");
}

TEST(ReadScene, UnitsFollowTheJoint) {
  const std::string joints =
      "[joint.turn]\ntype = \"revolute\"\nchild = \"a\"\n[joint.slide]\ntype = \"cylindrical\"\nchild = \"b\"\n";
  const auto motor = [&](const std::string& joint, const std::string& field) {
    return only_fault(joints + "[motor.m]\neffort = 0\njoint = \"" + joint + "\"\n" + field + "\n");
  };
  EXPECT_EQ(motor("turn", "limit = \"2 N\""), "10:9 motor.m.limit: expected a torque [N m], got \"2 N\", a force");
  EXPECT_EQ(motor("slide.displacement", "limit = \"2 N m\""),
            "10:9 motor.m.limit: expected a force [N], got \"2 N m\", a torque");
  EXPECT_EQ(motor("slide.angle", "limit = \"2 N\""),
            "10:9 motor.m.limit: expected a torque [N m], got \"2 N\", a force");
  // A joint that is not there is a matter of compiling: both are accepted.
  EXPECT_EQ(motor("nothing", "limit = \"2 N\"").substr(0, 8), "0 faults");
  EXPECT_EQ(motor("nothing", "limit = \"2 m\""),
            "10:9 motor.m.limit: expected a torque [N m] or a force [N], got \"2 m\", a length");
}

TEST(ReadScene, NoTextAtAll) {
  EXPECT_THROW(read_scene({}), InputError);
}

}  // namespace
}  // namespace stiction
