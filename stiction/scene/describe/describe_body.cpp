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
    bool has_parts = node.is_table() && !node.members.empty();
    for (const Member& member : node.members) has_parts = has_parts && member.value.is_table();
    if (has_parts) return parts.read(context, node);
    return NamedList<ShapeSpec>{{"", describe_shape().read(context, node)}};
  };
  return {"table, see " + describe_shape().info().heading, {}, read, {}};
}

void check_body(ReadContext& context, const Node& node, BodySpec& body) {
  if (body.fixed && body.motion)
    context.fail(node, "a body is either fixed or moves on a prescribed path", "remove fixed or motion");
  if (body.mass && body.density)
    context.fail(node, "both mass and density are given", "a value is written once: remove one");
  if (body.particle && (body.fixed || body.motion || body.inertia || body.angular_velocity))
    context.fail(node, "a particle does not turn and moves freely",
                 "remove particle, or fixed, motion, inertia and angular_velocity");
  if (body.copies && (body.fixed || body.motion))
    context.fail(node, "only a body that moves freely has copies", "remove copies, or fixed and motion");
}

void check_motion(ReadContext& context, const Node& node, MotionSpec&) {
  if (!find_member(node, "position") && !find_member(node, "angle")) {
    context.fail(node, "expected a position or an angle as functions of time, got neither");
  }
}

constexpr double most_copies = 20000;

void check_copies(ReadContext& context, const Node& node, CopiesSpec& copies) {
  double product = 1;
  for (const double n : copies.count) product *= n == std::floor(n) && n >= 1 ? n : 0;
  if (copies.count.size() != 3 || product == 0 || product > most_copies)
    context.fail(node, "count takes three whole numbers from 1, together at most 20000", "write count = [10, 10, 5]");
}

const Description<CopiesSpec>& describe_copies() {
  static const Description<CopiesSpec> description = [] {
    using C = CopiesSpec;
    Description<C> d("[body.NAME.copies]",
                     "The body many times, named NAME1, NAME2, ..., on a grid that starts at its position and grows "
                     "along x first, then y, then z. Contact tables reach them through their material.");
    d.add("count", &C::count, quantities(dim::number, above(0)), "How many along x, y, z.").must_be_given();
    d.add("spacing", &C::spacing, vector(dim::length), "Distance of neighbours along x, y, z.").must_be_given();
    d.add("jitter", &C::jitter, quantity(dim::length, at_least(0)),
          "Each is moved off its place by up to this in x, y and z, the same in every run.");
    d.set_check(check_copies);
    d.set_example(
        "[body.ball]\ndensity = 1000\nposition = [0.03, 0.03, 0.03]\nshape = { type = \"sphere\", radius = 0.025 }\n"
        "copies = { count = [10, 10, 10], spacing = [0.06, 0.06, 0.06], jitter = 0.004 }\n");
    return d;
  }();
  return description;
}

}  // namespace

const Description<MotionSpec>& describe_motion() {
  static const Description<MotionSpec> description = [] {
    using M = MotionSpec;
    Description<M> d(
        "[body.NAME.motion]",
        "A prescribed path: the body goes along it whatever the forces. It turns by the angle about the axis, after "
        "its orientation is applied.");
    d.add("position", &M::position, vector_function_of_time(dim::length), "Place of the body's origin, world axes.")
        .by_default("where the body stands");
    d.add("axis", &M::axis, axis(), "Axis of the turn, world axes.");
    d.add("angle", &M::angle, function_of_time(dim::angle), "Angle of the turn.").by_default("no turn");
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
        "A rigid body. Without a joint it moves freely; its mass properties are given, or follow from its shapes.");
    d.add("fixed", &B::fixed, flag(), "The body never moves.");
    d.add("planar", &B::planar, flag(), "The body moves in the x-y plane and turns about z only.");
    d.add("particle", &B::particle, flag(),
          "A point mass: the body does not turn and needs no inertia. With planar = true it has two velocities.");
    d.add("mass", &B::mass, quantity(dim::mass, above(0)), "Mass.").by_default("from shapes and density");
    d.add("density", &B::density, quantity(dim::density, above(0)), "Density of all shapes that give none.")
        .by_default("the material's");
    d.add("inertia", &B::inertia, inertia(),
          "About the centre of mass, body axes: one number (planar: about z; else the same about every axis), three "
          "principal "
          "moments, or the full matrix.")
        .by_default("from shapes");
    d.add("center_of_mass", &B::center_of_mass, vector(dim::length), "Centre of mass in the body's frame.")
        .by_default("from shapes, else [0, 0, 0]");
    d.add("position", &B::position, vector(dim::length), "Initial place of the body's origin in the world.")
        .by_default("[0, 0, 0], or where its joint puts it");
    d.add("orientation", &B::orientation, orientation(), "Initial orientation in the world.")
        .by_default("no rotation, or as its joint has it");
    d.add("velocity", &B::velocity, vector(dim::velocity),
          "Initial velocity of the origin, world axes; only without a joint.")
        .by_default("[0, 0, 0]");
    d.add("angular_velocity", &B::angular_velocity, vector(dim::angular_velocity),
          "Initial angular velocity, world axes; only without a joint.")
        .by_default("[0, 0, 0]");
    d.add("material", &B::material, text(), "Name of a [material.NAME].");
    d.add("motion", &B::motion, table(describe_motion()), "A prescribed path.");
    d.add("shape", &B::shapes, shapes(), "Its shape, or several named parts.");
    d.add("copies", &B::copies, table(describe_copies()), "The same body many times, on a grid.");
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
