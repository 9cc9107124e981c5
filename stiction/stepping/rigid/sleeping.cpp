#include "stiction/stepping/rigid/sleeping.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "stiction/base/disjoint_sets.h"
#include "stiction/base/index.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

/// The bodies that a force element acts on, but for those that it reaches through joints.
void mark_attached(const ForceKind& kind, std::vector<char>& attached) {
  if (const auto* spring = std::get_if<SpringLinear>(&kind))
    attached[at(spring->a.body)] = attached[at(spring->b.body)] = 1;
  if (const auto* bushing = std::get_if<Bushing>(&kind))
    attached[at(bushing->body_a)] = attached[at(bushing->body_b)] = 1;
  if (const auto* spring = std::get_if<SpringSpatial>(&kind))
    attached[at(spring->body_a)] = attached[at(spring->body_b)] = 1;
  if (const auto* damper = std::get_if<Damper>(&kind)) attached[at(damper->a.body)] = attached[at(damper->b.body)] = 1;
  if (const auto* held = std::get_if<HeldForce>(&kind); held && held->body >= 0) attached[at(held->body)] = 1;
  if (const auto* applied = std::get_if<AppliedForce>(&kind)) attached[at(applied->at.body)] = 1;
}

bool moves_alone(const Joint& joint) {
  const JointType type = type_of(joint.kind);
  return joint.parent == 0 && !joint.prescribed() &&
         (type == JointType::free || type == JointType::planar || type == JointType::translation);
}

bool is_before(const ContactRecord& a, const ContactRecord& b) {
  return std::tuple(a.shape_a, a.shape_b, a.point) < std::tuple(b.shape_a, b.shape_b, b.point);
}

}  // namespace

std::vector<Sleeping::Kind> Sleeping::list_kinds(const System& system) {
  std::vector<char> attached(system.bodies.size(), 0);
  for (const NamedJoint& joint : system.named_joints) attached[at(joint.parent)] = attached[at(joint.child)] = 1;
  for (const Constraint& constraint : system.constraints)
    attached[at(constraint.frames.body_a)] = attached[at(constraint.frames.body_b)] = 1;
  for (const Force& force : system.forces) mark_attached(force.kind, attached);
  for (std::size_t b = 1; b < system.joints.size(); ++b) attached[at(system.joints[b].parent)] = 1;
  std::vector<Kind> kinds(system.bodies.size(), Kind::fixed);
  for (std::size_t b = 1; b < kinds.size(); ++b) {
    const Joint& joint = system.joints[b];
    const bool is_welded = joint.nv == 0 && kinds[at(joint.parent)] == Kind::fixed;
    kinds[b] = is_welded ? Kind::fixed : moves_alone(joint) && !attached[b] ? Kind::sleeper : Kind::other;
  }
  return kinds;
}

Sleeping::Sleeping(const RigidModel& model)
    : system_(model.system),
      delay_(model.settings.sleep),
      sleep_speed_(model.settings.sleep_speed),
      layout_{.dwell = model.has_static_friction},
      kinds_(list_kinds(system_)),
      sizes_(system_.bodies.size(), 0.0),
      rests_since_(system_.bodies.size(), never),
      group_(system_.bodies.size(), -1),
      root_(system_.bodies.size()) {
  for (const RigidModel::Shape& shape : model.shapes)
    sizes_[at(shape.body)] = std::max(sizes_[at(shape.body)], shape.arm);
}

bool Sleeping::is_dormant(std::size_t shape) const {
  const int body = body_of(static_cast<int>(shape));
  return is_on() && (kinds_[at(body)] == Kind::fixed || is_asleep(body));
}

void Sleeping::stop(VecX& v) const {
  for (const int body : asleep_) v.segment(system_.joints[at(body)].v_start, system_.joints[at(body)].nv).setZero();
}

void Sleeping::wake(const std::vector<int>& bodies, double t, std::vector<ContactMemory>& memory, StepReport& report) {
  marked_.assign(group_.size(), 0);
  for (const int body : bodies) {
    if (is_asleep(body)) marked_[at(group_[at(body)])] = 1;
  }
  const auto wakes = [&](int body) { return is_asleep(body) && marked_[at(group_[at(body)])]; };
  const auto is_of_woken = [&](int shape_a, int shape_b) { return wakes(body_of(shape_a)) || wakes(body_of(shape_b)); };
  for (const ContactMemory& contact : contacts_) {
    if (is_of_woken(contact.place.shape_a, contact.place.shape_b)) memory.push_back(contact);
  }
  std::erase_if(contacts_, [&](const ContactMemory& contact) {
    return is_of_woken(contact.place.shape_a, contact.place.shape_b);
  });
  std::erase_if(records_, [&](const ContactRecord& record) { return is_of_woken(record.shape_a, record.shape_b); });
  for (const int body : asleep_) {
    if (!wakes(body)) continue;
    group_[at(body)] = -1;
    rests_since_[at(body)] = never;
    report.events.push_back({t, "wake", system_.bodies[at(body)].name});
  }
  list_asleep();
}

std::vector<int> Sleeping::list_loaded() const {
  std::vector<int> loaded;
  for (const int body : asleep_) {
    if (kinds_[at(body)] != Kind::sleeper) loaded.push_back(body);
  }
  return loaded;
}

void Sleeping::list_asleep() {
  asleep_.clear();
  for (int body = 0; body < system_.n_bodies(); ++body) {
    if (is_asleep(body)) asleep_.push_back(body);
  }
}

void Sleeping::add_records(double h, std::vector<ContactRecord>& records, ContactAudit& audit) {
  audit.asleep = count();
  if (records_.empty()) return;
  const auto middle = static_cast<std::ptrdiff_t>(records.size());
  records.insert(records.end(), records_.begin(), records_.end());
  for (auto record = records.begin() + middle; record != records.end(); ++record) {
    record->impulse *= h;
    record->moment_impulse *= h;
    if (-record->gap > audit.penetration) {
      audit.penetration = -record->gap;
      audit.worst_a = record->shape_a, audit.worst_b = record->shape_b;
    }
    audit.complementarity =
        std::max(audit.complementarity, std::abs(record->gap * record->normal.dot(record->impulse)));
  }
  merged_.resize(records.size());
  std::merge(records.begin(), records.begin() + middle, records.begin() + middle, records.end(), merged_.begin(),
             is_before);
  records.swap(merged_);
}

double Sleeping::calc_largest_speed(int body, const Kinematics& kinematics) const {
  const Vec6& V = kinematics.V_WB[at(body)];
  return linear(V).norm() + angular(V).norm() * sizes_[at(body)];
}

/// (1); records that slip do so beyond what the tolerance leaves (stepper_rigid.h).
void Sleeping::update_clocks(const End& end, double residual) {
  const double slip_speed = 10 * residual;
  moves_.assign(kinds_.size(), 0);
  for (const ContactRecord& record : end.records) {
    if (record.mode != ContactMode::slip || record.slip.norm() <= slip_speed) continue;
    moves_[at(body_of(record.shape_a))] = moves_[at(body_of(record.shape_b))] = 1;
  }
  for (int body = 1; body < system_.n_bodies(); ++body) {
    if (kinds_[at(body)] != Kind::sleeper || is_asleep(body)) continue;
    double& since = rests_since_[at(body)];
    if (moves_[at(body)] || calc_largest_speed(body, end.kinematics) > sleep_speed_) {
      since = never;
    } else {
      since = std::min(since, end.state.t);
    }
  }
}

/// root_ of bodies that lean on one another is the same; leans_ and stays_awake_ say what holds for a root's group.
void Sleeping::find_groups(double t, const std::vector<ContactMemory>& memory) {
  std::iota(root_.begin(), root_.end(), 0);
  const auto may_sleep = [&](int body) { return kinds_[at(body)] == Kind::sleeper; };
  for (const ContactMemory& contact : memory) {
    const int a = body_of(contact.place.shape_a), b = body_of(contact.place.shape_b);
    if (contact.active && may_sleep(a) && may_sleep(b)) root_[at(find_root(root_, a))] = find_root(root_, b);
  }
  leans_.assign(root_.size(), 0);
  stays_awake_.assign(root_.size(), 0);
  for (const ContactMemory& contact : memory) {
    if (!contact.active) continue;
    const int a = body_of(contact.place.shape_a), b = body_of(contact.place.shape_b);
    const bool is_driven = kinds_[at(a)] == Kind::other || kinds_[at(b)] == Kind::other ||
                           is_belt(contact.place.shape_a) || is_belt(contact.place.shape_b);
    const bool is_fixed = kinds_[at(a)] == Kind::fixed || kinds_[at(b)] == Kind::fixed;
    for (const int body : {a, b}) {
      if (!may_sleep(body)) continue;
      const std::size_t root = at(find_root(root_, body));
      if (is_driven) stays_awake_[root] = 1;
      if (is_fixed) leans_[root] = 1;
    }
  }
  // Times are multiples of the step: rounding decides nothing.
  const double last = t - delay_ + 1e-9 * delay_;
  for (int body = 1; body < system_.n_bodies(); ++body) {
    if (may_sleep(body) && !(rests_since_[at(body)] <= last)) stays_awake_[at(find_root(root_, body))] = 1;
  }
}

bool Sleeping::fall_asleep(const End& end, std::vector<ContactMemory>& memory, StepReport& report) {
  if (!is_on()) return false;
  update_clocks(end, report.contact.residual);
  find_groups(end.state.t, memory);
  marked_.assign(kinds_.size(), 0);
  bool any = false;
  for (int body = 1; body < system_.n_bodies(); ++body) {
    if (kinds_[at(body)] != Kind::sleeper || is_asleep(body)) continue;
    const int root = find_root(root_, body);
    if (stays_awake_[at(root)] || !leans_[at(root)]) continue;
    group_[at(body)] = root;
    marked_[at(body)] = 1;
    any = true;
    report.events.push_back({end.state.t, "sleep", system_.bodies[at(body)].name});
  }
  if (!any) return false;
  list_asleep();
  const double before = calc_kinetic_energy(system_, end.kinematics);
  stop(end.state.v);
  update_velocities(system_, end.state.v, end.kinematics);
  end.state.z[ledger_projection] += calc_kinetic_energy(system_, end.kinematics) - before;
  take_contacts(end, memory);
  return true;
}

/// Contacts of the bodies that are marked, with what is fixed or asleep.
void Sleeping::take_contacts(const End& end, std::vector<ContactMemory>& memory) {
  const auto is_taken = [&](int shape_a, int shape_b) {
    return is_dormant(at(shape_a)) && is_dormant(at(shape_b)) &&
           (marked_[at(body_of(shape_a))] || marked_[at(body_of(shape_b))]);
  };
  for (const ContactMemory& contact : memory) {
    if (is_taken(contact.place.shape_a, contact.place.shape_b)) contacts_.push_back(contact);
  }
  std::erase_if(memory,
                [&](const ContactMemory& contact) { return is_taken(contact.place.shape_a, contact.place.shape_b); });
  for (const ContactRecord& record : end.records) {
    if (!is_taken(record.shape_a, record.shape_b)) continue;
    records_.push_back(record);
    records_.back().impulse /= end.h;
    records_.back().moment_impulse /= end.h;
    records_.back().slip.setZero();
    if (record.mode == ContactMode::slip) records_.back().mode = ContactMode::stick;
  }
  std::sort(contacts_.begin(), contacts_.end(),
            [](const ContactMemory& x, const ContactMemory& y) { return x.comes_before(y); });
  std::sort(records_.begin(), records_.end(), is_before);
}

}  // namespace stiction
