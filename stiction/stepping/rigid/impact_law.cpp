#include "stiction/stepping/rigid/impact_law.h"

#include "stiction/base/index.h"

namespace stiction {

ImpactLaw::ImpactLaw(IslandWork& work) : work_(work), model_(work.model) {}

bool ImpactLaw::is_due() const {
  const ContactTracker::Start& start = work_.tracker.start();
  for (std::size_t i = 0; i < start.contacts.size(); ++i) {
    if (!start.touches[i] || start.speeds[i] >= -model_.tolerances.smallest_impact) continue;
    if (model_.is_located(start.contacts[i]) && !work_.tracker.was_loaded(start.contacts[i])) return true;
  }
  return false;
}

void ImpactLaw::solve(IslandState& state) {
  pose(state);
  set_restitution();
  add_belts(model_, work_.rows, solved_.contacts, work_.kinematics, state.t, solved_.u_start);
  part_.setOnes(newton_.size());
  solve_with_parts();
  lower_restitution();
}

/// Rows of what touches, velocities along them before the impact and a step later without it.
void ImpactLaw::pose(IslandState& state) {
  const VecX& z = work_.free.z();
  FreeMotion& motion = work_.free.motion();
  motion.evaluate(state.t, state.q, state.v, z, work_.free.modes());
  const ContactTracker::Start& start = work_.tracker.start();
  solved_.contacts.clear();
  for (std::size_t i = 0; i < start.contacts.size(); ++i) {
    // Those that were loaded count, too, though rounding and curvature may have left them a gap.
    if (start.touches[i] || work_.tracker.was_loaded(start.contacts[i])) solved_.contacts.push_back(start.contacts[i]);
  }
  StepRows& rows = work_.rows;
  Kinematics& kinematics = work_.kinematics;
  update_positions(model_.system, state.q, kinematics);
  rows.update_configuration(kinematics, {model_.system, kinematics, state.t, state.q, state.v, z});
  rows.clear();
  for (std::size_t i = 0; i < solved_.contacts.size(); ++i)
    rows.add_contact(static_cast<int>(i), solved_.contacts[i], kinematics);
  add_limits(model_, state.q, z, model_.tolerances.closed_limit, kinematics, rows);
  satisfy_constraints(state);
  v_later_ = state.v + model_.settings.step * motion.acceleration();
  update_velocities(model_.system, v_later_, kinematics);
  rows.calc_velocities({model_.system, kinematics, state.t, state.q, v_later_, z}, u_later_);
  update_velocities(model_.system, state.v, kinematics);
  rows.calc_velocities({model_.system, kinematics, state.t, state.q, state.v, z}, solved_.u_start);
}

/// Velocities keep the constraints at s of the step before, not where the impact is: u would not be what impulses work
/// on.
void ImpactLaw::satisfy_constraints(IslandState& state) {
  if (work_.rows.constraint_count() == 0) return;
  Kinematics& kinematics = work_.kinematics;
  update_velocities(model_.system, state.v, kinematics);
  const double before = calc_kinetic_energy(model_.system, kinematics);
  work_.rows.clear_constraint_offset();
  work_.rows.satisfy_constraints({model_.system, kinematics, state.t, state.q, state.v, work_.free.z()}, 0, state.v);
  update_velocities(model_.system, state.v, kinematics);
  state.ledger[ledger_projection] += calc_kinetic_energy(model_.system, kinematics) - before;
}

void ImpactLaw::set_restitution() {
  const int d = work_.rows.dimension(), n = static_cast<int>(solved_.contacts.size());
  newton_.setZero(n);
  poisson_.setZero(n);
  for (int i = 0; i < n; ++i) {
    const Contact& contact = solved_.contacts[at(i)];
    const RigidLaw& law = model_.law(contact);
    const double speed = solved_.u_start[d * i];
    const bool restored = is_restored(model_, work_.tracker, contact, speed, u_later_[d * i]);
    if (law.hypothesis == RestitutionHypothesis::newton && restored) newton_[i] = law.restitution;
    // Poisson: what does not close itself may be pushed all the same; a rebound that is too short is none.
    if (law.hypothesis == RestitutionHypothesis::poisson && (restored || speed > -model_.tolerances.smallest_impact))
      poisson_[i] = law.restitution;
  }
}

/// The impulses of an impact with parts of the restitution, and the velocities after it.
void ImpactLaw::solve_with_parts() {
  const int d = work_.rows.dimension();
  q_ = solved_.u_start;
  for (int i = 0; i < newton_.size(); ++i) q_[d * i] += part_[i] * newton_[i] * solved_.u_start[d * i];
  work_.note(work_.solver.solve_cold(work_.rows, q_, 0, solved_.r));
  if (poisson_.size() > 0 && poisson_.maxCoeff() > 0) restore_poisson();
  work_.calc_end_velocities(solved_.u_start, q_, solved_);
}

/// The second phase: normal impulses e times those of the first, friction solved with them; then what still closes.
void ImpactLaw::restore_poisson() {
  StepRows& rows = work_.rows;
  const int d = rows.dimension(), n = rows.size();
  VecX given = VecX::Zero(n);
  for (int i = 0; i < poisson_.size(); ++i) given[i] = part_[i] * poisson_[i] * solved_.r[d * i];
  VecX u = rows.W() * solved_.r + solved_.u_start, second = VecX::Zero(d * n), third = VecX::Zero(d * n);
  work_.note(work_.solver.solve_friction(rows, u, given, second));
  u += rows.W() * second;
  work_.note(work_.solver.solve_cold(rows, u, 0, third));
  solved_.r += second + third;
}

/// In every group of contacts the largest part of the restitution with which it creates no energy, by bisection; with
/// none it takes some.
void ImpactLaw::lower_restitution() {
  struct Group {
    std::vector<int> contacts;
    double low = 0, high = 1;
  };
  const int d = work_.rows.dimension();
  std::vector<Group> groups;
  for (const std::vector<int>& group : work_.rows.find_groups()) {
    if (calc_taken(group, d, solved_) < 0) groups.push_back({group});
  }
  if (groups.empty()) return;
  const auto solve = [&](const auto& get_part) {
    for (const Group& group : groups) {
      for (const int i : group.contacts) {
        if (i < part_.size()) part_[i] = get_part(group);
      }
    }
    solve_with_parts();
  };
  for (int k = 0; k < model_.policy.restitution; ++k) {
    solve([](const Group& group) { return 0.5 * (group.low + group.high); });
    for (Group& group : groups)
      (calc_taken(group.contacts, d, solved_) < 0 ? group.high : group.low) = 0.5 * (group.low + group.high);
  }
  solve([](const Group& group) { return group.low; });
  for (const Group& group : groups) {
    for (const int i : group.contacts) {
      if (i >= newton_.size() || newton_[i] + poisson_[i] == 0) continue;
      const Contact& contact = solved_.contacts[at(i)];
      work_.audit.note_lost_restitution(1 - group.low, contact.shape_a, contact.shape_b);
    }
  }
}

}  // namespace stiction
