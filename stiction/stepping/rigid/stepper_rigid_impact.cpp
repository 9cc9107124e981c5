#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/index.h"
#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

// The laws that act at the moment of an impact; overlaps that are moved apart.

namespace stiction {

bool StepperRigid::restores(const Contact& contact, double speed_before, double speed_free) const {
  const double e = get_law(contact).restitution;
  if (e == 0 || speed_before >= 0) return false;
  const ContactMemory* memory = find_memory(contact);
  if (memory && memory->active) return false;
  // Would the rebound last longer than a step? speed_free - speed_before = a_n h
  return e * -speed_before >= 0.5 * std::max(0.0, speed_before - speed_free);
}

/// Is there a contact that touches, closes and did not bear before?
bool StepperRigid::has_impact() const {
  for (std::size_t i = 0; i < start_contacts_.size(); ++i) {
    if (!touches_[i] || start_speed_[i] >= -smallest_impact || !is_located(start_contacts_[i])) continue;
    const ContactMemory* memory = find_memory(start_contacts_[i]);
    if (!memory || !memory->active) return true;
  }
  return false;
}

/// Returns false where it wakes somebody: it is to be applied again then.
bool StepperRigid::apply_impact(State& state, StepReport& report) {
  const ContactAudit audit_before = report.contact;
  free_.evaluate(state.t, state.q, state.v, state.z, state.modes);
  const double h = settings_.step;
  contacts_.clear();
  for (std::size_t i = 0; i < start_contacts_.size(); ++i) {
    // Those that bear count, too, though rounding and curvature may have left them a gap.
    const ContactMemory* memory = find_memory(start_contacts_[i]);
    if (touches_[i] || (memory && memory->active)) contacts_.push_back(start_contacts_[i]);
  }
  update_positions(system_, state.q, kinematics_);
  rows_.update_configuration(kinematics_, {system_, kinematics_, state.t, state.q, state.v, state.z});
  rows_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) rows_.add_contact(static_cast<int>(i), contacts_[i], kinematics_);
  add_limits(state.q, state.z, closed_limit);
  const int d = rows_.dimension(), n = static_cast<int>(contacts_.size());
  satisfy_constraints(state);
  // u a step later without impulses, for the rule of short rebounds; then u before
  v_work_ = state.v + h * free_.acceleration();
  update_velocities(system_, v_work_, kinematics_);
  rows_.calc_velocities({system_, kinematics_, state.t, state.q, v_work_, state.z}, u_free_);
  update_velocities(system_, state.v, kinematics_);
  rows_.calc_velocities({system_, kinematics_, state.t, state.q, state.v, state.z}, u_start_);
  newton_.setZero(n);
  poisson_.setZero(n);
  for (int i = 0; i < n; ++i) {
    const RigidLaw& law = get_law(contacts_[at(i)]);
    const bool restored = restores(contacts_[at(i)], u_start_[d * i], u_free_[d * i]);
    if (law.hypothesis == RestitutionHypothesis::newton && restored) newton_[i] = law.restitution;
    // Poisson: what does not close itself may bear all the same; a rebound that is too short is none.
    if (law.hypothesis == RestitutionHypothesis::poisson && (restored || u_start_[d * i] > -smallest_impact))
      poisson_[i] = law.restitution;
  }
  add_belts(state.t, u_start_);
  u_free_ = u_start_;
  restitution_part_.setOnes(n);
  solve_impact(report);
  lower_restitution(report);
  if (wake_pushed(state.t, report)) {
    report.contact = audit_before;
    return false;
  }
  rows_.add_impulses(r_, state.v);
  included_.assign(contacts_.size(), 1);
  book_impulses(state, true, report);
  remember(state.t, 0, true, report);
  return true;
}

/// Velocities keep the constraints at s of the step before, not where the impact is: u would not be what impulses work
/// on.
void StepperRigid::satisfy_constraints(State& state) {
  if (rows_.constraints().empty()) return;
  update_velocities(system_, state.v, kinematics_);
  const double before = calc_kinetic_energy(system_, kinematics_);
  constraint_offset_.setZero(rows_.constraints().size());
  rows_.satisfy_constraints({system_, kinematics_, state.t, state.q, state.v, state.z}, 0, constraint_offset_, state.v);
  update_velocities(system_, state.v, kinematics_);
  state.z[ledger_projection] += calc_kinetic_energy(system_, kinematics_) - before;
}

/// The impulses of an impact with parts of the restitution, and the velocities u_end_ after it.
void StepperRigid::solve_impact(StepReport& report) {
  const int d = rows_.dimension();
  problem_q_ = u_start_;
  for (int i = 0; i < newton_.size(); ++i) problem_q_[d * i] += restitution_part_[i] * newton_[i] * u_start_[d * i];
  note_result(solver_.solve_cold(rows_, problem_q_, 0, r_), report);
  if (poisson_.size() > 0 && poisson_.maxCoeff() > 0) restore_poisson(report);
  calc_end_velocities();
}

/// The energy that the impulses of a group take, -r . (u before + u after) / 2, and 0 where that is rounding.
double StepperRigid::calc_taken(const std::vector<int>& island) const {
  const int d = rows_.dimension();
  double taken = 0, scale = 0;
  for (const int i : island) {
    taken -= 0.5 * r_.segment(d * i, d).dot(u_start_.segment(d * i, d) + u_end_.segment(d * i, d));
    scale += std::abs(r_.segment(d * i, d).dot(u_start_.segment(d * i, d)));
  }
  return std::abs(taken) < 1e-12 * scale ? 0 : taken;
}

/// In every group of contacts the largest part of the restitution with which it feeds no energy, by bisection; with
/// none it takes some.
void StepperRigid::lower_restitution(StepReport& report) {
  struct Group {
    std::vector<int> contacts;
    double low = 0, high = 1;
  };
  std::vector<Group> groups;
  for (const std::vector<int>& island : rows_.find_groups()) {
    if (calc_taken(island) < 0) groups.push_back({island});
  }
  if (groups.empty()) return;
  const auto set_parts = [&](const auto& get_part) {
    for (const Group& group : groups) {
      for (const int i : group.contacts) {
        if (i < restitution_part_.size()) restitution_part_[i] = get_part(group);
      }
    }
    solve_impact(report);
  };
  constexpr int halvings = 30;
  for (int k = 0; k < halvings; ++k) {
    set_parts([](const Group& group) { return 0.5 * (group.low + group.high); });
    for (Group& group : groups)
      (calc_taken(group.contacts) < 0 ? group.high : group.low) = 0.5 * (group.low + group.high);
  }
  set_parts([](const Group& group) { return group.low; });
  for (const Group& group : groups) {
    for (const int i : group.contacts) {
      if (i >= newton_.size() || newton_[i] + poisson_[i] == 0) continue;
      const Contact& contact = contacts_[at(i)];
      report.contact.note_lost_restitution(1 - group.low, contact.shape_a, contact.shape_b);
    }
  }
}

/// The second phase: normal impulses e times those of the first, friction solved with them; then what still closes.
void StepperRigid::restore_poisson(StepReport& report) {
  const int d = rows_.dimension(), n = rows_.size();
  VecX given = VecX::Zero(n);
  for (int i = 0; i < poisson_.size(); ++i) given[i] = restitution_part_[i] * poisson_[i] * r_[d * i];
  VecX u = rows_.W() * r_ + u_free_, second = VecX::Zero(d * n), third = VecX::Zero(d * n);
  note_result(solver_.solve_friction(rows_, u, given, second), report);
  u += rows_.W() * second;
  note_result(solver_.solve_cold(rows_, u, 0, third), report);
  r_ += second + third;
}

/// Moves apart what overlaps, as anitescu_potra stabilises positions: dq = A J_n' p, 0 <= p orthogonal to gap + J_n dq
/// >= 0, until no gap is below 0 by more than rounding (1e-12 m); velocities stay as they are, and what it takes
/// against gravity is booked. Joint limits take part, but are a cause of their own only `with_limits`.
void StepperRigid::separate(State& state, int most_rounds, bool with_limits, StepReport& report) {
  constexpr double allowed = 1e-12;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<Contact>& found = find_contacts(state);
    const bool overlaps = std::any_of(found.begin(), found.end(), [](const Contact& c) { return c.gap < -allowed; });
    if (!overlaps && (!with_limits || rows_.coordinates().empty())) return;
    contacts_ = found;
    pose_separation(state);
    const auto is_closed = [](const RowBlock& block) { return block.gap < -allowed; };
    if (std::none_of(rows_.blocks().begin(), rows_.blocks().end(), is_closed)) return;
    const ContactAudit audit_before = report.contact;
    note_result(solver_.solve_cold(rows_, problem_q_, 0, r_), report);
    if (wake_pushed(state.t, report)) {
      report.contact = audit_before;
    } else if (!move_apart(state, allowed, report)) {
      return;
    }
  }
}

/// Of a heap: what overlaps by more than the slack is moved apart, too, but by so many sweeps only as a step can
/// afford; the rest is left to the next ones. Again where it was deep: bodies that turn do not move as gaps say. With
/// cone, where there is no heap, what is deep, by the same reason.
void StepperRigid::loosen(State& state, StepReport& report) {
  constexpr double deep = 1e-6;
  constexpr int most_rounds = 5;
  const double allowed = slack_ > 0 ? slack_ : deep;
  for (int round = 0; round < most_rounds; ++round) {
    const double depth = round == 0 ? allowed : std::max(allowed, deep);
    const std::vector<Contact>& found = find_contacts(state);
    if (std::none_of(found.begin(), found.end(), [&](const Contact& c) { return c.gap < -depth; })) return;
    contacts_ = found;
    pose_separation(state);
    const int sweeps = solver_.solve_roughly(rows_, problem_q_, 0.1 * allowed, r_);
    if (wake_pushed(state.t, report)) continue;
    report.contact.iterations += sweeps;
    if (!move_apart(state, allowed, report)) return;
  }
}

void StepperRigid::pose_separation(const State& state) {
  update_positions(system_, state.q, kinematics_);
  rows_.update_configuration(kinematics_, {system_, kinematics_, state.t, state.q, state.v, state.z});
  rows_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) rows_.add_contact(static_cast<int>(i), contacts_[i], kinematics_);
  add_limits(state.q, state.z, std::numeric_limits<double>::infinity());
  rows_.make_frictionless();
  const int d = rows_.dimension();
  problem_q_.setZero(d * rows_.size());
  for (int i = 0; i < rows_.size(); ++i) problem_q_[d * i] = rows_.blocks()[at(i)].gap;
}

/// Bodies that are squeezed cannot be moved apart, and sweeps in the attempt would move them anywhere. A group in which
/// a body would go ten times as far as all its overlaps together stays, and counts as unsolved; so does one, unless it
/// is a large heap, whose deepest overlap would neither be halved nor allowed. Returns whether there is any.
bool StepperRigid::drop_wild_motions(double allowed) {
  const int d = rows_.dimension();
  rows_.multiply(r_, u_end_);
  displacement_.setZero(system_.nv);
  rows_.add_impulses(r_, displacement_);
  update_velocities(system_, displacement_, kinematics_);
  bool any = false;
  for (const std::vector<int>& group : rows_.find_groups()) {
    double overlaps = 0, deepest = 0, left = 0, way = 0;
    for (const int i : group) {
      const RowBlock& block = rows_.blocks()[at(i)];
      overlaps += std::max(0.0, -block.gap);
      deepest = std::max(deepest, -block.gap);
      left = std::max(left, -block.gap - u_end_[d * i]);
      if (block.kind != RowKind::contact) continue;
      const Contact& contact = contacts_[at(block.index)];
      for (const int shape : {contact.shape_a, contact.shape_b})
        way = std::max(way, moves_freely_[at(shape)] ? calc_way(at(shape), kinematics_, 1) : 0.0);
    }
    const bool is_halved =
        left <= std::max(allowed, 0.5 * deepest) || static_cast<int>(group.size()) > cone_most_factorized;
    if (way <= 10 * overlaps && is_halved) continue;
    for (const int i : group) r_.segment(d * i, d).setZero();
    any = true;
  }
  return any;
}

/// By the impulses r_; kinematics_ is that of the state. Returns whether all could be moved.
bool StepperRigid::move_apart(State& state, double allowed, StepReport& report) {
  const bool dropped = drop_wild_motions(allowed);
  if (dropped) ++report.contact.unconverged;
  const double potential = calc_potential_energy(system_, kinematics_);
  displacement_.setZero(system_.nv);
  rows_.add_impulses(r_, displacement_);
  add_displacement(kinematics_.plan, displacement_, state.q);
  update_positions(system_, state.q, kinematics_);
  state.z[ledger_projection] += calc_potential_energy(system_, kinematics_) - potential;
  return !dropped;
}

}  // namespace stiction
