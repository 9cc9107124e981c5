#include "stiction/scene/compile/notices.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "stiction/base/text.h"
#include "stiction/geometry/volume/cut_shape.h"
#include "stiction/math/stiffness_centre.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/describe/features.h"
#include "stiction/scene/describe/method_keys.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

class NoticeList {
 public:
  explicit NoticeList(std::vector<Notice>& notices) : notices_(notices) {}
  void remark(const std::string& text) { add(Notice::Kind::remark, text); }
  void warn(const std::string& text) { add(Notice::Kind::warning, text); }

 private:
  // In its place: g++ 12 sees a string out of bounds in a notice that is made and then moved (GCC bug 105651).
  void add(Notice::Kind kind, const std::string& text) {
    Notice& notice = notices_.emplace_back();
    notice.kind = kind;
    notice.text = text;
  }
  std::vector<Notice>& notices_;
};

/// What a rigid method takes of a table with laws.
void list_rigid_notices(const Scene& scene, const System& system, std::size_t table, NoticeList& list) {
  const auto& [name, spec] = scene.contacts[table];
  if (!spec.normal && !std::holds_alternative<FrictionSpec>(spec.friction)) return;
  if (!spec.normal && std::get<FrictionSpec>(spec.friction).law == "coulomb") return;
  const RigidLaw& law = system.contact.rules[table].law;
  const std::string restitution = law.restitution_slope > 0
                                      ? fmt::format("1 - {} v", format_number(law.restitution_slope))
                                      : format_number(law.restitution);
  const std::string friction = law.has_static_friction()
                                   ? fmt::format("{} (static {}, dwell_time {} s)", format_number(law.friction),
                                                 format_number(law.static_friction), format_number(law.dwell_time))
                                   : format_number(law.friction);
  list.remark(
      fmt::format("contact {}: method \"{}\" uses friction {} and restitution {} and ignores the rest of the laws",
                  name, scene.method.type, friction, restitution));
}

void list_compliant_notices(const Scene& scene, const System& system, std::size_t table, NoticeList& list) {
  const auto& [name, spec] = scene.contacts[table];
  if (spec.restitution || spec.restitution_slope)
    list.remark(fmt::format("contact {}: method \"compliant\" ignores restitution beside the normal law", name));
  const auto* bristle = std::get_if<FrictionBristle>(&system.contact.rules[table].compliant->friction);
  if (!bristle) return;
  const auto format = [](double value) { return format_digits(value, 4); };
  list.remark(
      fmt::format("contact {}: bristles with static {}, kinetic {}, stiffness {} 1/m, damping {} s/m, viscous {} s/m, "
                  "stribeck_velocity {} m/s, dwell_time {} s",
                  name, format(bristle->static_coefficient), format(bristle->kinetic), format(bristle->stiffness),
                  format(bristle->damping), format(bristle->viscous), format(bristle->stribeck_velocity),
                  format(bristle->dwell_time)));
  if (!bristle->is_passive())
    list.warn(
        fmt::format("contact {}: damping times stribeck_velocity is below kinetic / 2: while starting to "
                    "slide, the bristles can create energy",
                    name));
}

void list_contact_notices(const Scene& scene, const System& system, NoticeList& list) {
  if (!has_contact(scene.method.type)) {
    if (!scene.contacts.empty())
      list.warn(fmt::format("method \"{}\" has no contact: the contact tables are not used; use method.type = \"cone\"",
                            scene.method.type));
    return;
  }
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    if (!scene.contacts[i].value.touch) continue;
    if (scene.method.type == "compliant") {
      list_compliant_notices(scene, system, i, list);
    } else {
      list_rigid_notices(scene, system, i, list);
    }
  }
}

/// What the method does not have and the scene asks for.
void list_feature_notices(const Scene& scene, NoticeList& list) {
  if (!has_contact(scene.method.type)) return;
  for (const AskedFeature& asked : list_asked_features(scene)) {
    if (asked.refused || has_feature(asked.feature, scene.method.type)) continue;
    list.warn(fmt::format("{} does not act: {}", asked.path, format_refusal(asked.feature, scene.method.type)));
  }
}

/// Where the matrices of spatial springs are moved to.
void list_spring_notices(const Scene& scene, NoticeList& list) {
  for (const auto& [name, spec] : scene.springs) {
    if (spec.type != "spatial" || !spec.stiffness_matrix) continue;
    const Vec3 centre = calc_stiffness_centre(*spec.stiffness_matrix);
    list.remark(fmt::format("spring \"{}\": its centre of stiffness is at [{}, {}, {}] m from its points", name,
                            format_digits(centre.x(), 4), format_digits(centre.y(), 4), format_digits(centre.z(), 4)));
  }
}

/// The polyhedral formulations solve one dense problem for all contacts.
void list_size_notices(const Scene& scene, const System& system, NoticeList& list) {
  constexpr std::size_t most_bodies = 10;
  if (!has_contact(scene.method.type) || has_feature(Feature::exact_cone, scene.method.type)) return;
  std::set<int> bodies;
  for (const ContactShape& shape : system.contact.shapes)
    if (shape.moves_freely) bodies.insert(shape.body);
  if (bodies.size() <= most_bodies) return;
  list.remark(
      fmt::format("method \"{}\": {} bodies can touch, and the time of a step grows with the cube of the number of "
                  "contacts: use method.type = \"cone\" for piles and towers",
                  scene.method.type, bodies.size()));
}

void list_method_notices(const Scene& scene, NoticeList& list) {
  const MethodSettings& method = scene.method;
  if (method.sleep > 0)
    list.remark(fmt::format("bodies sleep after {} s at rest (no point faster than {} m/s)",
                            format_number(method.sleep), format_number(method.sleep_speed)));
  for (const UnusedKey& unused : list_unused_keys(scene)) list.remark(format_unused_key(unused));
}

/// What only the bristles of integrated formulations know.
void list_joint_notices(const Scene& scene, NoticeList& list) {
  if (uses_integrator(scene.method.type)) return;
  for (const auto& [name, joint] : scene.joints) {
    const std::string of = fmt::format("joint \"{}\": method \"{}\" ", name, scene.method.type);
    if (joint.limit_stiffness || joint.limit_damping) list.remark(of + "takes its limits as rigid");
    if (joint.presliding || joint.bristle_damping) list.remark(of + "takes its friction as rigid, without presliding");
  }
}

/// Beyond this many pairs of parts of bodies the question is not worth its time.
constexpr int most_pairs = 500;

/// Parts that overlap count once, unless they cannot be cut.
void list_overlap_notices(const System& system, std::vector<Notice>& notices) {
  const std::vector<ContactShape>& shapes = system.contact.shapes;
  int pairs = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t k = 0; k < i && pairs < most_pairs; ++k) {
      const ContactShape &a = shapes[k], &b = shapes[i];
      if (a.body != b.body || a.body_name != b.body_name || !is_bounded(a.shape) || !is_bounded(b.shape)) continue;
      ++pairs;
      if (cut_shape(b.shape, {{&a.shape, b.X_BS.inverse() * a.X_BS}}).status != CutStatus::not_possible) continue;
      notices.push_back(
          {Notice::Kind::remark,
           fmt::format("parts \"{}\" and \"{}\" overlap and cannot be cut: what they have in common counts "
                       "twice, in the mass by density and in patches with volume; give mass and inertia, or "
                       "build them of boxes, spheres, cylinders, ellipsoids, polytopes and cells",
                       a.name, b.name)});
    }
  }
}

}  // namespace

std::vector<Notice> list_notices(const Scene& scene, const System& system) {
  std::vector<Notice> notices;
  NoticeList list(notices);
  list_contact_notices(scene, system, list);
  list_feature_notices(scene, list);
  list_angle_notices(scene, notices);
  list_spring_notices(scene, list);
  list_size_notices(scene, system, list);
  list_step_notices(scene, system, notices);
  list_tolerance_notices(scene, system, notices);
  list_layer_notices(system, notices);
  list_record_notices(scene, system, notices);
  list_overlap_notices(system, notices);
  list_joint_notices(scene, list);
  list_method_notices(scene, list);
  if (is_adaptive(scene))
    list.remark(
        fmt::format("integrator \"{}\" is adaptive: time.step is only the first trial step", scene.method.integrator));
  return notices;
}

std::vector<std::string> list_warnings(const Scene& scene, const System& system) {
  std::vector<std::string> warnings;
  for (Notice& notice : list_notices(scene, system))
    if (notice.kind == Notice::Kind::warning) warnings.push_back(std::move(notice.text));
  return warnings;
}

}  // namespace stiction
