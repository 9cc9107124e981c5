#include "stiction/scene/describe/describe.h"
#include "stiction/scene/read/other_names.h"

namespace stiction {
namespace {

namespace dim = dimension;

const std::string joint_sentence = "A joint, or a coordinate of a joint such as \"slide.angle\".";

void check_motor(ReadContext& context, const Node& node, MotorSpec&) {
  const bool position = means_member(node, "position"), velocity = means_member(node, "velocity");
  const bool effort = means_member(node, "effort");
  if (!position && !velocity && !effort) {
    context.fail(node, "expected effort, position or velocity, got none of them");
  }
  if (position && velocity) {
    context.fail(node, "position and velocity are both given",
                 "remove one: the velocity of a target position is known");
  }
  if (position && !means_member(node, "proportional")) {
    context.fail(node, "\"proportional\" is missing", "a motor with a target position needs this gain");
  }
  if (velocity && !means_member(node, "derivative")) {
    context.fail(node, "\"derivative\" is missing", "a motor with a target velocity needs this gain");
  }
}

void check_force(ReadContext& context, const Node& node, ForceSpec&) {
  if (!find_member(node, "force") && !find_member(node, "torque")) {
    context.fail(node, "expected force or torque, got neither");
  }
}

}  // namespace

const Description<SpringSpec>& describe_spring() {
  static const Description<SpringSpec> description = [] {
    using S = SpringSpec;
    Description<S> d("[spring.NAME]", "A spring with a damper in parallel.");
    d.set_types(
        {{"linear", "Along the line between two points."},
         {"damper",
          "A damper without a spring between two points, in all directions: on b the force -C (v_b - v_a), the "
          "opposite "
          "on a.",
          "f = -C (v_b - v_a)", "cooking-complementarity-2006, eq. 85"},
         {"torsional", "On a coordinate of a joint, an angle or a displacement."},
         {"bushing",
          "Between two frames, with full 6 x 6 matrices in the order [rotation; translation]. Its rotation is zero in "
          "the "
          "initial position, its translation where both points coincide."},
         {"spatial",
          "A spatial spring: a 6 x 6 stiffness as that of a bushing, taken to its centre of stiffness, where the "
          "energy "
          "is a function of the displacement that does not prefer one of the bodies and is smooth for every rotation.",
          "E = tr G_o - tr(G_o R) + 1/4 p'(K_t + R K_t R')p + tr(G_c R'[p x]), G = tr(K)/2 I - K",
          "contact-kinematics-2003, section 5; Stramigioli and Duindam 2001"}},
        &S::type,
        [](const std::string& type) {
          S spring;
          spring.type = type;
          return spring;
        },
        "linear");
    const std::vector<std::string> between_bodies = {"linear", "damper", "bushing", "spatial"},
                                   with_matrices = {"bushing", "spatial"};
    const Measurand coordinate(dim::angle, dim::length);
    const Measurand rate(dim::torsional_stiffness, dim::stiffness), loss(dim::torsional_damping, dim::damping);
    d.add_for(between_bodies, "a", &S::a, text(), "A body, or \"world\".");
    d.add_for(between_bodies, "b", &S::b, text(), "The other body.").must_be_given();
    d.add_for(between_bodies, "at_a", &S::at_a, vector(dim::length), "The point in a's frame.");
    d.add_for(between_bodies, "at_b", &S::at_b, vector(dim::length), "The point in b's frame.");
    d.add_for({"torsional"}, "joint", &S::joint, text(), joint_sentence).must_be_given();
    d.add_for({"linear"}, "stiffness", &S::stiffness, quantity(dim::stiffness, at_least(0)), "Force per length.")
        .must_be_given();
    d.add_for({"torsional"}, "stiffness", &S::stiffness, quantity(rate, at_least(0)),
              "Torque per angle, or force per length.")
        .must_be_given();
    d.add_for({"linear"}, "damping", &S::damping, quantity(dim::damping, at_least(0)), "Force per velocity.")
        .by_default("0");
    d.add_for({"damper"}, "damping", &S::directions_damping, matrix3(dim::damping),
              "C: one number for all directions, 3 along the axes of a (or of `orientation`), or a symmetric matrix.")
        .must_be_given();
    d.add_for({"torsional"}, "damping", &S::damping, quantity(loss, at_least(0)), "Torque or force per velocity.")
        .by_default("0");
    d.add_for({"linear"}, "rest_length", &S::rest_length, quantity(dim::length, at_least(0)), "Length without force.")
        .by_default("the initial length");
    d.add_for({"torsional"}, "rest", &S::rest, quantity(coordinate), "Coordinate without force.").by_default("0");
    d.add_for({"linear"}, "acts", &S::acts, word({"both", "tension", "compression"}),
              "When the spring acts: always, in tension only (a rope), or in compression only (a bumper).");
    d.add_for(with_matrices, "stiffness_matrix", &S::stiffness_matrix,
              matrix6({dim::torsional_stiffness, dim::force, dim::stiffness}),
              "Stiffness, symmetric; 6 numbers are its diagonal.")
        .must_be_given();
    d.add_for(with_matrices, "damping_matrix", &S::damping_matrix,
              matrix6({dim::torsional_damping, dim::force * dim::time, dim::damping}),
              "Damping, symmetric; 6 numbers are its diagonal.")
        .by_default("0");
    d.add_for({"bushing"}, "friction", &S::friction, vector6(dim::torque, dim::force, at_least(0)),
              "Dry friction of each component, in addition to the damping: only a larger load moves it. With damping "
              "1/G this "
              "is a force accommodation of gain G with this dead band.")
        .by_default("0");
    d.add_for({"bushing"}, "tolerance_velocity", &S::tolerance_velocity, quantity(dim::velocity, above(0)),
              "Velocity below which the friction of translations is regularised: under a smaller load it creeps at up "
              "to this "
              "velocity. Fixed explicit steps must resolve a damping of 3/2 friction / tolerance_velocity.")
        .by_default("1 mm/s");
    d.add_for({"bushing"}, "tolerance_rate", &S::tolerance_rate, quantity(dim::angular_velocity, above(0)),
              "The same for rotations.")
        .by_default("0.01 rad/s");
    d.add_for({"damper", "bushing", "spatial"}, "orientation", &S::orientation, orientation(),
              "Orientation in a of the axes of its matrices.");
    d.set_prepare(find_whether_slides);
    d.set_example(
        "[spring.suspension]\na = \"world\"\nb = \"mass\"\nat_a = [0, 0, 1]\nstiffness = \"1 kN/m\"\ndamping = 5\n"
        "rest_length = \"20 cm\"\n");
    return d;
  }();
  return description;
}

const Description<MotorSpec>& describe_motor() {
  static const Description<MotorSpec> description = [] {
    using M = MotorSpec;
    const Measurand effort(dim::torque, dim::force), position(dim::angle, dim::length);
    Description<M> d(
        "[motor.NAME]",
        "Drives a joint by a torque or force: effort(t) + proportional (target - position) + derivative (target rate - "
        "velocity). The target is a position or a velocity.");
    d.add("joint", &M::joint, text(), joint_sentence).must_be_given();
    d.add("effort", &M::effort, function_of_time(effort), "Torque or force as a function of time.").by_default("0");
    d.add("position", &M::position, function_of_time(position), "Target position.");
    d.add("velocity", &M::velocity, function_of_time(position / dim::time), "Target velocity, instead of a position.");
    d.add("proportional", &M::proportional, quantity({dim::torsional_stiffness, dim::stiffness}, at_least(0)),
          "Gain of the position error.")
        .always_written();
    d.add("derivative", &M::derivative, quantity({dim::torsional_damping, dim::damping}, at_least(0)),
          "Gain of the velocity error.")
        .always_written();
    d.add("limit", &M::limit, quantity(effort, above(0)), "Largest torque or force.").by_default("no limit");
    d.add("friction", &M::friction, quantity(effort, at_least(0)),
          "Coulomb friction of the motor and its gear, added to that of the joint: the largest torque or force that it "
          "holds, and what it takes while it moves.")
        .by_default("none");
    d.set_prepare(find_whether_slides);
    d.set_check(check_motor);
    d.set_example(
        "[motor.elbow]\njoint = \"elbow\"\nposition = { sine = { amplitude = \"20 deg\", frequency = \"0.5 Hz\" } }\n"
        "proportional = 200\nderivative = 20\nlimit = 50\n");
    return d;
  }();
  return description;
}

const Description<DriverSpec>& describe_driver() {
  static const Description<DriverSpec> description = [] {
    using D = DriverSpec;
    Description<D> d("[driver.NAME]",
                     "Prescribes a joint coordinate as a function of time. The force that this needs is computed.");
    d.add("joint", &D::joint, text(), joint_sentence).must_be_given();
    d.add("motion", &D::motion, function_of_time({dim::angle, dim::length}), "The coordinate as a function of time.")
        .must_be_given();
    d.set_prepare(find_whether_slides);
    d.set_example("[driver.crank]\njoint = \"crank\"\nmotion = { velocity = \"120 rpm\" }\n");
    return d;
  }();
  return description;
}

const Description<ForceSpec>& describe_force() {
  static const Description<ForceSpec> description = [] {
    using F = ForceSpec;
    Description<F> d("[force.NAME]", "A force and a torque on a body, as functions of time.");
    d.add("body", &F::body, text(), "The body.").must_be_given();
    d.add("at", &F::at, vector(dim::length), "Point where the force acts, in the body's frame.");
    d.add("force", &F::force, vector_function_of_time(dim::force), "The force.").always_written();
    d.add("torque", &F::torque, vector_function_of_time(dim::torque), "The torque.");
    d.add("axes", &F::axes, word({"world", "body"}), "Axes in which force and torque are given.");
    d.set_check(check_force);
    d.set_example(
        "[force.push]\nbody = \"block\"\nforce = [\"5 N\", 0, { sine = { amplitude = 2, frequency = \"1 Hz\" } }]\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
