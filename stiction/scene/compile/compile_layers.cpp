#include <fmt/format.h>

#include <algorithm>

#include "stiction/contact/contact_finder.h"
#include "stiction/scene/compile/compile_draft.h"
#include "stiction/scene/describe/features.h"

namespace stiction {
namespace {

CompliantLayer make_layer(const LayerSpec& spec) {
  return {.stiffness = spec.stiffness,
          .damping = spec.damping,
          .thickness = spec.thickness.value_or(infinity),
          .exponent = spec.exponent,
          .dissipation = spec.dissipation};
}

const LayerSpec* find_material_layer(const Scene& scene, const std::string& material) {
  for (const auto& [name, spec] : scene.materials) {
    if (name == material && spec.layer) return &*spec.layer;
  }
  return nullptr;
}

/// A layer and a coefficient of restitution would both decide about the rebound.
void refuse_restitution(Draft& draft, const System& system) {
  const ContactModel& model = system.contact;
  std::vector<char> is_told(model.rules.size(), 0);
  const int count = static_cast<int>(model.shapes.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const int rule = model.find_rule(i, j);
      if (rule < 0 || is_told[static_cast<std::size_t>(rule)]) continue;
      const ContactRule& table = model.rules[static_cast<std::size_t>(rule)];
      if (!table.law.may_rebound() || model.find_layers(i, j, rule).count == 0) continue;
      is_told[static_cast<std::size_t>(rule)] = 1;
      draft.fault(
          table.name == "default" ? "contact.default" : fmt::format("contact.\"{}\"", table.name),
          fmt::format("restitution and a compliant layer are both given for {}/{}",
                      model.shapes[static_cast<std::size_t>(i)].name, model.shapes[static_cast<std::size_t>(j)].name),
          "remove restitution: stiffness and damping of the layer decide about the rebound");
    }
  }
}

/// Energy that layers store which are pressed in at the start.
double calc_initial_energy(const System& system) {
  Kinematics start(system);
  update_positions(system, system.initial.q, start);
  ContactFinder finder(system.contact);
  const std::vector<double> reach(system.contact.shapes.size(), 0.0);
  double energy = 0;
  for (const Contact& contact : finder.update(start.X_WB, reach).contacts) {
    const PairLayers layers = system.contact.find_layers(contact.shape_a, contact.shape_b, contact.rule);
    if (layers.count == 0 || contact.gap >= 0) continue;
    const SharedDepth depth = share_depth(*layers.layer[0], layers.layer[1], -contact.gap);
    energy += calc_stored_energy(*layers.layer[0], Vec3(depth.first, 0, 0));
    if (layers.layer[1]) energy += calc_stored_energy(*layers.layer[1], Vec3(depth.second, 0, 0));
  }
  return energy;
}

}  // namespace

void add_layers(Draft& draft, System& system) {
  if (!has_feature(Feature::layers, draft.scene.method.type)) return;
  ContactModel& model = system.contact;
  for (std::size_t i = 0; i < model.rules.size(); ++i) {
    if (const auto& spec = draft.scene.contacts[i].value.layer) model.rules[i].layer = make_layer(*spec);
  }
  for (ContactShape& shape : model.shapes) {
    if (const LayerSpec* spec = find_material_layer(draft.scene, shape.material)) shape.layer = make_layer(*spec);
  }
  if (!model.has_layers()) return;
  refuse_restitution(draft, system);
  if (draft.scene.method.sleep > 0)
    draft.fault("method.sleep", "bodies on compliant layers do not sleep", "remove method.sleep, or the layers");
  system.layer_energy = system.nz++;
  system.initial.z.conservativeResize(system.nz);
  system.initial.z[system.layer_energy] = calc_initial_energy(system);
}

}  // namespace stiction
