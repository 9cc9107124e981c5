#include "stiction/results/signal_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/tree_plan.h"
#include "stiction/results/audit.h"

namespace stiction {
namespace {

struct Suffix {
  const char* name;
  const char* unit;
};

class Builder {
 public:
  Builder(const System& system, const ContactGroups& groups, const ContactGaps* gaps)
      : system_(system), groups_(groups), gaps_(gaps), body_moves_(system.bodies.size(), false) {
    for (const int body : TreePlan(system).moving) body_moves_[static_cast<std::size_t>(body)] = true;
  }

  SignalCatalog build() {
    for (int body = 1; body < system_.n_bodies(); ++body) add_body(body);
    for (std::size_t joint = 0; joint < system_.named_joints.size(); ++joint) add_joint(static_cast<int>(joint));
    add_contacts();
    for (int pair = 0; gaps_ && pair < gaps_->size(); ++pair) {
      add_group(SignalQuantity::contact_gap, pair, "contact." + gaps_->name_of(pair),
                {{".gap", "m"},
                 {".closest_a.x", "m"},
                 {".closest_a.y", "m"},
                 {".closest_a.z", "m"},
                 {".closest_b.x", "m"},
                 {".closest_b.y", "m"},
                 {".closest_b.z", "m"},
                 {".closest_normal.x", "1"},
                 {".closest_normal.y", "1"},
                 {".closest_normal.z", "1"}});
    }
    add_system();
    check_names();
    return std::move(catalog_);
  }

 private:
  void add(SignalQuantity quantity, int index, int component, const std::string& name, const char* unit) {
    STICTION_CHECK(component < largest_group);
    catalog_.infos.push_back({name, unit, "output"});
    catalog_.sources.push_back({quantity, index, component});
  }

  void add_group(SignalQuantity quantity, int index, const std::string& prefix, const std::vector<Suffix>& suffixes) {
    int component = 0;
    for (const Suffix& suffix : suffixes) add(quantity, index, component++, prefix + suffix.name, suffix.unit);
  }

  void add_vector(SignalQuantity quantity, int index, const std::string& prefix, const char* unit) {
    add_group(quantity, index, prefix, {{".x", unit}, {".y", unit}, {".z", unit}});
  }

  void add_quaternion(SignalQuantity quantity, int index, const std::string& prefix) {
    add_group(quantity, index, prefix, {{".w", "1"}, {".x", "1"}, {".y", "1"}, {".z", "1"}});
  }

  void add_body(int body) {
    const std::string& name = system_.bodies[static_cast<std::size_t>(body)].name;
    add_vector(SignalQuantity::body_position, body, name + ".position", "m");
    if (body_moves_[static_cast<std::size_t>(body)]) {
      add_vector(SignalQuantity::body_velocity, body, name + ".velocity", "m/s");
      add_vector(SignalQuantity::body_angular_velocity, body, name + ".angular_velocity", "rad/s");
    }
    add_quaternion(SignalQuantity::body_orientation, body, name + ".orientation");
    if (body_moves_[static_cast<std::size_t>(body)]) add(SignalQuantity::body_tilt, body, 0, name + ".tilt", "rad");
  }

  // NAME.position, or NAME.position.angle where there are several.
  void add_coordinates(SignalQuantity quantity, int index, const std::string& prefix,
                       const char* CoordinateName::*unit) {
    const JointKind& kind = system_.named_joints[static_cast<std::size_t>(index)].kind;
    for (int k = 0; k < calc_nq(kind); ++k) {
      const CoordinateName coordinate = coordinate_name(kind, k);
      const std::string name = *coordinate.name ? prefix + "." + coordinate.name : prefix;
      add(quantity, index, k, name, coordinate.*unit);
    }
  }

  void add_joint(int index) {
    const NamedJoint& joint = system_.named_joints[static_cast<std::size_t>(index)];
    if (has_coordinates(joint.kind)) {
      add_coordinates(SignalQuantity::joint_position, index, joint.name + ".position", &CoordinateName::unit);
      add_coordinates(SignalQuantity::joint_velocity, index, joint.name + ".velocity", &CoordinateName::rate_unit);
      add_coordinates(SignalQuantity::joint_force, index, joint.name + ".force", &CoordinateName::force_unit);
    } else if (type_of(joint.kind) != JointType::weld) {
      add_quaternion(SignalQuantity::joint_orientation, index, joint.name + ".orientation");
    }
    add_group(SignalQuantity::joint_reaction, index, joint.name + ".reaction",
              {{".torque.x", "N m"},
               {".torque.y", "N m"},
               {".torque.z", "N m"},
               {".force.x", "N"},
               {".force.y", "N"},
               {".force.z", "N"}});
  }

  /// A prefix of what SignalTable::calc_group writes.
  std::vector<Suffix> list_contact_suffixes() const {
    std::vector<Suffix> suffixes = {{".force", "N"},       {".friction", "N"},    {".depth", "m"},
                                    {".impulse", "N s"},   {".impulse.x", "N s"}, {".impulse.y", "N s"},
                                    {".impulse.z", "N s"}, {".peak_force", "N"}};
    const std::vector<CompliantSlot>& slots = system_.contact.slots;
    if (slots.empty()) return suffixes;
    suffixes.insert(suffixes.end(), {{".stick", "1"}, {".dwell", "1"}, {".deflection", "m"}});
    return suffixes;
  }

  /// Behind them, of compliant contacts.
  void add_patch(int group, const std::string& prefix) {
    const std::vector<CompliantSlot>& slots = system_.contact.slots;
    if (slots.empty()) return;
    if (std::any_of(slots.begin(), slots.end(), [](const CompliantSlot& slot) { return slot.volume; }))
      add(SignalQuantity::contact, group, 11, prefix + ".volume", "m^3");
    const char* axes[] = {".x", ".y", ".z"};
    for (int k = 0; k < 3; ++k) add(SignalQuantity::contact, group, 12 + k, prefix + ".normal" + axes[k], "1");
    for (int k = 0; k < 3; ++k) add(SignalQuantity::contact, group, 15 + k, prefix + ".moment" + axes[k], "N m");
  }

  void add_contacts() {
    const std::vector<ContactRule>& rules = system_.contact.rules;
    const bool has_dwell =
        system_.contact.slots.empty() &&
        std::any_of(rules.begin(), rules.end(), [](const ContactRule& rule) { return rule.law.has_static_friction(); });
    for (int i = 0; i < groups_.size(); ++i) {
      const std::string prefix = "contact." + groups_.names()[static_cast<std::size_t>(i)];
      add_group(SignalQuantity::contact, i, prefix, list_contact_suffixes());
      add_patch(i, prefix);
      if (has_dwell) {
        add(SignalQuantity::contact, i, 8, prefix + ".stick", "1");
        add(SignalQuantity::contact, i, 9, prefix + ".dwell", "1");
      }
      if (!system_.contact.has_layers()) continue;
      add(SignalQuantity::contact, i, 10, prefix + ".deflection", "m");
      add(SignalQuantity::contact, i, 18, prefix + ".shear", "m");
      add(SignalQuantity::contact, i, 19, prefix + ".core_force", "N");
    }
  }

  void add_system() {
    add_group(SignalQuantity::energy, 0, "energy.",
              {{"kinetic", "J"},
               {"potential", "J"},
               {"stored", "J"},
               {"dissipated", "J"},
               {"input", "J"},
               {"stabilisation", "J"},
               {"total", "J"},
               {"residual", "J"},
               {"friction", "J"},
               {"impact", "J"}});
    if (system_.layer_energy >= 0) add(SignalQuantity::energy, 0, 10, "energy.layers", "J");
    add_group(SignalQuantity::momentum, 0, "momentum.",
              {{"angular.x", "kg m^2/s"},
               {"angular.y", "kg m^2/s"},
               {"angular.z", "kg m^2/s"},
               {"linear.x", "kg m/s"},
               {"linear.y", "kg m/s"},
               {"linear.z", "kg m/s"}});
    int component = 0;
    for (const AuditField& field : audit_fields) {
      const int index = component++;
      if (has_audit_field(field, system_))
        add(SignalQuantity::audit, 0, index, std::string("audit.") + field.name, field.unit);
    }
  }

  void check_names() const {
    std::vector<Fault> faults;
    std::unordered_set<std::string> seen;
    for (const SignalInfo& info : catalog_.infos) {
      if (seen.insert(info.name).second) continue;
      Fault fault;
      fault.message = fmt::format("two signals are named \"{}\"", info.name);
      fault.hint = "give bodies and joints different names";
      faults.push_back(fault);
    }
    if (!faults.empty()) throw InputError(std::move(faults));
  }

  const System& system_;
  const ContactGroups& groups_;
  const ContactGaps* gaps_;
  std::vector<bool> body_moves_;
  SignalCatalog catalog_;
};

}  // namespace

SignalCatalog make_signal_catalog(const System& system, const ContactGroups& groups, const ContactGaps* gaps) {
  return Builder(system, groups, gaps).build();
}

}  // namespace stiction
