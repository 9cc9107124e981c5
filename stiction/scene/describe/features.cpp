#include "stiction/scene/describe/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "stiction/base/check.h"
#include "stiction/scene/scene.h"

namespace stiction {
namespace {

/// A reason after "no: " is why not; else how, where that is not plain "yes".
struct Row {
  Feature feature;
  const char* name;
  const char* in_smooth;
  const char* in_compliant;
  const char* in_cone;
  const char* in_geometric_implicit;
  const char* in_stewart_trinkle;
  const char* in_pyramids;  ///< berard, anitescu_potra
};

constexpr const char *yes = "yes", *no_contact = "no: it has no contact", *rigid = "no: rigid contacts do not deflect",
                     *fixed = "no: the step is part of the scheme",
                     *one_matrix = "no: its contacts are taken at one configuration that is known beforehand",
                     *no_layers = "no: only implicit contacts at the end of the step bear a stiff layer";

constexpr const char* one_coefficient = "no: a rigid step is Coulomb's problem, with coefficients";

constexpr Row rows[] = {
    {Feature::coulomb_friction, "contact with Coulomb friction", no_contact, yes, yes, yes, yes, yes},
    {Feature::exact_cone, "exact friction cone", no_contact, yes, yes, yes,
     "no: a linear complementarity problem needs a pyramid", "no: a linear complementarity problem needs a pyramid"},
    {Feature::static_friction, "static above kinetic friction of contacts", no_contact, "bristle law", yes, yes, yes,
     yes},
    {Feature::dwell_time, "dwell time of static friction", no_contact, "bristle law", yes, yes, yes, yes},
    {Feature::presliding, "presliding of contacts", no_contact, yes, rigid, rigid, rigid, rigid},
    {Feature::viscous_contact, "viscous friction of contacts", no_contact, yes,
     "no: Coulomb's cone bounds the friction force", "no: Coulomb's cone bounds the friction force",
     "no: Coulomb's cone bounds the friction force", "no: Coulomb's cone bounds the friction force"},
    {Feature::friction_ellipse, "friction ellipse", no_contact, "points", yes, yes, yes, yes},
    {Feature::spin_moment, "spin moment by the ellipse", no_contact, "points", yes, yes, "polyhedron", "polyhedron"},
    {Feature::average_plane, "average tangent plane by the stiffnesses", no_contact, "points", rigid, rigid, rigid,
     rigid},
    {Feature::patches, "patches with volume", no_contact, yes, rigid, rigid, rigid, rigid},
    {Feature::formulas, "laws by formulas or functions", no_contact, yes, one_coefficient, one_coefficient,
     one_coefficient, one_coefficient},
    {Feature::layers, "compliant layers", no_contact, "no: its normal law is the layer", no_layers, yes, no_layers,
     no_layers},
    {Feature::restitution, "restitution e", no_contact, "by the normal law", yes, yes, yes, yes},
    {Feature::restitution_slope, "restitution e(v) by a slope", no_contact, "by the normal law", yes, yes, yes, yes},
    {Feature::hypothesis, "hypotheses of Newton, Poisson and Stronge", no_contact,
     "no: the damping of the normal law decides", yes, yes, yes, yes},
    {Feature::belts, "belts, driven bodies", "driven bodies", yes, yes, yes, yes, yes},
    {Feature::joint_limits, "joint limits", "as springs", "as springs", yes, yes, yes, yes},
    {Feature::joint_friction, "joint friction", "by bristles", "by bristles", yes, yes, yes, yes},
    {Feature::joint_static_friction, "static above kinetic friction of joints", yes, yes, yes, yes, yes, yes},
    {Feature::joint_dwell_time, "dwell time of static friction of joints", yes, yes, yes, yes, yes, yes},
    {Feature::joint_load_friction, "joint friction by the load", yes, yes, yes, yes, yes, yes},
    {Feature::force_elements, "viscous friction, springs, dampers, motors", yes, yes, yes, yes, yes, yes},
    {Feature::controllers, "sampled controllers", yes, yes, yes, yes, yes, yes},
    {Feature::error_control, "integrators with error control", yes, yes, fixed, fixed, fixed, fixed},
    {Feature::sleeping, "sleeping", no_contact, "no: its contacts hold by their deflection, which never ends", yes, yes,
     yes, yes},
    {Feature::nonlinear, "contacts at the end of the step (`nonlinear`)", no_contact,
     "no: the integrator decides where forces are taken", one_matrix, "always", yes, one_matrix},
};

const Row& find_row(Feature feature) {
  const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.feature == feature; });
  STICTION_CHECK(row != std::end(rows));
  return *row;
}

std::string find_cell(Feature feature, const std::string& method) {
  const Row& row = find_row(feature);
  if (method == "smooth") return row.in_smooth;
  if (method == "compliant") return row.in_compliant;
  if (method == "cone") return row.in_cone;
  if (method == "geometric_implicit") return row.in_geometric_implicit;
  return method == "stewart_trinkle" ? row.in_stewart_trinkle : row.in_pyramids;
}

constexpr const char* refusal = "no: ";

void list_of_contact(const std::string& name, const ContactSpec& spec, std::vector<AskedFeature>& list) {
  const std::string path = name == "default" ? "contact.default" : fmt::format("contact.\"{}\"", name);
  const auto note = [&](Feature feature, const char* field) {
    list.push_back({feature, path + "." + field, {}, false});
  };
  if (spec.layer)
    list.push_back(
        {Feature::layers, path + ".layer",
         "use method.type = \"geometric_implicit\", or remove the layer, or, in method \"compliant\", give a "
         "normal law"});
  if (spec.plane) note(Feature::average_plane, "plane");
  if (!spec.hypothesis.empty()) note(Feature::hypothesis, "hypothesis");
  if (spec.normal && spec.normal->law == "volume") note(Feature::patches, "normal");
  const auto* friction = std::get_if<FrictionSpec>(&spec.friction);
  const auto refuse_formula = [&](const char* field) {
    list.push_back({Feature::formulas, path + "." + field, "use method.type = \"compliant\", or a law with numbers"});
  };
  const auto is_user = [](const auto& law) { return law.law == "formula" || law.law == "function"; };
  if (spec.normal && is_user(*spec.normal)) refuse_formula("normal");
  if (friction && is_user(*friction)) refuse_formula("friction");
  if (!friction) return;
  if (friction->viscous > 0) note(Feature::viscous_contact, "friction.viscous");
  if (friction->presliding) note(Feature::presliding, "friction.presliding");
  if (friction->law == "bristle" && friction->stiffness) note(Feature::presliding, "friction.stiffness");
}

}  // namespace

bool has_feature(Feature feature, const std::string& method) {
  return !find_cell(feature, method).starts_with(refusal);
}

std::string format_refusal(Feature feature, const std::string& method) {
  const std::string cell = find_cell(feature, method);
  STICTION_CHECK(cell.starts_with(refusal));
  return fmt::format("method \"{}\" has no {}: {}", method, find_row(feature).name,
                     cell.substr(std::string_view(refusal).size()));
}

std::string format_features() {
  std::string text =
      "## What each method has\n\n| | `smooth` | `compliant` | `cone` | `geometric_implicit` | `stewart_trinkle` | "
      "`berard`, `anitescu_potra` |\n|---|---|---|---|---|---|---|\n";
  std::vector<std::string> reasons;
  // "no (2)", with the reasons listed below.
  const auto show = [&](const std::string& cell) -> std::string {
    if (!cell.starts_with(refusal)) return cell;
    const std::string reason = cell.substr(std::string_view(refusal).size());
    const auto place = std::find(reasons.begin(), reasons.end(), reason) - reasons.begin();
    if (static_cast<std::size_t>(place) == reasons.size()) reasons.push_back(reason);
    return fmt::format("no ({})", place + 1);
  };
  for (const Row& row : rows) {
    text += fmt::format("| {} |", row.name);
    for (const char* cell : {row.in_smooth, row.in_compliant, row.in_cone, row.in_geometric_implicit,
                             row.in_stewart_trinkle, row.in_pyramids})
      text += fmt::format(" {} |", show(cell));
    text += "\n";
  }
  text += "\nWhy not, which is also said where a scene asks for it:\n\n";
  for (std::size_t i = 0; i < reasons.size(); ++i) text += fmt::format("{}. {}\n", i + 1, reasons[i]);
  return text + "\n";
}

std::vector<AskedFeature> list_asked_features(const Scene& scene) {
  std::vector<AskedFeature> list;
  for (const auto& [name, spec] : scene.contacts) {
    if (spec.touch) list_of_contact(name, spec, list);
  }
  for (const auto& [name, spec] : scene.materials) {
    if (spec.layer)
      list.push_back({Feature::layers, fmt::format("material.{}.layer", name),
                      "use method.type = \"geometric_implicit\", or remove the layer"});
  }
  if (scene.method.sleep > 0)
    list.push_back({Feature::sleeping, "method.sleep", "remove it, or use method.type = \"cone\""});
  return list;
}

}  // namespace stiction
