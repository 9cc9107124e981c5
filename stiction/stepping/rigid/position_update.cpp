#include "stiction/stepping/rigid/position_update.h"

#include <algorithm>

#include "stiction/base/index.h"

namespace stiction {

PositionUpdate::PositionUpdate(IslandWork& work) : work_(work), model_(work.model) {}

void PositionUpdate::move(const StepTask& step, const StepProblem& problem, const VecX& v_end, IslandState& to) {
  const auto& [from, h, scheme, locating] = step;
  const Island& island = work_.rows.island();
  const TreePlan& plan = work_.kinematics.plan;
  to.t = from.t + h;
  to.elapsed = from.elapsed + h;
  to.q = from.q;
  to.v = v_end;
  to.ledger = from.ledger;
  weight_.setConstant(v_end.size(), scheme.theta);
  fall_.setZero(v_end.size());
  if (scheme.theta != 0.5) fly_by_mean(step, problem);
  rebound_in_time(step, problem, v_end);
  calc_displacement(h, v_end);
  work_.free.add_turns(step, weight_, v_end, displacement_);
  add_displacement(plan, displacement_, to.q);
  if (island.has_prescribed) {
    acceleration_.resize(to.v.size());
    update_prescribed(model_.system, plan, to.t, to.q, to.v, acceleration_);
  }
  normalize_quaternions(plan, to.q);
  for (const int body : island.asleep) {
    const JointPlan& joint = plan.joints[at(body)];
    to.q.segment(joint.q_start, joint.nq) = from.q.segment(joint.q_start, joint.nq);
  }
}

/// Not where that would close a contact that (2) sees open with the velocities at the end.
void PositionUpdate::fly_by_mean(const StepTask& step, const StepProblem& problem) {
  const auto& [from, h, scheme, locating] = step;
  const Island& island = work_.rows.island();
  const StepRows& rows = work_.rows;
  const SolvedContacts& solved = problem.solved();
  const VecX& v_start = work_.free.v_start();
  pushed_.assign(island.clusters.size(), 0);
  const auto push = [&](int cluster) {
    if (cluster >= 0) pushed_[at(rows.layout().slot(cluster))] = 1;
  };
  for (int i = 0; i < rows.size(); ++i) {
    if (solved.r.segment(rows.dimension() * i, rows.dimension()).isZero(0)) continue;
    for (const int cluster : rows.blocks()[at(i)].cluster) push(cluster);
  }
  if (scheme.implicit) problem.calc_speeds(v_start, work_.kinematics, start_speed_);
  for (std::size_t i = 0; i < solved.contacts.size(); ++i) {
    const Contact& contact = solved.contacts[i];
    if (locating && work_.tracker.is_to_be_located(contact)) continue;
    const double start_speed = scheme.implicit ? start_speed_[i] : problem.linear_speeds()[i];
    const double speed = 0.5 * (problem.end_speeds()[i] + start_speed);
    if (contact.gap + h * (speed - scheme.geometry * problem.linear_speeds()[i]) >= 0) continue;
    push(model_.shape(contact.shape_a).cluster);
    push(model_.shape(contact.shape_b).cluster);
  }
  for (std::size_t slot = 0; slot < island.clusters.size(); ++slot) {
    const auto& [cluster, first, n] = island.clusters[slot];
    const auto& part = model_.parts[at(cluster)];
    if (pushed_[slot] || !(scheme.mean_flight || part.may_rebound || part.is_jointed)) continue;
    // Constraints that hold at q + h v+ would be left, and closed in the next step, however short, by a blow.
    if (scheme.implicit && !part.constraints.empty()) continue;
    weight_.segment(first, n).setConstant(0.5);
  }
}

/// With the new velocity from the start it would rise above where it fell from. On a parabola before and after, unless
/// something else pushes it, too.
void PositionUpdate::rebound_in_time(const StepTask& step, const StepProblem& problem, const VecX& v_end) {
  const SolvedContacts& solved = problem.solved();
  if (solved.restored.size() == 0 || solved.restored.maxCoeff() == 0) return;
  const double h = step.h;
  const Island& island = work_.rows.island();
  const StepRows& rows = work_.rows;
  impact_time_.assign(island.clusters.size(), h);
  pushed_.assign(island.clusters.size(), 0);
  for (int i = 0; i < rows.size(); ++i) {
    if (solved.r.segment(rows.dimension() * i, rows.dimension()).isZero(0)) continue;
    for (const int cluster : rows.blocks()[at(i)].cluster) {
      if (cluster < 0) continue;
      if (solved.restored[i] > 0) {
        double& time = impact_time_[at(rows.layout().slot(cluster))];
        time = std::min(time, solved.impact_time[i]);
      } else {
        pushed_[at(rows.layout().slot(cluster))] = 1;
      }
    }
  }
  work_.free.calc_accelerations(step, acceleration_);
  // t (v + a t / 2) + (h - t) (v+ - a (h - t) / 2)
  for (std::size_t slot = 0; slot < island.clusters.size(); ++slot) {
    if (impact_time_[slot] == h) continue;
    const auto& [cluster, first, n] = island.clusters[slot];
    const double t = impact_time_[slot], rest = h - t;
    weight_.segment(first, n).setConstant(rest / h);
    if (!pushed_[slot]) fall_.segment(first, n) = 0.5 * (t * t - rest * rest) * acceleration_.segment(first, n);
  }
  // Where s is the start, gaps are kept by the position correction.
  if (!step.scheme.implicit) return;
  do {
    calc_displacement(h, v_end);
  } while (keep_gaps(step, problem));
}

/// What would close a gap goes with v+ after all. Returns whether there is any.
bool PositionUpdate::keep_gaps(const StepTask& step, const StepProblem& problem) {
  const Island& island = work_.rows.island();
  const SolvedContacts& solved = problem.solved();
  displacement_ /= step.h;
  problem.calc_speeds(displacement_, work_.kinematics, speed_);
  bool any = false;
  const auto undo = [&](int shape) {
    const int cluster = model_.shape(shape).cluster;
    if (cluster < 0) return;
    const std::size_t slot = at(work_.rows.layout().slot(cluster));
    if (impact_time_[slot] == step.h) return;
    impact_time_[slot] = step.h;
    any = true;
    const auto& [index, first, n] = island.clusters[slot];
    weight_.segment(first, n).setConstant(step.scheme.theta);
    fall_.segment(first, n).setZero();
  };
  for (std::size_t i = 0; i < solved.contacts.size(); ++i) {
    const Contact& contact = solved.contacts[i];
    const double gap = contact.gap + step.h * (speed_[i] - problem.linear_speeds()[i]);
    if (gap >= -model_.calc_closed_gap(contact) || model_.is_layered(contact)) continue;
    undo(contact.shape_a);
    undo(contact.shape_b);
  }
  return any;
}

/// h times the velocities at both ends, by their weights.
void PositionUpdate::calc_displacement(double h, const VecX& v_end) {
  const VecX& v_start = work_.free.v_start();
  displacement_ = h * (weight_.cwiseProduct(v_end) + (1 - weight_.array()).matrix().cwiseProduct(v_start)) + fall_;
}

}  // namespace stiction
