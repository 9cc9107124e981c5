#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "stiction/base/fault.h"
#include "stiction/base/index.h"
#include "stiction/base/text.h"
#include "stiction/multibody/force_sum.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

// What is told of a step: ledger, audit, records, events, checkpoint.

namespace stiction {
namespace {

/// |E^-1 r_t| - mu r_n where that is above 0; joint friction has the cone of its bound.
double calc_cone_violation(const RowBlock& block, const Eigen::Ref<const VecX>& r) {
  double sum = 0;
  for (int k = 1; k < r.size(); ++k) {
    const double axis = block.ellipsoid[k - 1];
    if (axis > 0) sum += (r[k] / axis) * (r[k] / axis);
  }
  return block.kind == RowKind::contact ? std::max(0.0, std::sqrt(sum) - block.mu * r[0]) : 0;
}

bool is_of_pair(const Contact& contact, const Contact& pair) {
  return contact.shape_a == pair.shape_a && contact.shape_b == pair.shape_b;
}

/// As Contact::comes_before.
template <class A, class B>
bool comes_before(const A& a, const B& b) {
  return std::tuple(a.shape_a, a.shape_b, a.point) < std::tuple(b.shape_a, b.shape_b, b.point);
}

/// What the next guess takes over of a correction to a good guess. Such a correction undoes what rounding of gaps
/// has left in the velocities; taken over whole, it would act again in the next step, and have to be undone again.
constexpr double correction_part = 0.1;

}  // namespace

void StepperRigid::note_result(const RigidSolver::Result& result, StepReport& report) const {
  ContactAudit& audit = report.contact;
  audit.residual = std::max(audit.residual, result.residual);
  audit.iterations += result.iterations;
  audit.contacts = rows_.size();
  audit.unknowns =
      std::max(audit.unknowns, free_velocities_ + rows_.constraints().size() + solver_.count_unknowns(rows_));
  if (!result.converged) ++audit.unconverged;
}

/// A part of a step in which contacts act, taken with rest_scheme_ where impacts would have been located.
void StepperRigid::note_first_order(StepReport& report) const {
  if (rows_.size() > 0 && (scheme_.locates_all || has_restitution_)) ++report.contact.first_order;
}

/// Work of the impulses: r . (u before + u after) / 2 along each row is what the bodies gain, exactly, since M is that
/// of one configuration. What moving boundaries (driven bodies, belts) put in is the part of u that they make.
void StepperRigid::book_impulses(State& state, bool impact, StepReport& report) {
  const int d = rows_.dimension();
  if (impact) {
    // v before = v after - A J' r
    v_mean_ = state.v;
    work_ = -0.5 * r_;
    rows_.add_impulses(work_, v_mean_);
  } else {
    v_mean_ = 0.5 * (v_work_ + v_start_);
  }
  const bool is_driven = has_belts_ || has_prescribed_;
  for (int i = 0; i < rows_.size(); ++i) {
    const RowBlock& block = rows_.blocks()[at(i)];
    const int first = d * i;
    double friction = 0, normal = 0;
    const Eigen::Vector4d own = is_driven ? rows_.calc_row_velocities(i, v_mean_) : Eigen::Vector4d::Zero();
    for (int k = 0; k < d; ++k) {
      if (block.kind == RowKind::joint_friction && k == 0) continue;
      const double work = -0.5 * r_[first + k] * (u_start_[first + k] + u_end_[first + k]);
      (k == 0 ? normal : friction) += work;
      if (!is_driven) continue;
      state.z[ledger_input] -= r_[first + k] * (0.5 * (u_start_[first + k] + u_end_[first + k]) - own[k]);
    }
    report.contact.cone = std::max(report.contact.cone, calc_cone_violation(block, r_.segment(first, d)));
    if (impact || restored_[i] > 0) {
      report.contact.dissipation += normal + friction;
      // How an impact shares its work between directions depends on its course, which is not known: friction takes.
      if (friction < 0) normal += friction, friction = 0;
    } else {
      // By the law itself, at the velocities after the step.
      for (int k = 1; k < d; ++k) report.contact.dissipation -= r_[first + k] * u_end_[first + k];
    }
    state.z[ledger_friction] += friction;
    state.z[ledger_dissipated] += friction;
    // Normal impulses do work where bodies come together: an impact, or a gap that is being closed.
    const bool closes = impact || std::min(u_start_[first], u_end_[first]) < -smallest_impact;
    state.z[closes ? ledger_impact : ledger_projection] += closes ? normal : -normal;
    if (closes) state.z[ledger_dissipated] += normal;
  }
}

/// The contacts of this (sub)step become the memory of the next; events are what changed.
void StepperRigid::remember(double t, double h, bool impact, StepReport& report) {
  const int d = rows_.dimension();
  memory_next_.clear();
  if (!impact) std::fill(resting_impulses_.begin(), resting_impulses_.end(), 0.0);
  for (int i = 0; i < rows_.size(); ++i) {
    const RowBlock& block = rows_.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    ContactMemory memory;
    memory.place = contacts_[at(block.index)];
    const auto r = r_.segment(d * i, d);
    const double force_scale = impact ? 0 : 1 / h;
    for (int k = 0; k < d; ++k) memory.force[k] = force_scale * r[k];
    memory.active = r[0] > 0;
    const double slip = u_end_.segment(d * i + 1, std::min(d, 3) - 1).norm();
    memory.mode = !memory.active ? ContactMode::open : slip > slip_speed_ ? ContactMode::slip : ContactMode::stick;
    const ContactMemory* before = find_memory(memory.place);
    if (impact && before && !memory.active) memory.force = before->force;
    if (!impact && before && guess_is_good_)
      memory.force = before->force + correction_part * (memory.force - before->force);
    if (!impact && before && is_large_heap_) follow_change(*before, memory);
    note_changes(t, before, memory, u_start_[d * i], report);
    memory_next_.push_back(memory);
    add_record(i, block, impact, report);
  }
  memory_.swap(memory_next_);
  const std::vector<ContactMemory>& memory_before = memory_next_;
  // Pairs of which no point bears any more. Both lists ascend.
  auto first = memory_.begin();
  const auto bears = [&](const Contact& pair) {
    while (first != memory_.end() &&
           std::pair(first->place.shape_a, first->place.shape_b) < std::pair(pair.shape_a, pair.shape_b))
      ++first;
    for (auto entry = first; entry != memory_.end() && is_of_pair(entry->place, pair); ++entry) {
      if (entry->active) return true;
    }
    return false;
  };
  for (const ContactMemory& before : memory_before) {
    if (before.active && !impact && !bears(before.place)) note_event(report, t, "release", before.place);
  }
  if (!impact) return;
  // An impact concerns the contacts that touch; the others keep their memory.
  for (const ContactMemory& before : memory_before) {
    if (find_memory(before.place) == nullptr) added_.push_back(before);
  }
  memory_.insert(memory_.end(), added_.begin(), added_.end());
  added_.clear();
  std::sort(memory_.begin(), memory_.end(),
            [](const ContactMemory& x, const ContactMemory& y) { return x.comes_before(y); });
}

void StepperRigid::note_changes(double t, const ContactMemory* before, const ContactMemory& now, double speed,
                                StepReport& report) {
  const bool was_active = before && before->active;
  if (now.active && !was_active && speed < -smallest_impact) note_event(report, t, "impact", now.place);
  if (now.active && was_active && before->mode != now.mode)
    note_event(report, t, now.mode == ContactMode::slip ? "slip" : "stick", now.place);
}

void StepperRigid::note_event(StepReport& report, double t, const char* kind, const Contact& contact) const {
  const auto& shapes = system_.contact.shapes;
  const std::string name = shapes[at(contact.shape_a)].name + "/" + shapes[at(contact.shape_b)].name;
  // One event a pair, however many points: those of a pair follow upon each other, with three kinds of events at most.
  const std::size_t count = report.events.size();
  for (std::size_t i = count - std::min<std::size_t>(count, 3); i < count; ++i) {
    const StepEvent& event = report.events[i];
    if (event.t == t && event.kind == kind && event.name == name) return;
  }
  report.events.push_back({t, kind, name});
}

/// The record of that place, new if there is none.
ContactRecord& StepperRigid::find_record(int shape_a, int shape_b, int point) {
  const ContactRecord place{.shape_a = shape_a, .shape_b = shape_b, .point = point};
  const bool is_last = records_.empty() || comes_before(records_.back(), place);
  auto found =
      is_last ? records_.end()
              : std::lower_bound(records_.begin(), records_.end(), place, comes_before<ContactRecord, ContactRecord>);
  if (found == records_.end() || comes_before(place, *found)) {
    resting_impulses_.insert(resting_impulses_.begin() + (found - records_.begin()), 0.0);
    found = records_.insert(found, place);
  }
  return *found;
}

void StepperRigid::add_record(int i, const RowBlock& block, bool impact, StepReport& report) {
  const int d = rows_.dimension();
  const Contact& contact = contacts_[at(block.index)];
  ContactRecord* found = &find_record(contact.shape_a, contact.shape_b, contact.point);
  found->position = 0.5 * (block.point_a + block.point_b);
  found->normal = block.frame.col(0);
  found->gap = contact.gap;
  found->certified = contact.certified;
  found->slip.setZero();
  for (int k = 0; k < std::min(d, 3); ++k) {
    found->impulse += r_[d * i + k] * block.frame.col(k);
    if (k > 0) found->slip += u_end_[d * i + k] * block.frame.col(k);
  }
  if (d == 4) found->spin_impulse += r_[d * i + 3];
  // An impact acts where it is, a step on the gap at its end.
  double& resting = resting_impulses_[static_cast<std::size_t>(found - records_.data())];
  if (impact) {
    report.contact.complementarity = std::max(report.contact.complementarity, std::abs(contact.gap * r_[d * i]));
  } else {
    resting = r_[d * i];
  }
  // Of the last part of the step in which it bore.
  if (r_[d * i] > 0) found->mode = found->slip.norm() > slip_speed_ ? ContactMode::slip : ContactMode::stick;
}

/// At the end of the step, by the exact geometry.
void StepperRigid::measure(const State& state, StepReport& report) {
  ContactAudit& audit = report.contact;
  const std::vector<Contact>& found = find_contacts(state);
  for (const Contact& contact : found) {
    if (-contact.gap > audit.penetration) {
      audit.penetration = -contact.gap;
      audit.worst_a = contact.shape_a, audit.worst_b = contact.shape_b;
    }
  }
  auto contact = found.begin();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    ContactRecord& record = records_[i];
    if (!record.certified && !record.impulse.isZero(0)) ++audit.uncertified;
    while (contact != found.end() && comes_before(*contact, record)) ++contact;
    if (contact == found.end() || comes_before(record, *contact)) continue;
    record.gap = contact->gap;
    audit.complementarity = std::max(audit.complementarity, std::abs(contact->gap * resting_impulses_[i]));
  }
  if (!rows_.constraints().empty()) {
    const Equations::Drift drift = equations_.calc_drift(state.t, state.q, state.v, state.z);
    report.drift = drift.position;
    report.drift_rate = drift.velocity;
  }
}

/// One-sided springs switch between steps.
void StepperRigid::update_modes(State& state, StepReport& report) {
  if (state.modes.empty()) return;
  equations_.calc_guards(state.t, state.q, state.v, state.z, work_);
  for (std::size_t i = 0; i < state.modes.size(); ++i) {
    const int mode = Equations::mode_for(work_[static_cast<Eigen::Index>(i)]);
    if (mode == state.modes[i]) continue;
    state.modes[i] = mode;
    const ModeInfo& info = equations_.mode_infos()[i];
    report.events.push_back({state.t, mode ? info.on_word : info.off_word, info.element});
  }
}

/// With sleeping, how many contacts there are stands before them, and who sleeps behind.
std::vector<double> StepperRigid::checkpoint(const State&) {
  std::vector<double> numbers;
  if (sleeping_.is_on()) numbers.push_back(static_cast<double>(memory_.size()));
  for (const ContactMemory& entry : memory_) append_contact_memory(entry, numbers);
  if (sleeping_.is_on()) sleeping_.save(numbers);
  return numbers;
}

void StepperRigid::restore(const State&, const std::vector<double>& numbers) {
  const std::size_t first = sleeping_.is_on() && !numbers.empty() ? 1 : 0;
  const std::size_t count = first > 0 ? static_cast<std::size_t>(numbers[0]) : numbers.size() / contact_memory_size;
  const std::size_t end = first + count * contact_memory_size;
  if (end > numbers.size() || (first == 0 && end < numbers.size()))
    throw IoError("the checkpoint does not fit this program");
  memory_.clear();
  for (std::size_t i = first; i < end; i += contact_memory_size) memory_.push_back(read_contact_memory(&numbers[i]));
  if (first > 0) sleeping_.restore(numbers.data() + end, numbers.size() - end);
}

std::string StepperRigid::describe_not_finite(const State& state) const {
  int worst = 0;
  for (int i = 0; i < system_.nv; ++i) {
    if (!std::isfinite(current_.v[i])) {
      worst = i;
      break;
    }
  }
  const int body = system_.nv > 0 ? find_body_of_v(system_, worst) : 0;
  return "body \"" + system_.bodies[at(body)].name + "\" at t = " + format_number(state.t) +
         " s: its motion is not finite; try a smaller step (time.step)";
}

}  // namespace stiction
