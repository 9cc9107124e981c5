#include "stiction/results/run_model.h"

#include "stiction/multibody/kinematics.h"

namespace stiction {
namespace {

bool is_welded_to_world(const System& system, int body) {
  while (body > 0) {
    const Joint& joint = system.joints[static_cast<std::size_t>(body)];
    if (!std::holds_alternative<JointWeld>(joint.kind)) return false;
    body = joint.parent;
  }
  return true;
}

void add_bodies(const System& system, RunModel& model) {
  Kinematics kinematics(system);
  update_positions(system, system.initial.q, kinematics);
  for (int b = 0; b < system.n_bodies(); ++b) {
    const auto i = static_cast<std::size_t>(b);
    const Body& body = system.bodies[i];
    model.bodies.push_back({body.name, is_welded_to_world(system, b), kinematics.X_WB[i], body.shapes});
  }
}

void add_springs(const System& system, RunModel& model) {
  for (const Force& force : system.forces) {
    const auto add = [&](const auto& element) {
      model.springs.push_back({force.name, element.a.body, element.b.body, element.a.p_BQ, element.b.p_BQ});
    };
    if (const auto* spring = std::get_if<SpringLinear>(&force.kind)) add(*spring);
    if (const auto* damper = std::get_if<Damper>(&force.kind)) add(*damper);
  }
}

// Without geometry and laws: those stand elsewhere, or act in the run only.
ContactModel name_contacts(const ContactModel& of_system) {
  ContactModel model;
  model.joined = of_system.joined;
  for (const ContactShape& from : of_system.shapes) {
    ContactShape& shape = model.shapes.emplace_back();
    shape.body = from.body, shape.moves_freely = from.moves_freely;
    shape.name = from.name, shape.body_name = from.body_name, shape.material = from.material;
  }
  for (const ContactRule& from : of_system.rules) {
    ContactRule& rule = model.rules.emplace_back();
    rule.name = from.name, rule.a = from.a, rule.b = from.b, rule.touches = from.touches;
    rule.law.friction = from.law.friction, rule.law.restitution = from.law.restitution;
  }
  return model;
}

}  // namespace

RunModel describe_model(const System& system) {
  RunModel model;
  model.up = system.up;
  add_bodies(system, model);
  for (const NamedJoint& joint : system.named_joints)
    model.joints.push_back({joint.name, name_of(joint.kind), joint.parent, joint.child, joint.X_PF});
  add_springs(system, model);
  model.contact = name_contacts(system.contact);
  return model;
}

}  // namespace stiction
