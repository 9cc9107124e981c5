#include <fmt/format.h>

#include <cmath>

#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

namespace dim = dimension;

/// One shape without a name, or several named ones: a table whose `type` is a word is a shape.
ValueType<NamedList<ShapeSpec>> shapes() {
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<NamedList<ShapeSpec>> {
    static const ValueType<NamedList<ShapeSpec>> parts = named_tables(describe_shape());
    if (node.is_array()) {
      context.fail(node, "expected a table, got " + show(node), "several shapes have names: [body.NAME.shape.PART]");
      return {};
    }
    if (node.is_text()) {
      context.fail(node, "expected a table, got " + show(node), "write shape = { type = \"box\", size = [1, 1, 1] }");
      return {};
    }
    bool has_parts = node.is_table() && !node.members.empty();
    for (const Member& member : node.members) has_parts = has_parts && member.value.is_table();
    if (has_parts) return parts.read(context, node);
    return NamedList<ShapeSpec>{{"", describe_shape().read(context, node)}};
  };
  const auto write = [](const NamedList<ShapeSpec>& list, bool all) -> std::optional<Node> {
    if (list.size() == 1 && list[0].name.empty()) return describe_shape().write(list[0].value, all);
    return named_tables(describe_shape()).write(list, all);
  };
  return {"table, see " + describe_shape().info().heading, {}, read, {}, write};
}

void check_body(ReadContext& context, const Node& node, BodySpec& body) {
  if (body.fixed && body.motion)
    context.fail(node, "fixed and motion are both given", "remove one of them: a fixed body has no motion");
  if (body.mass && body.density) context.fail(node, "mass and density are both given", "remove one of them");
  if (body.particle && (body.fixed || body.motion || body.inertia || body.angular_velocity))
    context.fail(node, "a particle has no rotation and no prescribed motion",
                 "remove particle, or fixed, motion, inertia and angular_velocity");
  if (body.copies && (body.fixed || body.motion))
    context.fail(node, "a fixed or driven body cannot have copies", "remove copies, or fixed and motion");
}

void check_motion(ReadContext& context, const Node& node, MotionSpec&) {
  if (!find_member(node, "position") && !find_member(node, "angle")) {
    context.fail(node, "expected position or angle as functions of time, got neither");
  }
}

constexpr double most_copies = 20000;

void check_copies(ReadContext& context, const Node& node, CopiesSpec& copies) {
  double product = 1;
  for (const double n : copies.count) product *= n == std::floor(n) && n >= 1 ? n : 0;
  if (copies.count.size() != 3 || product == 0 || product > most_copies)
    context.fail(node, "count must be three whole numbers >= 1 with a product of at most 20000",
                 "write count = [10, 10, 5]");
}

}  // namespace

const Description<CopiesSpec>& describe_copies() {
  static const Description<CopiesSpec> description = [] {
    using C = CopiesSpec;
    Description<C> d("[body.NAME.copies]",
                     "Copies of the body on a grid, named NAME1, NAME2, ... The grid starts at the body's position; x "
                     "varies fastest, then y, then z. Contact tables refer to the copies by their material.");
    d.add("count", &C::count, quantities(dim::number, above(0)),
          "Number of copies along x, y, z, at most 20000 together.")
        .must_be_given();
    d.add("spacing", &C::spacing, vector(dim::length), "Distance between neighbours along x, y, z.").must_be_given();
    d.add("jitter", &C::jitter, quantity(dim::length, at_least(0)),
          "Largest random displacement from the grid in x, y and z. The same in every run.");
    d.set_check(check_copies);
    d.set_example(
        "[body.ball]\ndensity = 1000\nposition = [0.03, 0.03, 0.03]\nshape = { type = \"sphere\", radius = 0.025 }\n"
        "copies = { count = [10, 10, 10], spacing = [0.06, 0.06, 0.06], jitter = 0.004 }\n");
    return d;
  }();
  return description;
}

const Description<MotionSpec>& describe_motion() {
  static const Description<MotionSpec> description = [] {
    using M = MotionSpec;
    Description<M> d(
        "[body.NAME.motion]",
        "A prescribed motion: the body follows it whatever the forces. The rotation by `angle` about `axis` is applied "
        "after the body's orientation.");
    d.add("position", &M::position, vector_function_of_time(dim::length), "Position of the body's origin in the world.")
        .by_default("the body's position");
    d.add("axis", &M::axis, axis(), "Axis of rotation, world axes.");
    d.add("angle", &M::angle, function_of_time(dim::angle), "Angle of rotation.").by_default("no rotation");
    d.set_check(check_motion);
    d.set_example(
        "[body.pusher]\nshape = { type = \"sphere\", radius = \"1 mm\" }\n"
        "motion = { position = { start = [-0.6, 0.3, 0], velocity = [0.1, 0, 0] } }\n");
    return d;
  }();
  return description;
}

const Description<BodySpec>& describe_body() {
  static const Description<BodySpec> description = [] {
    using B = BodySpec;
    Description<B> d(
        "[body.NAME]",
        "A rigid body. Without a joint it moves freely. Its mass properties are given, or computed from its shapes.");
    d.add("fixed", &B::fixed, flag(), "The body does not move.");
    d.add("planar", &B::planar, flag(), "The body moves in the x-y plane and rotates about z only.");
    d.add("particle", &B::particle, flag(),
          "A point mass: it does not rotate and needs no inertia. With planar = true it has two degrees of freedom.");
    d.add("mass", &B::mass, quantity(dim::mass, above(0)), "Mass.").by_default("from shapes and density");
    d.add("density", &B::density, quantity(dim::density, above(0)),
          "Density of all shapes that have none of their own.")
        .by_default("the material's");
    d.add("inertia", &B::inertia, inertia(),
          "Inertia about the centre of mass, body axes: one number (planar: about z; otherwise the same about every "
          "axis), "
          "three principal moments, or the full matrix.")
        .by_default("from shapes");
    d.add("center_of_mass", &B::center_of_mass, vector(dim::length), "Centre of mass in the body's frame.")
        .by_default("from shapes, else [0, 0, 0]");
    d.add("position", &B::position, vector(dim::length), "Initial position of the body's origin in the world.")
        .by_default("[0, 0, 0], or given by its joint");
    d.add("orientation", &B::orientation, orientation(), "Initial orientation in the world.")
        .by_default("no rotation, or given by its joint");
    d.add("velocity", &B::velocity, vector(dim::velocity),
          "Initial velocity of the origin, world axes; only without a joint.")
        .by_default("[0, 0, 0]");
    d.add("angular_velocity", &B::angular_velocity, vector(dim::angular_velocity),
          "Initial angular velocity, world axes; only without a joint.")
        .by_default("[0, 0, 0]");
    d.add("material", &B::material, text(), "Name of a [material.NAME].");
    d.add("motion", &B::motion, table(describe_motion()), "A prescribed motion.");
    d.add("shape", &B::shapes, shapes(), "The shape of the body, or several named parts.");
    d.add("copies", &B::copies, table(describe_copies()), "Copies of the body on a grid.");
    d.set_check(check_body);
    d.set_example(
        "[body.rod]\nplanar = true\nmass = 1.0\ninertia = 0.002\nposition = [0, 1, 0]\n"
        "orientation = { axis = [0, 0, 1], angle = \"30 deg\" }\nangular_velocity = [0, 0, 4]\n"
        "shape = { type = \"capsule\", axis = [1, 0, 0], length = 0.5, radius = 0.05 }\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
