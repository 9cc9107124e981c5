#include "stiction/stepping/rigid/impact_law.h"

#include "stiction/base/index.h"
#include "stiction/solvers/island.h"

namespace stiction {

ImpactLaw::ImpactLaw(IslandWork& work) : work_(work), model_(work.model), process_(work.model.solved) {}

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
  posed_t_ = state.t;
  posed_v_ = &state.v;
  set_restitution();
  add_belts(model_, work_.rows, solved_.contacts, work_.kinematics, state.t, solved_.u_start);
  set_static_friction(model_, work_.tracker, solved_.contacts, solved_.u_start, state.t, work_.rows);
  part_.setOnes(restitution_.size());
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
    // Layers take no impact. Contacts that were loaded count, though rounding and curvature may have left them a gap.
    if (model_.is_layered(start.contacts[i])) continue;
    if (start.touches[i] || work_.tracker.was_loaded(start.contacts[i])) solved_.contacts.push_back(start.contacts[i]);
  }
  StepRows& rows = work_.rows;
  Kinematics& kinematics = work_.kinematics;
  update_positions(model_.system, state.q, kinematics);
  rows.A().update({model_.system, kinematics, state.t, state.q, state.v, z});
  rows.J().clear();
  for (std::size_t i = 0; i < solved_.contacts.size(); ++i)
    rows.J().add_contact(static_cast<int>(i), solved_.contacts[i], kinematics);
  add_limits(model_, state.q, z, model_.tolerances.closed_limit, kinematics, rows);
  satisfy_constraints(state);
  v_later_ = state.v + model_.settings.step * motion.acceleration();
  update_velocities(model_.system, v_later_, kinematics);
  rows.J().calc_velocities({model_.system, kinematics, state.t, state.q, v_later_, z}, u_later_);
  update_velocities(model_.system, state.v, kinematics);
  rows.J().calc_velocities({model_.system, kinematics, state.t, state.q, state.v, z}, solved_.u_start);
  solved_.turned.setZero(solved_.u_start.size());
}

/// Velocities keep the constraints at s of the step before, not where the impact is: u would not be what impulses work
/// on.
void ImpactLaw::satisfy_constraints(IslandState& state) {
  ClusterConstraints& constraints = work_.rows.A().constraints();
  if (constraints.count() == 0) return;
  Kinematics& kinematics = work_.kinematics;
  update_velocities(model_.system, state.v, kinematics);
  const double before = calc_kinetic_energy(model_.system, kinematics);
  constraints.clear_offset();
  constraints.satisfy({model_.system, kinematics, state.t, state.q, state.v, work_.free.z()}, 0, state.v);
  update_velocities(model_.system, state.v, kinematics);
  state.ledger[ledger_projection] += calc_kinetic_energy(model_.system, kinematics) - before;
}

void ImpactLaw::set_restitution() {
  const int d = work_.rows.dimension(), n = static_cast<int>(solved_.contacts.size());
  restitution_.setZero(n);
  for (int i = 0; i < n; ++i) {
    const Contact& contact = solved_.contacts[at(i)];
    const RigidLaw& law = model_.law(contact);
    const double speed = solved_.u_start[d * i];
    // Poisson: what does not close itself may be pushed all the same; a rebound that is too short is none.
    const bool is_pushed =
        law.hypothesis != RestitutionHypothesis::newton && speed > -model_.tolerances.smallest_impact;
    if (is_pushed || is_restored(model_, work_.tracker, contact, speed, u_later_[d * i]))
      restitution_[i] = law.calc_restitution(-speed);
  }
}

/// The impulses of an impact with parts of the restitution, and the velocities after it.
void ImpactLaw::solve_with_parts() {
  solved_.r.setZero(work_.rows.dimension() * work_.rows.size());
  for (const std::vector<int>& group : work_.rows.find_groups()) solve_group(group);
  work_.calc_end_velocities(solved_.u_start, solved_.u_start, solved_);
}

void ImpactLaw::solve_group(const std::vector<int>& group) {
  StepRows& rows = work_.rows;
  rows.calc_matrix(group, problem_.W);
  gather(solved_.u_start, group, rows.dimension(), problem_.u);
  problem_.contacts.assign(group.size(), {});
  for (std::size_t k = 0; k < group.size(); ++k) {
    const RowBlock& block = rows.blocks()[at(group[k])];
    ImpactContact& contact = problem_.contacts[k];
    contact.mu = block.mu;
    contact.ellipsoid = block.ellipsoid;
    if (block.kind != RowKind::contact) continue;
    contact.restitution = part_[block.index] * restitution_[block.index];
    contact.hypothesis = model_.law(solved_.contacts[at(block.index)]).hypothesis;
  }
  const ImpactProcess::Result result = process_.solve(problem_, group_r_);
  if (!result.converged) return solve_plastic(group);
  scatter(group_r_, group, rows.dimension(), solved_.r);
  work_.note({.converged = true, .residual = result.residual, .iterations = result.iterations});
}

/// A group by the solver of a step, without restitution.
void ImpactLaw::solve_plastic(const std::vector<int>& group) {
  const int d = work_.rows.dimension();
  VecX r = VecX::Zero(d * work_.rows.size());
  work_.posed = {posed_t_, 0, posed_v_, posed_v_, posed_v_, &solved_.contacts, false};
  work_.note(work_.solver.solve_cold(work_.rows, solved_.u_start, 0, r));
  for (const int i : group) {
    solved_.r.segment(d * i, d) = r.segment(d * i, d);
    const RowBlock& block = work_.rows.blocks()[at(i)];
    if (block.kind != RowKind::contact || restitution_[block.index] == 0) continue;
    const Contact& contact = solved_.contacts[at(block.index)];
    work_.audit.note_lost_restitution(1, contact.shape_a, contact.shape_b);
  }
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
      if (i >= restitution_.size() || restitution_[i] == 0) continue;
      const Contact& contact = solved_.contacts[at(i)];
      work_.audit.note_lost_restitution(1 - group.low, contact.shape_a, contact.shape_b);
    }
  }
}

}  // namespace stiction
