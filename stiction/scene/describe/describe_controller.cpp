#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

namespace dim = dimension;

}  // namespace

const Description<ControllerSpec>& describe_controller() {
  static const Description<ControllerSpec> description = [] {
    using C = ControllerSpec;
    const Measurand effort(dim::torque, dim::force), position(dim::angle, dim::length);
    Description<C> d("[controller.NAME]",
                     "A sampled controller: it measures at its sample times and holds its output in between.");
    d.set_types(
        {{"joint", "PD or PID control of a joint coordinate, with gravity as a feed-forward.",
          "u = kp e + ki s + kd de/dt + g(q), s += T e", ""},
         {"impedance",
          "Impedance control of a point of a body: a spring and a damper to its target; the orientation is held.",
          "F = K (x_d - x) + C (dx_d/dt - v)", "Hogan 1985"},
         {"admittance",
          "Force and moment accommodation: the point follows a commanded velocity and yields to the force of contacts "
          "beyond a dead band, and so does the orientation to their moment; acceleration-based motion control.",
          "v_c = v_d + Y dead(f),  F = Lambda (b^2 (x_c - x) + 2 b (v_c - v))", "gonthier-thesis-2007, section 5.1.4"}},
        &C::type, [](const std::string& type) {
          C controller;
          controller.type = type;
          return controller;
        });
    const std::vector<std::string> cartesian = {"impedance", "admittance"};
    d.add("sample_time", &C::sample_time, quantity(dim::time, above(0)), "Time between samples T.").must_be_given();
    d.add("delay", &C::delay, quantity(dim::time, at_least(0)),
          "Age of the measured values, a whole number of samples.")
        .by_default("0");
    d.add_for({"joint"}, "joint", &C::joint, text(), "A joint, or a coordinate of a joint such as \"slide.angle\".")
        .must_be_given();
    d.add_for({"joint"}, "position", &C::joint_position, function_of_time(position), "Target position.")
        .by_default("0");
    d.add_for({"joint"}, "proportional", &C::proportional,
              quantity({dim::torsional_stiffness, dim::stiffness}, at_least(0)), "Gain of the position error.");
    d.add_for({"joint"}, "integral", &C::integral,
              quantity({dim::torsional_stiffness / dim::time, dim::stiffness / dim::time}, at_least(0)),
              "Gain of the sum of position errors; it does not wind up at the limit.");
    d.add_for({"joint"}, "derivative", &C::derivative, quantity({dim::torsional_damping, dim::damping}, at_least(0)),
              "Gain of the velocity error.");
    d.add_for({"joint"}, "limit", &C::limit, quantity(effort, above(0)), "Largest torque or force.")
        .by_default("no limit");
    d.add("gravity", &C::gravity, flag(),
          "Add what holds the bodies carried by the joint, or the arm that carries the body, against gravity.");
    d.add_for(cartesian, "body", &C::body, text(), "The body that is moved.").must_be_given();
    d.add_for(cartesian, "at", &C::at, vector(dim::length), "The point of the body, in its frame.");
    d.add_for({"impedance"}, "position", &C::target, vector_function_of_time(dim::length),
              "Target of the point, world axes.")
        .must_be_given();
    d.add_for({"admittance"}, "velocity", &C::target, vector_function_of_time(dim::velocity),
              "Commanded velocity of the point, world axes.")
        .must_be_given();
    d.add_for({"impedance"}, "stiffness", &C::stiffness, vector6(dim::torsional_stiffness, dim::stiffness, at_least(0)),
              "Stiffness about and along x, y, z.");
    d.add_for({"impedance"}, "damping", &C::damping, vector6(dim::torsional_damping, dim::damping, at_least(0)),
              "Damping about and along x, y, z.");
    d.add_for({"admittance"}, "yield", &C::yield, vector(dim::velocity / dim::force, at_least(0)),
              "Velocity per force beyond the dead band, along x, y, z.");
    d.add_for({"admittance"}, "dead_band", &C::dead_band, vector(dim::force, at_least(0)),
              "Force to which it does not yield, along x, y, z.");
    d.add_for({"admittance"}, "angular_velocity", &C::angular_target, vector_function_of_time(dim::angular_velocity),
              "Commanded angular velocity of the body, world axes.")
        .by_default("0");
    d.add_for({"admittance"}, "rotational_yield", &C::rotational_yield,
              vector(dim::angular_velocity / dim::torque, at_least(0)),
              "Angular velocity per moment about the point beyond its dead band, about x, y, z.");
    d.add_for({"admittance"}, "rotational_dead_band", &C::rotational_dead_band, vector(dim::torque, at_least(0)),
              "Moment to which it does not yield, about x, y, z.");
    d.add_for({"admittance"}, "bandwidth", &C::bandwidth, quantity(dim::angular_velocity, above(0)),
              "Bandwidth b of the motion control, critically damped.")
        .must_be_given();
    d.set_prepare(find_whether_slides);
    d.set_example(
        "[controller.elbow]\ntype = \"joint\"\njoint = \"elbow\"\nsample_time = \"1 ms\"\nposition = 0.5\nproportional "
        "= "
        "200\nderivative = 20\ngravity = true\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
