#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"
#include "stiction/contact/contact_finder.h"
#include "stiction/geometry/closest/closest.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {
namespace {

RestitutionHypothesis find_hypothesis(const ContactSpec& spec, double friction) {
  if (spec.hypothesis == "poisson") return RestitutionHypothesis::poisson;
  const bool is_stronge = spec.hypothesis.empty() ? friction > 0 : spec.hypothesis == "stronge";
  return is_stronge ? RestitutionHypothesis::stronge : RestitutionHypothesis::newton;
}

RigidLaw make_law(const ContactSpec& spec) {
  RigidLaw law;
  law.friction = find_kinetic_coefficient(spec);
  if (const auto* friction = std::get_if<FrictionSpec>(&spec.friction)) {
    law.static_friction = friction->static_coefficient.value_or(0);
    law.dwell_time = friction->dwell_time.value_or(0);
    law.initial_dwell = friction->initial_dwell;
  }
  law.restitution = spec.restitution.value_or(spec.normal ? spec.normal->restitution.value_or(0) : 0);
  law.restitution_slope = spec.restitution_slope.value_or(spec.normal ? spec.normal->restitution_slope.value_or(0) : 0);
  law.hypothesis = find_hypothesis(spec, law.friction);
  if (spec.ellipse.size() >= 2) law.along = spec.ellipse[0], law.across = spec.ellipse[1];
  if (spec.ellipse.size() == 3) law.spin_radius = spec.ellipse[2];
  law.direction = spec.direction;
  return law;
}

constexpr double compliant_overlap = 0.1;
/// Stands for the size of a point and a half-space, which have none [m]. Half and double of it change which depths are
/// refused at the start (0.1 um of rigid contact, 1 cm of compliant contact), and no motion.
constexpr double size_of_points = 0.1;

/// Does any joint inboard of the body move freely?
bool moves_freely(const System& system, int body) {
  for (int b = body; b != 0; b = system.joints[static_cast<std::size_t>(b)].parent) {
    const Joint& joint = system.joints[static_cast<std::size_t>(b)];
    if (joint.nv > 0 && !joint.prescribed()) return true;
  }
  return false;
}

void add_shapes(const Draft& draft, System& system) {
  for (std::size_t i = 1; i < draft.bodies.size(); ++i) {
    const BodyDraft& body = draft.bodies[i];
    for (const auto& [part, spec] : body.spec->shapes) {
      ContactShape shape;
      shape.body = body.index;
      shape.body_name = body.name;
      shape.name = part.empty() ? body.name : body.name + "." + part;
      shape.material = body.spec->material.value_or("");
      shape.shape = spec.shape;
      shape.X_BS = {calc_matrix(spec.orientation), spec.position};
      if (spec.surface_velocity) shape.surface_velocity = spec.surface_velocity->components;
      shape.moves_freely = moves_freely(system, body.index);
      shape.planar = body.spec->planar;
      system.contact.shapes.push_back(std::move(shape));
    }
  }
}

/// Bodies that a joint or a constraint connects.
void add_joined(System& system) {
  std::vector<std::pair<int, int>>& joined = system.contact.joined;
  for (const NamedJoint& joint : system.named_joints) joined.emplace_back(std::minmax(joint.parent, joint.child));
  for (const Constraint& constraint : system.constraints)
    joined.emplace_back(std::minmax(constraint.frames.body_a, constraint.frames.body_b));
  std::sort(joined.begin(), joined.end());
  joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
}

/// Pairs of bodies that may meet and have no law, and where one of each pair is described.
struct LawlessPairs {
  std::vector<std::string> pairs, places;
};
LawlessPairs find_lawless_pairs(const ContactModel& model) {
  LawlessPairs found;
  auto& [pairs, places] = found;
  const bool has_default =
      std::any_of(model.rules.begin(), model.rules.end(), [](const ContactRule& rule) { return rule.a.empty(); });
  if (has_default) return found;
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < model.shapes.size(); ++j) {
      if (model.find_rule(static_cast<int>(i), static_cast<int>(j)) != no_rule) continue;
      const std::string pair = model.shapes[i].body_name + "/" + model.shapes[j].body_name;
      if (std::find(pairs.begin(), pairs.end(), pair) != pairs.end()) continue;
      pairs.push_back(pair);
      places.push_back("body." + model.shapes[model.shapes[j].moves_freely ? j : i].body_name);
    }
  }
  return found;
}

/// Every pair of shapes that may meet must have a law: nothing is assumed.
void check_all_pairs_have_rules(Draft& draft, const System& system) {
  const auto [pairs, places] = find_lawless_pairs(system.contact);
  if (pairs.empty()) return;
  if (pairs.size() == 1) {
    draft.fault(places[0], fmt::format("there is no contact table for the pair {}", pairs[0]),
                fmt::format("add [contact.\"{}\"] with friction and restitution, or with touch = false if the two pass "
                            "through each other",
                            pairs[0]));
    return;
  }
  // One missing table is one fault, however many pairs it leaves without.
  constexpr std::size_t shown = 6;
  std::vector<std::string> named(pairs.begin(), pairs.begin() + static_cast<long>(std::min(pairs.size(), shown)));
  if (pairs.size() > shown) named.push_back(fmt::format("{} more", pairs.size() - shown));
  draft.fault(places[0], fmt::format("there is no contact table for {} pairs: {}", pairs.size(), join_words(named)),
              fmt::format("add [contact.default] with friction and restitution for all of them, or one table for each: "
                          "[contact.\"{}\"]",
                          pairs[0]));
}

/// Shapes that overlap at the start would be thrown apart.
/// Compliant ones do overlap: by no more than a part of their size.
void check_overlap(Draft& draft, const System& system) {
  Kinematics start(system);
  update_positions(system, system.initial.q, start);
  ContactFinder finder(system.contact);
  const std::vector<double> reach(system.contact.shapes.size(), 0.0);
  for (const Contact& contact : finder.update(start.X_WB, reach).contacts) {
    const auto& shapes = system.contact.shapes;
    const ContactShape &a = shapes[static_cast<std::size_t>(contact.shape_a)],
                       &b = shapes[static_cast<std::size_t>(contact.shape_b)];
    const double of_pair = std::max(calc_size(a.shape), calc_size(b.shape));
    const double size = of_pair > 0 ? of_pair : size_of_points;
    double allowed = (system.contact.slots.empty() ? 1e-6 : compliant_overlap) * size;
    const PairLayers layers = system.contact.find_layers(contact.shape_a, contact.shape_b, contact.rule);
    double thickness = 0;
    for (int i = 0; i < layers.count; ++i) thickness += layers.layer[static_cast<std::size_t>(i)]->thickness;
    allowed += std::min(thickness, compliant_overlap * size);
    if (contact.gap >= -allowed) continue;
    const std::string path = "body." + (b.moves_freely ? b : a).body_name;
    if (draft.is_faulty(path)) continue;
    // Contact points lie where faces meet; the depth of the pair is that of its closest points.
    const auto pose_of = [&](const ContactShape& s) { return start.X_WB[static_cast<std::size_t>(s.body)] * s.X_BS; };
    const double gap = calc_closest(a.shape, pose_of(a), b.shape, pose_of(b)).gap;
    draft.fault(
        path, fmt::format("\"{}\" and \"{}\" overlap by {:.3g} m in the initial position", a.name, b.name, -gap),
        system.contact.slots.empty() ? "move them apart, or set method.settle = true to separate them automatically, "
                                       "or let them pass through each other "
                                       "with touch = false"
                                     : "move them apart, or let them pass through each other with touch = false");
  }
}

}  // namespace

void check_contact_is_meant(Draft& draft, const System& system) {
  System probe = system;
  add_shapes(draft, probe);
  add_joined(probe);
  const auto [pairs, places] = find_lawless_pairs(probe.contact);
  if (pairs.empty()) return;
  draft.fault(places[0],
              fmt::format("{} can touch, and the scene has neither a contact table nor method.type",
                          pairs.size() == 1 ? pairs[0] : fmt::format("{} pairs, {} first,", pairs.size(), pairs[0])),
              "add [contact.default] with friction and restitution, or method.type = \"smooth\" if bodies pass through "
              "each other");
}

void add_contacts(Draft& draft, System& system) {
  system.contact.in_use = true;
  for (const auto& [name, spec] : draft.scene.contacts) {
    ContactRule rule{.name = name, .a = spec.a, .b = spec.b, .touches = spec.touch, .law = make_law(spec)};
    system.contact.rules.push_back(std::move(rule));
  }
  add_shapes(draft, system);
  add_joined(system);
  check_all_pairs_have_rules(draft, system);
  add_layers(draft, system);
  if (draft.scene.method.type == "compliant") add_compliant_contacts(draft, system);
  if (draft.faults.empty() && !draft.scene.method.settle) check_overlap(draft, system);
}

}  // namespace stiction
