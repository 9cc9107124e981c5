#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"
#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

constexpr Dimension inverse_velocity{.length = -1, .time = 1};

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// A body, a shape of a body ("hand.thumb") or a material.
bool is_contact_side(std::string_view side) {
  const std::size_t dot = side.find('.');
  return dot == std::string_view::npos ? is_name(side) : is_name(side.substr(0, dot)) && is_name(side.substr(dot + 1));
}

}  // namespace

namespace {

/// A number or a table.
ValueType<std::variant<double, FrictionSpec>> friction_value() {
  constexpr double most_friction = 1e6;
  using Value = std::variant<double, FrictionSpec>;
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<Value> {
    if (node.is_table()) return Value(describe_friction().read(context, node));
    const auto number = read_quantity(context, node, dimension::number, at_least(0));
    if (number && *number > most_friction)
      context.fail(node, "must be at most 1e6, got " + show(node), "even 10 holds almost everything");
    return number ? std::optional<Value>(*number) : std::nullopt;
  };
  return {"number, or table, see friction", describe_range(at_least(0)), read,
          [](const Value&) { return std::string("0"); },
          [](const Value& value, bool all) -> std::optional<Node> {
            if (const auto* number = std::get_if<double>(&value)) return make_number(*number);
            return describe_friction().write(std::get<FrictionSpec>(value), all);
          }};
}

/// [e_t, e_o] or [e_t, e_o, e_r]: the last one is a length.
ValueType<std::vector<double>> ellipse_value() {
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<std::vector<double>> {
    const std::vector<Measurand> measures = {dimension::number, dimension::number, dimension::length};
    const std::size_t n = node.items.size();
    if (node.is_array() && (n == 2 || n == 3))
      return read_quantities(context, node, n, {measures.begin(), measures.begin() + static_cast<long>(n)},
                             at_least(0));
    context.fail(node, fmt::format("expected 2 numbers, or 3 with a spin moment, got {}", show(node)),
                 "write ellipse = [1, 0.5]");
    return {};
  };
  return {"array of: 2 pure numbers; or 3, the third a length [m]",
          describe_range(at_least(0)),
          read,
          {},
          [](const std::vector<double>& values, bool) -> std::optional<Node> {
            return values.empty() ? std::nullopt : std::optional(make_numbers(values.data(), values.size()));
          }};
}

void check_contact(ReadContext& context, const Node& node, ContactSpec& spec) {
  if (spec.ellipse.size() >= 2 && spec.ellipse[0] != spec.ellipse[1] && spec.direction.isZero())
    context.fail(node, "direction is missing: friction differs along and across it", "write direction = [1, 0, 0]");
  if (spec.restitution && spec.restitution_slope)
    context.fail(node, "restitution and restitution_slope are both given", "remove one of them");
  if ((spec.restitution || spec.restitution_slope) && spec.normal &&
      (spec.normal->restitution || spec.normal->restitution_slope))
    context.fail(node, "restitution is given here and in the normal law", "remove one of them");
  const bool volume = spec.normal && spec.normal->law == "volume";
  if (spec.patch == "volume" && !volume)
    context.fail(node, "patch = \"volume\" needs a normal law of the volume",
                 "write normal = { law = \"volume\", stiffness = \"1e9 N/m^3\", restitution = 0.5 }");
  if (spec.patch == "point" && volume)
    context.fail(node, "the normal law \"volume\" is for patches with volume",
                 "remove patch, or take the law \"hertz\" for points");
  if (volume && spec.points == "followed")
    context.fail(node, "a patch with volume has no closest points to follow", "remove points");
}

}  // namespace

bool check_name(ReadContext& context, const Member& member, const std::vector<std::string>& reserved) {
  if (!is_name(member.key)) {
    context.fail(member.key_spot, fmt::format("{} is not a valid name", quote(member.key)),
                 "a name has 1 to 64 letters, digits, _ and -");
    return false;
  }
  if (std::find(reserved.begin(), reserved.end(), member.key) != reserved.end()) {
    context.fail(member.key_spot, fmt::format("the name {} is reserved", quote(member.key)), "choose another name");
    return false;
  }
  return true;
}

void read_named_tables(ReadContext& context, const Node& node, const std::string& heading,
                       const std::vector<std::string>& reserved, const std::function<void(const Member&)>& read) {
  if (!node.is_table()) {
    context.fail(node, "expected tables " + heading + ", got " + show(node),
                 node.is_array() ? "the name stands in the header: " + heading : "");
    return;
  }
  for (const Member& member : node.members) {
    const ReadContext::Scope scope(context, member.key);
    if (!check_name(context, member, reserved)) continue;
    context.record(member.value.spot);
    read(member);
  }
}

const Description<ContactSpec>& describe_contact() {
  static const Description<ContactSpec> description = [] {
    Description<ContactSpec> d(
        "[contact.\"A/B\"]",
        "The contact law of A and B, each a body, a shape of a body (BODY.PART) or a material. The most specific table "
        "decides: shapes before bodies before materials before [contact.default], and the later one of equals. Bodies "
        "that a joint or constraint connects touch only if a table names both. Method `smooth` has no contact.");
    using C = ContactSpec;
    d.add("touch", &C::touch, flag(), "false: the two pass through each other.");
    d.add("friction", &C::friction, friction_value(),
          "Coulomb's coefficient, or a law: see [friction](#friction). Rigid methods use its kinetic and static "
          "coefficient and "
          "its dwell time. "
          "`compliant` makes a bristle law of a number, with its default parameters.")
        .by_formula("|f_t| <= mu f_n; sliding: f_t = -mu f_n v_t / |v_t|",
                    "Coulomb; as a pyramid: stewart-trinkle-2000, eqs 8, 9, 11, 12");
    d.add(
        "normal", &C::normal, table(describe_normal()),
        "Law of the normal force: see [normal](#normal). Required by `compliant`; rigid methods use its restitution.");
    d.add("layer", &C::layer, table(describe_layer()),
          "A compliant layer between the two, instead of those of their materials: see [layer](#layer). "
          "`geometric_implicit` only; without restitution.")
        .by_default("those of the materials");
    d.add("patch", &C::patch, word({"point", "volume"}),
          "`compliant`: bodies touch with their closest points, or with the region that they have in common: faces and "
          "lines, rolling resistance, friction against spin (docs/volumetric.md).")
        .by_default("volume with a normal law \"volume\", else point");
    d.add("points", &C::points, word({"exact", "followed"}),
          "`compliant`: find the closest points by the exact solver in every evaluation, or integrate their kinematic "
          "equations and correct them after every step (spheres, ellipsoids, superquadrics, half-spaces).");
    d.add("plane", &C::plane, quantity(dimension::number, between(0, 1, "k_b / (k_a + k_b) by the stiffnesses")),
          "Average tangent plane of `compliant` contact points, in which the bodies slide and forces act: its place "
          "between the deepest points of A (0) and B (1), by the stiffnesses of both bodies k_b / (k_a + k_b).")
        .by_default("halfway; on the surface of the bounded body where the other is unbounded")
        .by_formula("p = p_a + (p_b - p_a) k_b / (k_a + k_b)", "contact-kinematics-2003, section 5");
    d.add("ellipse", &C::ellipse, ellipse_value(),
          "Friction ellipse [e_t, e_o] or [e_t, e_o, e_r]: (r_t/e_t)^2 + (r_o/e_o)^2 + (r_s/e_r)^2 <= (mu r_n)^2, with "
          "e_t along `direction`, e_o across it, e_r a length for the moment about the normal. Not of "
          "patches with volume.")
        .by_default("[1, 1]: the same in every direction, no moment")
        .by_formula("(r_t/e_t)^2 + (r_o/e_o)^2 + (r_s/e_r)^2 <= (mu r_n)^2", "compliant-implicit-2007");
    d.add("direction", &C::direction, axis(), "Direction of e_t in the frame of body A.");
    d.add("restitution", &C::restitution,
          quantity(dimension::number, between(0, 1, "0: no rebound; 1: an impact that loses no energy")),
          "Coefficient of restitution of an impact, 0 to 1; what it relates: `hypothesis`. Rigid methods; for "
          "`compliant` give it in `normal`.")
        .by_default("0")
        .by_formula("u_n+ = -e u_n- (newton), p_r = e p_c (poisson), W_r = e^2 W_c (stronge)");
    d.add("restitution_slope", &C::restitution_slope, quantity(inverse_velocity, above(0)),
          "alpha of e = 1 - alpha v, with v the approach of each impact, instead of `restitution`; e is at least 0.01.")
        .by_formula("e = 1 - alpha v", "gonthier-thesis-2007, eq. 3.12");
    d.add("hypothesis", &C::hypothesis, word({"newton", "poisson", "stronge"}),
          "What restitution relates: normal velocities (newton), normal impulses (poisson) or the works of the normal "
          "impulse (stronge), which never creates energy at a contact.")
        .by_default("\"stronge\" with friction, \"newton\" without");
    d.set_check(check_contact);
    d.set_example("[contact.\"rod/floor\"]\nfriction = 0.6\nrestitution = 0.0\n");
    return d;
  }();
  return description;
}

ValueType<NamedList<ContactSpec>> contact_tables() {
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<NamedList<ContactSpec>> {
    NamedList<ContactSpec> list;
    if (!node.is_table()) context.fail(node, fmt::format("expected tables [contact.\"A/B\"], got {}", show(node)));
    for (const Member& member : node.members) {
      const ReadContext::Scope scope(context, member.key);
      context.record(member.value.spot);
      if (!member.value.is_table()) {
        context.fail(member.value, fmt::format("expected a table, got {}", show(member.value)),
                     "the keys of a pair stand below [contact.\"ball/floor\"], those of all other pairs below "
                     "[contact.default]");
        continue;
      }
      if (member.key == "default") {
        list.push_back({member.key, describe_contact().read(context, member.value)});
        continue;
      }
      const std::size_t slash = member.key.find('/');
      const std::string a = member.key.substr(0, slash),
                        b = slash == std::string::npos ? "" : member.key.substr(slash + 1);
      if (is_contact_side(a) && is_contact_side(b)) {
        list.push_back({member.key, describe_contact().read(context, member.value)});
        list.back().value.a = a, list.back().value.b = b;
      } else {
        context.fail(member.key_spot,
                     fmt::format("expected a pair \"A/B\" of bodies, shapes or materials, got {}", quote(member.key)),
                     "write [contact.\"ball/floor\"] or [contact.default]");
      }
    }
    return list;
  };
  const auto write = [](const NamedList<ContactSpec>& list, bool all) -> std::optional<Node> {
    Node tables;
    for (const auto& [name, spec] : list) {
      const bool by_name = spec.a.empty() && spec.b.empty();  // "default", or as a program gave it
      const std::string key = by_name ? name : spec.a + "/" + spec.b;
      tables.members.push_back({key, {}, describe_contact().write(spec, all)});
    }
    return list.empty() ? std::nullopt : std::optional(std::move(tables));
  };
  return {"tables " + describe_contact().info().heading, {}, read, {}, write};
}

}  // namespace stiction
