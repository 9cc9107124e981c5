#include <fmt/format.h>

#include "stiction/base/text.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/read/other_names.h"

namespace stiction {

namespace dim = dimension;

namespace {

constexpr Dimension pressure{.mass = 1, .length = -1, .time = -2}, per_length{.length = -1},
    per_velocity{.length = -1, .time = 1}, per_volume{.mass = 1, .length = -2, .time = -2};
/// Volumes are good to the rounding of their bodies' coordinates at best (geometry/volume/interference.h).
constexpr double finest_accuracy = 1e-12;

/// One number for both bodies, or one for each.
ValueType<std::vector<double>> one_or_two(const Dimension& dimension, const Range& range) {
  ValueType<std::vector<double>> type = quantities(dimension, range);
  const auto read = [dimension, range](ReadContext& context, const Node& node) -> std::optional<std::vector<double>> {
    if (node.is_array()) return read_quantities(context, node, 2, {dimension}, range);
    const auto value = read_quantity(context, node, dimension, range);
    if (!value) return {};
    return std::vector<double>{*value};
  };
  return {describe(Measurand(dimension)) + ", or an array of two",
          type.range,
          read,
          {},
          [](const std::vector<double>& values, bool) -> std::optional<Node> {
            if (values.empty()) return {};
            return values.size() == 1 ? make_number(values[0]) : make_numbers(values.data(), values.size());
          }};
}

/// A number, or text with any unit.
std::optional<FormulaParameter> read_parameter(ReadContext& context, const Member& member) {
  FormulaParameter parameter{.name = member.key, .value = 0, .dimension = {}};
  if (member.value.is_text()) {
    const auto parsed = parse_quantity(member.value.text);
    if (const auto* fault = std::get_if<QuantityFault>(&parsed)) {
      context.fail(member.value, fault->message, fault->hint);
      return {};
    }
    const auto& [value, dimension] = std::get<Quantity>(parsed);
    parameter.value = value;
    parameter.dimension = FormulaDimension{dimension.mass, dimension.length, dimension.time};
    return parameter;
  }
  const auto value = read_quantity(context, member.value, dim::number);
  if (!value) return {};
  parameter.value = *value;
  return parameter;
}

ValueType<std::vector<FormulaParameter>> formula_parameters() {
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<std::vector<FormulaParameter>> {
    if (!node.is_table()) {
      context.fail(node, fmt::format("expected a table of numbers, got {}", show(node)), "write { k = \"1 MN/m\" }");
      return {};
    }
    std::vector<FormulaParameter> list;
    for (const Member& member : node.members) {
      const ReadContext::Scope scope(context, member.key);
      if (auto parameter = read_parameter(context, member)) list.push_back(*std::move(parameter));
    }
    return list;
  };
  const auto write = [](const std::vector<FormulaParameter>& list, bool) -> std::optional<Node> {
    if (list.empty()) return {};
    Node table;
    for (const auto& [name, value, dimension] : list) {
      const auto unit = [](const FormulaDimension& d) {
        return unit_of({.mass = d.mass, .length = d.length, .time = d.time});
      };
      Node node = dimension ? make_text(fmt::format("{} {}", value, unit(*dimension))) : make_number(value);
      table.members.push_back({name, {}, std::move(node)});
    }
    return table;
  };
  return {"table of numbers", {}, read, {}, write};
}

template <class Spec>
std::string find_written_law(const Spec& spec) {
  if (spec.law == "function") throw InputError("a law that is a function of a program cannot be written as text");
  return spec.law;
}

void check_volume(ReadContext& context, const Node& node, const NormalSpec& spec) {
  const bool given = means_member(node, "stiffness"), of_material = means_member(node, "modulus");
  if (given && of_material) context.fail(node, "stiffness and modulus are both given", "remove one of them");
  if (!given && !of_material)
    context.fail(node, "\"stiffness\" or \"modulus\" is missing",
                 "k_v in N/m^3, or Young's modulus in Pa and the depth of the elastic layer in m");
  if (of_material && spec.layer.empty() && !find_member(node, "layer"))
    context.fail(node, "modulus needs layer",
                 "the depth of what deforms: about the size of the patch for solid bodies");
  for (const double nu : spec.poisson)
    if (nu == 0.5) context.fail(node, "poisson must be below 0.5: a confined layer has no stiffness there");
  if (spec.accuracy < finest_accuracy || spec.accuracy > 0.1)
    context.fail(node, fmt::format("accuracy must be in [1e-12, 0.1], got {}", format_number(spec.accuracy)),
                 "below 1e-12 a volume is rounding; 1e-6 is the default");
}

void check_normal(ReadContext& context, const Node& node, NormalSpec& spec) {
  if (spec.restitution && spec.restitution_slope)
    context.fail(node, "restitution and restitution_slope are both given", "remove one of them");
  if (const Node* e = find_member(node, "restitution"); e && spec.restitution) {
    if (*spec.restitution < 0)
      context.fail(*e, fmt::format("restitution must be in (0, 1], got {}", format_number(*spec.restitution)));
    if (*spec.restitution == 0)
      context.fail(*e, "restitution must be in (0, 1]: at 0 the damping d/(e v) of a compliant contact is infinite",
                   "use 0.01, which loses 99.99 % of the energy; rigid methods take 0 in the contact table itself");
    if (*spec.restitution > 1) context.fail(*e, "restitution must be in (0, 1]: an impact does not create energy");
  }
  if (spec.law == "hertz" && spec.stiffness && !spec.modulus.empty())
    context.fail(node, "stiffness and modulus are both given", "remove one of them");
  if (spec.law == "hertz" && !spec.stiffness && spec.modulus.empty() && !means_member(node, "stiffness") &&
      !means_member(node, "modulus"))
    context.fail(node, "\"stiffness\" or \"modulus\" is missing", "k in N/m^1.5, or Young's modulus in Pa");
  if (spec.law == "volume") check_volume(context, node, spec);
}

void check_friction(ReadContext& context, const Node& node, FrictionSpec& spec) {
  if (spec.law == "none" || context.type.empty()) return;
  if (spec.law == "bristle" && !means_member(node, "kinetic") && !means_member(node, "static"))
    context.fail(node, "\"kinetic\" is missing", "the coefficient of friction while sliding");
  if (spec.kinetic && spec.static_coefficient && *spec.kinetic > *spec.static_coefficient)
    context.fail(node, "kinetic must be at most static: mu_C <= mu_S", "lower kinetic, or raise static");
  if (spec.presliding && spec.stiffness)
    context.fail(node, "presliding and stiffness are both given",
                 "remove one of them: stiffness = static / presliding");
  if (spec.tolerance_velocity && spec.stribeck_velocity && *spec.tolerance_velocity > *spec.stribeck_velocity)
    context.fail(node, "tolerance_velocity must be at most stribeck_velocity: v_eps <= v_S",
                 "remove it: the default is a hundredth of stribeck_velocity");
  if (spec.torsional_stiffness > 0 && (!spec.torsional_damping || !spec.radius))
    context.fail(node, "torsional_stiffness needs torsional_damping and radius");
}

}  // namespace

const Description<NormalSpec>& describe_normal() {
  static const Description<NormalSpec> description = [] {
    using N = NormalSpec;
    Description<N> d("normal",
                     "The law of the normal force, in `[contact.\"A/B\"]`. x is the depth of penetration, v its rate.");
    d.set_types(
        {{"linear", "Kelvin-Voigt: a linear spring and damper. No tension.", "f = max(k x + c v, 0)"},
         {"hertz", "Hertzian spring with the damping of Hunt and Crossley: an impact leaves with e times its speed.",
          "f = k x^1.5 (1 + a v), a = d / (e v_i)", "gonthier-thesis-2007, eqs 2.1-2.4, 3.11-3.25"},
         {"power", "The law of `hertz` with any power p of the depth.", "f = k x^p (1 + a v), a = d / (e v_i)",
          "gonthier-thesis-2007, eqs 3.11-3.25"},
         {"volume", "Elastic foundations: V is the volume that the bodies have in common. With rolling resistance.",
          "f = k_v V (1 + a v), tau_r = -k_v a K w_t", "gonthier-thesis-2007, eqs 4.62, 4.67, 4.178"},
         {"formula",
          "A law of your own, of the depth x, its rate v and the speed of touch-down vi, e.g. force = \"k * x^1.5\". "
          "It is "
          "refused where it pulls at rest, feeds energy or is not a number.",
          "f = max(F(x, v, vi), 0)"}},
        [](const N& spec) { return find_written_law(spec); },
        [](const std::string& law) {
          NormalSpec spec;
          spec.law = law;
          return spec;
        },
        {}, "law");
    const char* const bears = "k > 0: a compliant contact carries load by its stiffness";
    d.add_for({"linear"}, "stiffness", &N::stiffness, quantity(dim::stiffness, above(0, bears)), "Stiffness k.")
        .must_be_given();
    d.add_for({"linear"}, "damping", &N::damping, quantity(dim::damping, at_least(0)), "Damping c.");
    d.add_for({"hertz"}, "stiffness", &N::stiffness, quantity(dim::number, above(0, bears)),
              "Stiffness k in N/m^1.5, instead of `modulus`.");
    d.add_for({"hertz"}, "modulus", &N::modulus, one_or_two(pressure, above(0)),
              "Young's modulus of both bodies, or of each, instead of `stiffness`: k follows from it and the "
              "curvatures at the "
              "contact.")
        .by_formula("k = 4/3 E* sqrt(R), 1/E* = sum (1 - nu^2)/E", "gonthier-thesis-2007, eqs 2.1-2.4");
    d.add_for({"hertz"}, "poisson", &N::poisson, one_or_two(dim::number, between(0, 0.5)),
              "Poisson's ratio of both bodies, or of each.")
        .by_default("0.3");
    d.add_for({"power"}, "stiffness", &N::stiffness, quantity(dim::number, above(0, bears)), "Stiffness k in N/m^p.")
        .must_be_given();
    d.add_for({"power"}, "exponent", &N::exponent, quantity(dim::number, at_least(1)), "Exponent p of the depth.");
    d.add_for({"volume"}, "stiffness", &N::volume_stiffness,
              one_or_two(per_volume, above(0, "k_v > 0: a compliant contact carries load by its stiffness")),
              "Volumetric stiffness k_v of the pair, or of each body; instead of `modulus`.")
        .by_formula("1/k_v = 1/k_A + 1/k_B", "gonthier-thesis-2007, eq. 4.132");
    d.add_for({"volume"}, "modulus", &N::modulus, one_or_two(pressure, above(0)),
              "Young's modulus of both bodies, or of each, with `layer`, instead of `stiffness`.")
        .by_formula("k = E (1 - nu) / ((1 + nu) (1 - 2 nu)) / layer", "Johnson, Contact Mechanics, 1985, section 4.3");
    d.add_for({"volume"}, "poisson", &N::poisson, one_or_two(dim::number, between(0, 0.5)),
              "Poisson's ratio of both bodies, or of each.")
        .by_default("0.3");
    d.add_for({"volume"}, "layer", &N::layer, one_or_two(dim::length, above(0)),
              "Depth of the elastic layer of both bodies, or of each.");
    d.add_for({"volume"}, "direction", &N::direction, word({"area", "inertia"}),
              "Normal of the patch: that of its mean area, or the thesis' eigenvector of the volume's inertia.");
    d.add_for({"volume"}, "accuracy", &N::accuracy, quantity(dim::number, above(0)),
              "Relative accuracy of volumes that have no closed form.");
    d.add_for(
         {"formula"}, "force", [](N& spec) -> std::string& { return spec.formula.text; }, text(),
         "F(x, v, vi) in N, in SI units: + - * / ^, sqrt, exp, min, max, abs, comparisons and ? : as in muParser.")
        .must_be_given();
    d.add_for(
        {"formula"}, "parameters", [](N& spec) -> std::vector<FormulaParameter>& { return spec.formula.parameters; },
        formula_parameters(),
        "Numbers that the formula names, with units or without: { k = \"1 MN/m\", p = 2 }. If all have units, the "
        "formula must have the dimension of a force.");
    const std::vector<std::string> damped = {"hertz", "power", "volume"};
    // check_normal judges it: each side of the range has its own reason.
    ValueType<double> fraction = quantity(dim::number);
    fraction.range = "in (0, 1]";
    d.add_for(damped, "restitution", &N::restitution, fraction,
              "Coefficient of restitution e: the ratio of the normal velocities after and before an impact.")
        .by_default("1");
    d.add_for(damped, "restitution_slope", &N::restitution_slope, quantity(per_velocity, above(0)),
              "alpha of e = 1 - alpha v_i, with v_i the impact velocity; e is at least 0.01.");
    d.add_for(damped, "damping_rule", &N::damping_rule, word({"exact", "hunt_crossley", "lankarani_nikravesh"}),
              "How the damping a follows from e: exactly, or by an approximation for e near 1.");
    d.add_for(damped, "small_velocity", &N::small_velocity,
              quantity(dim::velocity, above(0, "v_small > 0: at 0 the damping d/(e v) is infinite")),
              "v_small: slower impacts have the damping of this velocity.");
    d.add_for(damped, "relaxation_time", &N::relaxation_time, quantity(dim::time, at_least(0)),
              "Fixed steps: the depth at which a contact is first found is ignored and fades in with this time; 0: it "
              "counts at once.");
    d.set_check(check_normal);
    d.set_example(
        "[contact.\"ball/floor\"]\nnormal = { law = \"hertz\", stiffness = 1e6, restitution = 0.5 }\nfriction = 0.4\n");
    return d;
  }();
  return description;
}

const Description<FrictionSpec>& describe_friction() {
  static const Description<FrictionSpec> description = [] {
    using F = FrictionSpec;
    Description<F> d(
        "friction",
        "The law of the friction force, in `[contact.\"A/B\"]`. f_n is the normal force, v the slip velocity.");
    d.set_types(
        {{"none", "No friction."},
         {"coulomb", "Coulomb friction, regularised below a tolerance velocity v_eps. It cannot stick: it creeps.",
          "f_t = -f_n (mu dir(v, v_eps) + sigma_2 v)", "gonthier-thesis-2007, eq. 3.33 for dir"},
         {"bristle",
          "The seven-parameter bristle model of Gonthier: it sticks, breaks away and slides, with a dwell-time effect.",
          "f_t = -f_n (w + sigma_2 v), w = sat(sigma_0 z + sigma_1 dz/dt, mu_C + (mu_S - mu_C) s_dw)",
          "gonthier-thesis-2007, eqs 3.30-3.42"},
         {"spring",
          "A tangential spring and damper attached at the contact, deflected by sliding and not by rolling, that slips "
          "at mu f_n.",
          "f_t = -sat(k delta + c v, mu f_n)", "contact-kinematics-2003, section 5"},
         {"formula",
          "A coefficient of your own, of the speed of slip v and the normal force N, e.g. coefficient = \"0.3 + 0.1 * "
          "exp(-v / 0.01)\". It is refused where it is below 0 or not a number.",
          "f_t = -f_n mu(v, N) dir(v, v_eps)"}},
        [](const F& spec) { return find_written_law(spec); },
        [](const std::string& law) {
          FrictionSpec spec;
          spec.law = law;
          return spec;
        },
        {}, "law");
    const std::vector<std::string> bristle = {"bristle"}, spring = {"spring"};
    d.add_for({"coulomb", "spring"}, "kinetic", &F::kinetic, quantity(dim::number, at_least(0)),
              "Coefficient of kinetic friction mu.")
        .must_be_given();
    d.add_for(bristle, "kinetic", &F::kinetic, quantity(dim::number, at_least(0)),
              "Coefficient of kinetic friction mu_C.")
        .by_default("static");
    d.add_for({"coulomb", "bristle"}, "static", &F::static_coefficient,
              quantity(dim::number, above(0, "mu_S > 0: for no friction write law = \"none\"")),
              "Coefficient of static friction mu_S. Rigid methods: a contact that stuck in the step before bears it.")
        .by_default("kinetic");
    d.add_for(bristle, "presliding", &F::presliding, quantity(dim::length, above(0)),
              "Displacement before the contact breaks away, instead of `stiffness`: stiffness = static / presliding.")
        .by_default("0.1 mm");
    d.add_for(bristle, "stiffness", &F::stiffness,
              quantity(per_length, above(0, "sigma_0 > 0: it holds sticking bodies")),
              "Bristle stiffness sigma_0 per unit of normal force.")
        .by_default("static / presliding");
    d.add_for(bristle, "damping", &F::damping,
              quantity(per_velocity, above(0, "sigma_1 > 0: without damping the bristles oscillate indefinitely")),
              "Bristle damping sigma_1 per unit of normal force.")
        .by_default("critical damping under its own weight, 2 sqrt(stiffness / g)");
    d.add_for({"coulomb", "bristle"}, "viscous", &F::viscous, quantity(per_velocity, at_least(0)),
              "Viscous friction sigma_2 per unit of normal force.");
    d.add_for(bristle, "stribeck_velocity", &F::stribeck_velocity,
              quantity(dim::velocity, above(0, "v_S > 0: sticking ends near this slip velocity")),
              "Stribeck velocity v_S, near which sticking ends.")
        .by_default("kinetic / damping, at least 1 mm/s");
    d.add_for({"coulomb", "bristle"}, "dwell_time", &F::dwell_time, quantity(dim::time, at_least(0)),
              "Dwell time constant tau_dw: static friction builds up with it while a contact sticks; 0: at once.")
        .by_default("`compliant`: 10 damping / stiffness; rigid methods: 0");
    d.add_for({"coulomb", "bristle", "formula"}, "tolerance_velocity", &F::tolerance_velocity,
              quantity(dim::velocity, above(0, "v_eps > 0: at 0 the force would jump where the slip reverses")),
              "Velocity v_eps below which the direction of slip is regularised.")
        .by_default("stribeck_velocity / 100; coulomb and formula: 1 mm/s");
    d.add_for({"coulomb", "bristle"}, "initial_dwell", &F::initial_dwell, quantity(dim::number, between(0, 1)),
              "Dwell state of contacts that touch at the start: 0 has just touched, 1: fully stuck.");
    d.add_for(spring, "stiffness", &F::stiffness, quantity(dim::stiffness, above(0)), "Stiffness k.").must_be_given();
    d.add_for(spring, "damping", &F::damping, quantity(dim::damping, above(0)), "Damping c.").must_be_given();
    d.add_for(spring, "torsional_stiffness", &F::torsional_stiffness, quantity(dim::torsional_stiffness, at_least(0)),
              "Torsional stiffness about the normal; 0: no moment.");
    d.add_for(spring, "torsional_damping", &F::torsional_damping, quantity(dim::torsional_damping, above(0)),
              "Torsional damping about the normal.");
    d.add_for(spring, "radius", &F::radius, quantity(dim::length, above(0)),
              "Radius r that limits the moment to mu f_n r.");
    d.add_for(
         {"formula"}, "coefficient", [](F& spec) -> std::string& { return spec.formula.text; }, text(),
         "mu(v, N), in SI units, in the language of [normal](#normal)'s `force`.")
        .must_be_given();
    d.add_for(
        {"formula"}, "parameters", [](F& spec) -> std::vector<FormulaParameter>& { return spec.formula.parameters; },
        formula_parameters(),
        "Numbers that the formula names, with units or without. If all have units, it must be a pure number.");
    d.add_for({"coulomb", "bristle"}, "contensou", &F::contensou, word({"elliptic", "disc", "polygon"}),
              "Patches that slide and spin at once: the thesis' relation, the integral over a circular patch, or that "
              "over the polygons between boxes, polytopes and half-spaces (`disc` for others).");
    d.add_for({"coulomb", "bristle"}, "spin_factor", &F::spin_factor, quantity(dim::number, at_least(0)),
              "Factor of the moment about the normal of a patch with volume.");
    d.set_check(check_friction);
    d.set_example(
        "[contact.\"block/plate\"]\nnormal = { law = \"linear\", stiffness = \"1 MN/m\", damping = 100 }\nfriction = { "
        "law "
        "= \"bristle\", static = 0.45, kinetic = 0.4, stiffness = 1e5, damping = 1e4, stribeck_velocity = 0.1 }\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
