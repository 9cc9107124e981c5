#include "stiction/scene/read/other_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"

namespace stiction {
namespace {

/// Several entries for a word stand side by side in the hint, if all are candidates.
constexpr OtherName other_names[] = {
    // Letters of docs/notation.md.
    {"mu", "friction"},
    {"e", "restitution"},
    {"h", "step"},
    {"phi", "gap"},
    {"gamma", "impulse"},
    {"trust", "verdict"},
    // Shapes.
    {"cube", "box", "its size is [a, a, a]"},
    {"cuboid", "box"},
    {"block", "box"},
    {"brick", "box"},
    {"ball", "sphere"},
    {"plane", "halfspace", "everything below the plane is solid"},
    {"ground", "halfspace"},
    {"half_space", "halfspace"},
    {"wall", "halfspace"},
    {"rod", "capsule"},
    {"pill", "capsule"},
    {"disc", "cylinder"},
    {"disk", "cylinder"},
    {"pipe", "hollow_cylinder"},
    {"tube", "hollow_cylinder"},
    {"ring", "torus"},
    {"frustum", "cone", "with a top_radius"},
    {"mesh", "polytope", "the convex hull of its corners; a concave body has several parts"},
    {"convex", "polytope"},
    {"hull", "polytope"},
    // Joints.
    {"hinge", "revolute"},
    {"pin", "revolute"},
    {"rotational", "revolute"},
    {"continuous", "revolute"},
    {"slider", "prismatic"},
    {"slide", "prismatic"},
    {"translational", "prismatic"},
    {"linear", "prismatic"},
    {"ball", "spherical"},
    {"rigid", "weld"},
    {"fixed", "weld"},
    {"floating", "free"},
    {"helical", "screw"},
    {"cardan", "universal"},
    // Methods and laws.
    {"rigid", "cone"},
    {"euler", "rk1"},
    {"verlet", "semi_implicit_euler"},
    {"symplectic_euler", "semi_implicit_euler"},
    {"runge_kutta", "rk4"},
    {"ode45", "dormand_prince"},
    {"bdf", "cvode_bdf"},
    {"moreau", "cone"},
    {"nsc", "cone"},
    {"lcp", "stewart_trinkle"},
    {"penalty", "compliant"},
    {"soft", "compliant"},
    {"smc", "compliant"},
    {"hunt_crossley", "hertz", "with damping_rule = \"hunt_crossley\""},
    // Keys. A word may stand for several: in each table for those that it has.
    {"dt", "step"},
    {"timestep", "step"},
    {"time_step", "step"},
    {"end", "duration"},
    {"end_time", "duration"},
    {"t_end", "duration"},
    {"tend", "duration"},
    {"stop", "duration"},
    {"diameter", "radius", "half of the diameter"},
    {"r", "radius"},
    {"half_extents", "size", "the full lengths of the edges"},
    {"extents", "size"},
    {"dimensions", "size"},
    {"side", "size"},
    {"radii", "semi_axes"},
    {"points", "vertices"},
    {"static", "fixed"},
    {"kinematic", "motion"},
    {"rpy", "orientation"},
    {"euler", "orientation"},
    {"rotation", "orientation"},
    {"quat", "orientation"},
    {"quaternion", "orientation"},
    {"angle", "orientation"},
    {"attitude", "orientation"},
    {"pos", "position"},
    {"origin", "position"},
    {"center", "position"},
    {"location", "position"},
    {"translation", "position"},
    {"vel", "velocity"},
    {"linear_velocity", "velocity"},
    {"omega", "angular_velocity"},
    {"spin", "angular_velocity"},
    {"com", "center_of_mass"},
    {"cog", "center_of_mass"},
    {"geometry", "shape"},
    {"geom", "shape"},
    {"collision", "shape"},
    {"g", "gravity"},
    {"cor", "restitution"},
    {"bounce", "restitution"},
    {"elasticity", "restitution"},
    {"limits", "lower"},
    {"limits", "upper"},
    {"range", "lower"},
    {"range", "upper"},
    {"min", "lower"},
    {"max", "upper"},
    {"damping", "viscous"},
    {"body_a", "a"},
    {"body1", "a"},
    {"from", "a"},
    {"body_b", "b"},
    {"body2", "b"},
    {"to", "b"},
    {"body_a", "parent"},
    {"body1", "parent"},
    {"from", "parent"},
    {"body_b", "child"},
    {"body2", "child"},
    {"body", "child"},
    {"to", "child"},
    {"anchor", "at"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"d", "damping"},
    {"length", "rest_length"},
    {"l0", "rest_length"},
    {"torque", "effort"},
    {"force", "effort"},
    {"target", "position"},
    {"kp", "proportional"},
    {"p", "proportional"},
    {"kd", "derivative"},
    {"ki", "integral"},
    {"every", "output"},
    {"initial_velocity", "velocity"},
    {"initial_position", "position"},
    {"tolerance", "solver_tolerance"},
    {"tol", "solver_tolerance"},
    {"rope", "distance", "a rope that can go slack is a spring with acts = \"tension\""},
    {"cable", "distance", "a cable that can go slack is a spring with acts = \"tension\""},
    {"rod", "distance"},
    {"gear", "coupler"},
    {"pulley", "coupler"},
    {"rest_angle", "rest"},
    {"pid", "joint"},
    {"pd", "joint"},
    {"bodies", "body", "a table [body.NAME] for each"},
    {"links", "body", "a table [body.NAME] for each"},
    {"joints", "joint", "a table [joint.NAME] for each"},
    {"contacts", "contact", "a table [contact.\"A/B\"] for each pair"},
    {"pairs", "contact", "a table [contact.\"A/B\"] for each"},
    {"simulation", "time"},
    {"solver", "method"},
    {"options", "method"},
    {"ground", "body", "[body.floor], fixed = true, with a shape of type \"halfspace\""},
    {"floor", "body", "[body.floor], fixed = true, with a shape of type \"halfspace\""},
    {"static_friction", "friction", "a table: { law = \"coulomb\", static = 0.4, kinetic = 0.3 }"},
    {"dynamic_friction", "friction", "a table: { law = \"coulomb\", static = 0.4, kinetic = 0.3 }"},
    {"kinetic_friction", "friction", "a table: { law = \"coulomb\", static = 0.4, kinetic = 0.3 }"},
    {"mu_s", "static"},
    {"mu_k", "kinetic"},
    {"dynamic", "kinetic"},
    {"friction_coefficient", "friction"},
    {"velocity", "motion", "a table: { velocity = ... }"},
    {"position", "motion", "a table: { start = ... } or { table = ... }"},
    {"interval", "output"},
    // Units.
    {"sec", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"minute", "min"},
    {"minutes", "min"},
    {"hour", "h"},
    {"hours", "h"},
    {"meter", "m"},
    {"meters", "m"},
    {"metre", "m"},
    {"metres", "m"},
    {"gram", "g"},
    {"grams", "g"},
    {"ton", "t"},
    {"tonne", "t"},
    {"newton", "N"},
    {"degree", "deg"},
    {"degrees", "deg"},
    {"radian", "rad"},
    {"radians", "rad"},
    {"turns", "rev"},
    {"lb", "kg", "1 lb = 0.45359237 kg"},
    {"lbf", "N", "1 lbf = 4.4482216 N"},
    {"in", "mm", "1 in = 25.4 mm"},
    {"inch", "mm", "1 in = 25.4 mm"},
    {"ft", "m", "1 ft = 0.3048 m"},
    {"bar", "Pa", "1 bar = 100 kPa"},
    {"psi", "Pa", "1 psi = 6.894757 kPa"},
    {"mph", "km/h", "1 mph = 1.609344 km/h"},
    {"kmh", "km/h"},
    {"kph", "km/h"},
    {"knot", "km/h", "1 knot = 1.852 km/h"},
    {"kgf", "N", "1 kgf = 9.80665 N"},
    {"oz", "g", "1 oz = 28.349523125 g"},
    {"hp", "W", "1 hp = 745.69987 W"},
};

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

std::span<const OtherName> list_other_names() {
  return other_names;
}

std::vector<OtherName> find_other_names(std::string_view word) {
  const std::string wanted = lower_case(word);
  std::vector<OtherName> found;
  for (const OtherName& entry : other_names) {
    if (entry.word == wanted) found.push_back(entry);
  }
  return found;
}

std::string make_other_name_hint(std::string_view word, const std::vector<std::string>& candidates) {
  std::vector<std::string> names;
  std::string_view remark;
  for (const OtherName& entry : find_other_names(word)) {
    if (std::find(candidates.begin(), candidates.end(), entry.name) == candidates.end()) continue;
    names.push_back(quote(entry.name));
    if (remark.empty()) remark = entry.remark;
  }
  if (names.empty()) return {};
  std::string hint = fmt::format("here this is called {}", join_words(names));
  return remark.empty() ? hint : fmt::format("{}: {}", hint, remark);
}

bool stands_for(std::string_view word, std::string_view name) {
  const std::vector<OtherName> others = find_other_names(word);
  return std::any_of(others.begin(), others.end(), [&](const OtherName& other) { return other.name == name; });
}

bool means_member(const Node& table, std::string_view key) {
  return std::any_of(table.members.begin(), table.members.end(),
                     [&](const Member& member) { return member.key == key || stands_for(member.key, key); });
}

}  // namespace stiction
