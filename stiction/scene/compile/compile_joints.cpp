#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "stiction/base/text.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {
namespace {

std::optional<JointKind> find_kind(const JointSpec& spec) {
  if (spec.type == "screw") return JointScrew{spec.pitch / (2 * std::numbers::pi)};
  const JointKind kinds[] = {JointWeld{},      JointRevolute{},  JointPrismatic{}, JointCylindrical{},
                             JointUniversal{}, JointSpherical{}, JointPlanar{},    JointFree{}};
  for (const JointKind& kind : kinds) {
    if (spec.type == name_of(kind)) return kind;
  }
  return {};
}

/// Some joints have signals that a body has too: NAME.position.x, NAME.orientation.w.
void check_shared_name(Draft& draft, const JointSpec& spec, const std::string& name) {
  if (draft.body_index.count(name) == 0) return;
  if (spec.type != "planar" && spec.type != "spherical" && spec.type != "free") return;
  const SourcePlace body = draft.scene.source.find(draft.find_original_path("body." + name));
  const std::string where = body.line > 0 ? fmt::format(" ({}:{})", body.file, body.line) : "";
  draft.fault("joint." + name,
              fmt::format("a body has the same name{}: their signals would have the same names", where),
              "give one of them another name");
}

/// Initial coordinates and rates, or zeros (the identity quaternion).
void draft_initial(Draft& draft, JointDraft& joint, const std::string& path) {
  const auto nq = static_cast<std::size_t>(calc_nq(joint.kind)), nv = static_cast<std::size_t>(calc_nv(joint.kind));
  joint.q.assign(nq, 0.0);
  joint.v.assign(nv, 0.0);
  const int quaternion = quaternion_offset(joint.kind);
  if (quaternion >= 0) joint.q[static_cast<std::size_t>(quaternion)] = 1;
  const auto take = [&](const std::vector<double>& given, std::vector<double>& into, const char* field) {
    if (given.empty()) return;
    if (given.size() != into.size()) {
      draft.fault(path + "." + field, fmt::format("a {} joint takes {} {}, got {}", name_of(joint.kind), into.size(),
                                                  into.size() == 1 ? "number" : "numbers", given.size()));
    } else {
      into = given;
    }
  };
  if (!draft.is_faulty(path)) {
    take(joint.spec->position, joint.q, "position");
    take(joint.spec->velocity, joint.v, "velocity");
  }
  joint.drivers.resize(nq == nv ? nq : 0);
  joint.driver_names.resize(joint.drivers.size());
}

/// Which joint carries which body; a second joint on the same child closes a loop and must say form = "constraint".
void draft_carrier(Draft& draft, int index, const std::string& path) {
  JointDraft& joint = draft.joint(index);
  if (joint.parent < 0 || joint.child < 0) return;
  if (joint.child == 0) {
    draft.fault(path + ".child", "the world cannot be the child of a joint", "swap parent and child");
    joint.child = -1;
    return;
  }
  if (joint.child == joint.parent) {
    draft.fault(path + ".child", "a body cannot be joined to itself");
    joint.child = -1;
    return;
  }
  BodyDraft& child = draft.body(joint.child);
  const bool explicit_constraint = joint.spec->form == JointForm::constraint;
  if (child.joint >= 0 || child.spec->fixed || child.spec->motion) {
    if (explicit_constraint) {
      joint.closes_loop = true;
      const char* ignored = !joint.spec->velocity.empty()   ? ".velocity"
                            : joint.spec->child_orientation ? ".child_orientation"
                                                            : nullptr;
      if (ignored) draft.fault(path + ignored, "the joint closes a loop: the other joints determine this", "remove it");
      return;
    }
    const std::string carrier = child.joint >= 0
                                    ? fmt::format("already has the joint \"{}\"", draft.joint(child.joint).name)
                                : child.spec->fixed ? std::string("is fixed")
                                                    : std::string("follows its own motion");
    draft.fault(path + ".child", fmt::format("body \"{}\" {}", child.name, carrier),
                "to close a loop, give this joint form = \"constraint\" or use a [constraint.NAME]");
    return;
  }
  child.joint = index;
}

/// Bodies parents first, else in the order of the scene. What is left over hangs in a cycle. (A joint whose parent or
/// child is unknown carries no body: its child stands by itself here.)
void draft_order(Draft& draft) {
  std::vector<bool> placed(draft.bodies.size(), false);
  placed[0] = true;
  bool progress = true;
  while (progress) {
    progress = false;
    for (std::size_t i = 1; i < draft.bodies.size(); ++i) {
      const int carrier = draft.bodies[i].joint;
      if (placed[i] || (carrier >= 0 && !placed[static_cast<std::size_t>(draft.joint(carrier).parent)])) continue;
      placed[i] = true;
      draft.order.push_back(static_cast<int>(i));
      progress = true;
    }
  }
  // Follow the parents of what is left until a body repeats: from there on it is a cycle. Each is told once.
  std::vector<bool> told(draft.bodies.size(), false);
  for (std::size_t i = 1; i < draft.bodies.size(); ++i) {
    if (placed[i]) continue;
    std::vector<int> path;
    int body = static_cast<int>(i);
    while (std::find(path.begin(), path.end(), body) == path.end()) {
      path.push_back(body);
      body = draft.joint(draft.body(body).joint).parent;
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), body));
    if (told[static_cast<std::size_t>(path.front())]) continue;
    std::vector<std::string> names;
    for (const int member : path) {
      told[static_cast<std::size_t>(member)] = true;
      names.push_back(draft.body(member).name);
    }
    draft.fault("joint." + draft.joint(draft.body(path.front()).joint).name + ".parent",
                "the joints form a loop: " + join_words(names, ", ") + ", and back",
                "open it: one of these joints becomes form = \"constraint\"");
  }
}

void draft_drivers(Draft& draft) {
  for (const auto& [name, spec] : draft.scene.drivers) {
    const std::string path = "driver." + name;
    if (draft.is_faulty(path)) {
      draft.check_joint(spec.joint, path + ".joint");
      continue;
    }
    const auto ref = draft.find_coordinate(spec.joint, path + ".joint");
    if (!ref) continue;
    JointDraft& joint = draft.joint(ref->joint);
    const auto k = static_cast<std::size_t>(ref->component);
    if (joint.drivers[k]) {
      draft.fault(path + ".joint",
                  fmt::format("joint \"{}\" is driven by \"{}\" already", spec.joint, joint.driver_names[k]));
      continue;
    }
    const Sample start = calc_sample(spec.motion, 0);
    if (!joint.spec->position.empty() &&
        std::abs(joint.q[k] - start.value) > 1e-12 * std::max(1.0, std::abs(start.value))) {
      draft.fault("joint." + joint.name + ".position",
                  fmt::format("is {}, but the driver \"{}\" starts at {}", format_number(joint.q[k]), name,
                              format_number(start.value)),
                  "remove the joint's position: the driver determines it");
    }
    if (!joint.spec->velocity.empty() &&
        std::abs(joint.v[k] - start.rate) > 1e-12 * std::max(1.0, std::abs(start.rate))) {
      draft.fault("joint." + joint.name + ".velocity",
                  fmt::format("is {}, but the driver \"{}\" starts at {}", format_number(joint.v[k]), name,
                              format_number(start.rate)),
                  "remove the joint's velocity: the driver determines it");
    }
    joint.drivers[k] = spec.motion;
    joint.driver_names[k] = name;
    joint.q[k] = start.value;
    joint.v[k] = start.rate;
  }
}

}  // namespace

void draft_joints(Draft& draft) {
  for (const auto& [name, spec] : draft.scene.joints) {
    const std::string path = "joint." + name;
    if (!draft.joint_index.emplace(name, static_cast<int>(draft.joints.size())).second)
      draft.fault(path, "the name is already used");
    check_shared_name(draft, spec, name);
    JointDraft joint;
    joint.spec = &spec;
    joint.name = name;
    const bool faulty = draft.is_faulty(path);
    const std::optional<JointKind> kind = find_kind(spec);
    if (!kind && !faulty) draft.fault(path + ".type", fmt::format("there is no joint type \"{}\"", spec.type));
    joint.kind = kind.value_or(JointWeld{});
    joint.form = spec.form.value_or(draft.scene.method.joints);
    if (faulty) {
      draft.check_body(spec.parent, path + ".parent");
      draft.check_body(spec.child, path + ".child");
    }
    joint.parent = faulty ? -1 : draft.find_body(spec.parent, path + ".parent");
    joint.child = faulty ? -1 : draft.find_body(spec.child, path + ".child");
    if (!faulty && !(spec.axis.norm() > 0)) draft.fault(path + ".axis", "must not be the zero vector");
    if (!faulty && std::holds_alternative<JointUniversal>(joint.kind) && spec.axis2 &&
        std::abs(spec.axis2->normalized().dot(spec.axis.normalized())) > 1e-9) {
      draft.fault(path + ".axis2", "must be normal to axis");
    }
    draft_initial(draft, joint, path);
    draft.joints.push_back(joint);
    draft_carrier(draft, static_cast<int>(draft.joints.size()) - 1, path);
  }
  draft_order(draft);
  draft_drivers(draft);
}

}  // namespace stiction
