#include <fmt/format.h>

#include <cmath>

#include "stiction/base/text.h"
#include "stiction/multibody/joint.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/describe/joint_coordinates.h"

namespace stiction {
namespace {

namespace dim = dimension;

const std::vector<std::string> with_coordinates = {"revolute",    "prismatic", "screw",
                                                   "cylindrical", "universal", "planar"};

/// One number for each coordinate; a joint with one coordinate takes a plain number.
std::optional<std::vector<double>> read_coordinates(ReadContext& context, const Node& node, const Measurand& measure,
                                                    const std::optional<Range>& range) {
  std::vector<Measurand> measures;
  std::vector<std::string> words;
  for (const CoordinateName& coordinate : list_coordinates(context.type)) {
    const std::string_view name = coordinate.name;
    measures.emplace_back(slides(coordinate) ? *measure.sliding : measure.turning);
    words.push_back(name.empty() ? describe(measures.back())
                                 : fmt::format("{} [{}]", name, unit_of(measures.back().turning)));
  }
  if (node.is_array() ? node.items.size() != measures.size() : measures.size() != 1) {
    context.fail(node, fmt::format("expected {} value{} ({}), got {}", measures.size(), measures.size() == 1 ? "" : "s",
                                   join_words(words), show(node)));
    return {};
  }
  if (node.is_array()) return read_quantities(context, node, measures.size(), measures, range);
  const auto value = read_quantity(context, node, measures.front(), range);
  if (!value) return {};
  return std::vector<double>{*value};
}

/// None where they were not given.
std::optional<Node> write_coordinates(const std::vector<double>& values, bool) {
  if (values.empty()) return {};
  return values.size() == 1 ? make_number(values[0]) : make_numbers(values.data(), values.size());
}

ValueType<std::vector<double>> coordinates(const Measurand& measure, const std::optional<Range>& range = {}) {
  return {"one for each coordinate: " + describe(measure), range ? ">= 0" : "",
          [=](ReadContext& context, const Node& node) { return read_coordinates(context, node, measure, range); },
          [](const std::vector<double>&) { return std::string(); }, write_coordinates};
}

/// A spherical joint's position: an orientation, or the quaternion's four numbers.
ValueType<std::vector<double>> spherical_position() {
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<std::vector<double>> {
    std::optional<Quaternion> q;
    if (node.is_array() && !node.is_array_of(Node::Kind::table)) {
      const auto values = read_quantities(context, node, 4, {dim::number});
      if (values) q = make_unit_quaternion(context, node, values->data());
    } else {
      q = orientation().read(context, node);
    }
    if (!q) return {};
    return std::vector<double>{q->w, q->x, q->y, q->z};
  };
  return {"orientation, or 4 numbers [w, x, y, z]", {}, read, {}, write_coordinates};
}

ValueType<std::vector<double>> free_position() {
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<std::vector<double>> {
    const std::vector<Measurand> measures = {dim::number, dim::number, dim::number, dim::number,
                                             dim::length, dim::length, dim::length};
    auto values = read_quantities(context, node, 7, measures);
    if (!values) return {};
    const auto q = make_unit_quaternion(context, node, values->data());
    if (!q) return {};
    return std::vector<double>{q->w, q->x, q->y, q->z, (*values)[4], (*values)[5], (*values)[6]};
  };
  return {"7 numbers: quaternion [w, x, y, z], then length [m]", {}, read, {}, write_coordinates};
}

ValueType<std::vector<double>> several(const std::vector<Measurand>& measures, std::string meaning) {
  return {
      std::move(meaning),
      {},
      [=](ReadContext& context, const Node& node) { return read_quantities(context, node, measures.size(), measures); },
      {},
      write_coordinates};
}

void check_joint(ReadContext& context, const Node& node, JointSpec& joint) {
  for (std::size_t i = 0; joint.lower && joint.upper && i < joint.lower->size() && i < joint.upper->size(); ++i) {
    if ((*joint.lower)[i] < (*joint.upper)[i]) continue;
    const ReadContext::Scope scope(context, "upper");
    const Node &lower = *find_member(node, "lower"), &upper = *find_member(node, "upper");
    const Node &low = lower.is_array() ? lower.items[i] : lower, &high = upper.is_array() ? upper.items[i] : upper;
    context.fail(high, fmt::format("must be above the lower limit {}, got {}", show(low), show(high)));
  }
  const auto need_above_zero = [&](const std::optional<std::vector<double>>& values, const char* name) {
    for (std::size_t i = 0; values && i < values->size(); ++i) {
      if ((*values)[i] > 0) continue;
      const ReadContext::Scope scope(context, name);
      context.fail(*find_member(node, name), "must be > 0");
    }
  };
  need_above_zero(joint.presliding, "presliding");
  need_above_zero(joint.stribeck_velocity, "stribeck_velocity");
  need_above_zero(joint.bristle_damping, "bristle_damping");
  for (std::size_t i = 0; joint.static_friction && i < joint.static_friction->size(); ++i) {
    const double kinetic = joint.friction && i < joint.friction->size() ? (*joint.friction)[i] : 0;
    if ((*joint.static_friction)[i] >= kinetic && kinetic > 0) continue;
    const ReadContext::Scope scope(context, "static_friction");
    context.fail(*find_member(node, "static_friction"), "must be at least friction, which must be above 0");
  }
  if (joint.initial_dwell && *joint.initial_dwell > 1) {
    const ReadContext::Scope scope(context, "initial_dwell");
    context.fail(*find_member(node, "initial_dwell"), "must be between 0 and 1");
  }
  if (joint.axis2 && std::abs(joint.axis.dot(*joint.axis2)) > 1e-6) {
    const ReadContext::Scope scope(context, "axis2");
    context.fail(*find_member(node, "axis2"), "must be normal to axis");
  }
}

void add_initial_coordinates(Description<JointSpec>& d) {
  using J = JointSpec;
  const std::string position = "Initial coordinates.", velocity = "Initial rates.";
  const Measurand turn_or_slide(dim::angle, dim::length), rates(dim::angular_velocity, dim::velocity);
  const Measurand w(dim::angular_velocity), v(dim::velocity);
  d.add_for(with_coordinates, "position", &J::position, coordinates(turn_or_slide), position).by_default("0");
  d.add_for({"spherical"}, "position", &J::position, spherical_position(), position).by_default("no rotation");
  d.add_for({"free"}, "position", &J::position, free_position(), position).by_default("no displacement");
  d.add_for(with_coordinates, "velocity", &J::velocity, coordinates(rates), velocity).by_default("0");
  d.add_for({"spherical"}, "velocity", &J::velocity, several({w, w, w}, "3: " + describe(w)), velocity).by_default("0");
  d.add_for({"free"}, "velocity", &J::velocity, several({w, w, w, v, v, v}, "6: " + describe(w) + ", " + describe(v)),
            velocity)
      .by_default("0");
}

}  // namespace

std::vector<CoordinateName> list_coordinates(const std::string& joint_type) {
  const JointKind kinds[] = {JointRevolute{},    JointPrismatic{}, JointScrew{},
                             JointCylindrical{}, JointUniversal{}, JointPlanar{}};
  std::vector<CoordinateName> names;
  for (const JointKind& kind : kinds) {
    if (joint_type != name_of(kind)) continue;
    for (int k = 0; k < calc_nq(kind); ++k) names.push_back(coordinate_name(kind, k));
  }
  return names;
}

bool slides(const CoordinateName& coordinate) {
  return std::string_view(coordinate.unit) == "m";
}

void find_whether_slides(ReadContext& context, const Node& table) {
  context.slides.reset();
  const Node* reference = find_member(table, "joint");
  if (!reference || !reference->is_text()) return;
  const std::size_t dot = reference->text.find('.');
  const Node* joints = find_member(context.root(), "joint");
  const Node* joint = joints ? find_member(*joints, reference->text.substr(0, dot)) : nullptr;
  const Node* type = joint ? find_member(*joint, "type") : nullptr;
  if (!type) return;
  const std::string name = dot == std::string::npos ? "" : reference->text.substr(dot + 1);
  for (const CoordinateName& coordinate : list_coordinates(type->text)) {
    if (coordinate.name == name) context.slides = slides(coordinate);
  }
}

const Description<JointSpec>& describe_joint() {
  static const Description<JointSpec> description = [] {
    using J = JointSpec;
    Description<J> d("[joint.NAME]", "Connects two bodies: how the child can move relative to the parent.");
    d.set_types(
        {{"weld", "No motion."},
         {"revolute", "Rotation about the axis."},
         {"prismatic", "Translation along the axis."},
         {"screw", "Rotation about the axis with a translation of one pitch per turn."},
         {"cylindrical", "Rotation about the axis and translation along it: coordinates angle, displacement."},
         {"universal", "Rotation about the axis, then about the second axis: coordinates angle_z, angle_x."},
         {"planar", "Translation in the plane normal to the axis and rotation about it: coordinates x, y, angle."},
         {"spherical", "Any rotation about a point."},
         {"free", "Any motion: coordinates of a free body relative to its parent."}},
        &J::type, [](const std::string& type) {
          J joint;
          joint.type = type;
          return joint;
        });
    d.add("parent", &J::parent, text(), "A body, or \"world\".");
    d.add("child", &J::child, text(), "The body that the joint moves.").must_be_given();
    d.add("at", &J::at, vector(dim::length), "Position of the joint in the parent's frame.");
    d.add_for(with_coordinates, "axis", &J::axis, axis(), "Axis of the joint in the parent's frame.");
    d.add_for({"universal"}, "axis2", &J::axis2, axis(),
              "The second axis at coordinates 0, normal to the first, in the parent's frame.")
        .by_default("a direction normal to axis");
    d.add_for({"screw"}, "pitch", &J::pitch, quantity(dim::length), "Translation per turn.").must_be_given();
    d.add("child_at", &J::child_at, vector(dim::length),
          "Position of the joint in the child's frame, if the child has no `position`.");
    d.add("child_orientation", &J::child_orientation, orientation(),
          "Orientation of the child relative to the parent at coordinates 0, if the child has no `orientation`.");
    add_initial_coordinates(d);
    const Measurand turn_or_slide(dim::angle, dim::length);
    d.add_for(with_coordinates, "lower", &J::lower, coordinates(turn_or_slide), "Lower limits of the coordinates.")
        .by_default("no limit");
    d.add_for(with_coordinates, "upper", &J::upper, coordinates(turn_or_slide),
              "Upper limits of the coordinates, above the lower ones.")
        .by_default("no limit");
    const Measurand stiffness(dim::torsional_stiffness, dim::stiffness), loss(dim::torsional_damping, dim::damping);
    d.add_for(with_coordinates, "limit_stiffness", &J::limit_stiffness, coordinates(stiffness, at_least(0)),
              "Stiffness of the limits. `smooth`, `compliant`; in the rigid methods limits are rigid.")
        .by_default("that of 50 Hz with the inertia at the start");
    d.add_for(with_coordinates, "limit_damping", &J::limit_damping, coordinates(loss, at_least(0)),
              "Damping of the limits; they never pull. `smooth`, `compliant`.")
        .by_default("critical");
    d.add_for(
         with_coordinates, "friction", &J::friction, coordinates({dim::torque, dim::force}, at_least(0)),
         "Coulomb friction torque or force, independent of the load: rigid in the rigid methods, by the bristle law in "
         "`smooth` and `compliant`.")
        .by_default("0");
    d.add_for(with_coordinates, "viscous", &J::viscous, coordinates(loss, at_least(0)),
              "Viscous friction: torque or force per velocity.")
        .by_default("0");
    d.add_for(with_coordinates, "static_friction", &J::static_friction,
              coordinates({dim::torque, dim::force}, at_least(0)), "Largest friction at rest, at least `friction`.")
        .by_default("`friction`")
        .by_formula("T_S in T_C + (T_S - T_C) s_dw", "gonthier-thesis-2007, eq. 3.37");
    d.add_for(with_coordinates, "load_friction", &J::load_friction,
              coordinates({dim::length, dim::number}, at_least(0)),
              "Friction that grows with the size R of the joint's reaction force: mu r of a journal bearing, mu of a "
              "slide (there of the force across its axis).")
        .by_default("0")
        .by_formula("T_C = friction + load_friction L, dL/dt = (R - L) / load_time");
    d.add_for(with_coordinates, "load_time", &J::load_time, quantity(dim::time, above(0)),
              "Time with which `load_friction` follows the reaction.");
    d.add_for(with_coordinates, "presliding", &J::presliding, coordinates(turn_or_slide, at_least(0)),
              "How far the joint gives way before it slides. `smooth`, `compliant`.")
        .by_default("1 mrad, 0.1 mm")
        .by_formula("sigma_0 = T_S / presliding", "gonthier-thesis-2007, eq. 3.46");
    d.add_for(with_coordinates, "stribeck_velocity", &J::stribeck_velocity,
              coordinates({dim::angular_velocity, dim::velocity}, at_least(0)),
              "Velocity v_S between sticking and sliding.")
        .by_default("10 mrad/s, 1 mm/s")
        .by_formula("s = exp(-(v/v_S)^2)", "gonthier-thesis-2007, eq. 3.30");
    d.add_for(with_coordinates, "bristle_damping", &J::bristle_damping, coordinates(loss, at_least(0)),
              "Damping of the bristles. `smooth`, `compliant`.")
        .by_default("static_friction / stribeck_velocity");
    d.add_for(with_coordinates, "dwell_time", &J::dwell_time, quantity(dim::time, at_least(0)),
              "Time in which static friction builds up at rest; 0: at once.")
        .by_default("`smooth`, `compliant`: 10 presliding / stribeck_velocity, 1 s by their defaults; rigid methods: 0")
        .by_formula("ds_dw/dt = (s - s_dw) / dwell_time", "gonthier-thesis-2007, eq. 3.36");
    d.add_for(with_coordinates, "initial_dwell", &J::initial_dwell, quantity(dim::number, at_least(0)),
              "Part of the static friction that has built up when the run begins, 0 to 1. By default that of a joint "
              "which has moved for long as it does then.")
        .by_default("exp(-(v/v_S)^2) of the velocity at the start: 1 at rest");
    d.add("form", &J::form, joint_form(),
          "How the joint is modelled: as coordinates of a tree, or as constraints between free bodies.")
        .by_default("method.joints");
    d.set_check(check_joint);
    d.set_example(
        "[joint.elbow]\ntype = \"revolute\"\nparent = \"upper_arm\"\nchild = \"forearm\"\nat = [0.3, 0, 0]\naxis = [0, "
        "0, 1]\n"
        "child_at = [0, 0, 0]\nposition = \"20 deg\"\nvelocity = \"120 rpm\"\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
