#include <algorithm>

#include "stiction/base/index.h"
#include "stiction/stepping/rigid/rigid_step.h"

// Positions at the end of a (sub)step: (1) of formulation.h.

namespace stiction {

void RigidStep::move(const Step& step, IslandState& to) {
  const auto& [from, h, formulation] = step;
  const Island& island = work_.rows.island();
  const TreePlan& plan = work_.kinematics.plan;
  to.t = from.t + h;
  to.elapsed = from.elapsed + h;
  to.q = from.q;
  to.v = v_end_;
  to.ledger = from.ledger;
  displacement_ = h * (formulation.theta * v_end_ + (1 - formulation.theta) * work_.free.v_start());
  if (formulation.theta != 0.5) fly_by_mean(step);
  rebound_in_time(h);
  work_.free.add_turns(step, v_end_, displacement_);
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
  work_.free.book_work(step, q_s_, v_end_, to);
  v_mean_ = 0.5 * (v_end_ + work_.free.v_start());
}

/// Clusters on which no impulse acts, of bodies that may rebound or that joints couple, move by the mean of their
/// velocities: of second order, and exact under gravity, so that heights of rebounds are. Not where that would close a
/// contact that (2) sees open with the velocities at the end.
void RigidStep::fly_by_mean(const Step& step) {
  const auto& [from, h, formulation] = step;
  const Island& island = work_.rows.island();
  const StepRows& rows = work_.rows;
  const SolvedContacts& solved = problem_.solved();
  const VecX& v_start = work_.free.v_start();
  pushed_.assign(island.clusters.size(), 0);
  const auto push = [&](int cluster) {
    if (cluster >= 0) pushed_[at(rows.layout().slot(cluster))] = 1;
  };
  for (int i = 0; i < rows.size(); ++i) {
    if (solved.r.segment(rows.dimension() * i, rows.dimension()).isZero(0)) continue;
    for (const int cluster : rows.blocks()[at(i)].cluster) push(cluster);
  }
  if (formulation.s_iterations > 0) problem_.calc_speeds(v_start, work_.kinematics, start_speed_);
  for (std::size_t i = 0; i < solved.contacts.size(); ++i) {
    const Contact& contact = solved.contacts[i];
    if (formulation.omits_located && work_.tracker.is_to_be_located(contact)) continue;
    const double start_speed = formulation.s_iterations > 0 ? start_speed_[i] : problem_.linear_speeds()[i];
    const double speed = 0.5 * (problem_.end_speeds()[i] + start_speed);
    if (contact.gap + h * (speed - formulation.geometry * problem_.linear_speeds()[i]) >= 0) continue;
    push(model_.shape(contact.shape_a).cluster);
    push(model_.shape(contact.shape_b).cluster);
  }
  for (std::size_t slot = 0; slot < island.clusters.size(); ++slot) {
    const auto& [cluster, first, n] = island.clusters[slot];
    const auto& part = model_.parts[at(cluster)];
    if (pushed_[slot] || !(formulation.mean_flight || part.may_rebound || part.is_jointed)) continue;
    displacement_.segment(first, n) = 0.5 * h * (v_end_.segment(first, n) + v_start.segment(first, n));
  }
}

/// What rebounds from an impact that was not located had its old velocity until then: with the new one from the start
/// it would rise above where it fell from. On a parabola before and after, unless something else pushes it, too.
void RigidStep::rebound_in_time(double h) {
  const SolvedContacts& solved = problem_.solved();
  if (solved.restored.size() == 0 || solved.restored.maxCoeff() == 0) return;
  const Island& island = work_.rows.island();
  const StepRows& rows = work_.rows;
  cluster_impact_.assign(island.clusters.size(), h);
  pushed_.assign(island.clusters.size(), 0);
  for (int i = 0; i < rows.size(); ++i) {
    if (solved.r.segment(rows.dimension() * i, rows.dimension()).isZero(0)) continue;
    for (const int cluster : rows.blocks()[at(i)].cluster) {
      if (cluster < 0) continue;
      if (solved.restored[i] > 0) {
        double& time = cluster_impact_[at(rows.layout().slot(cluster))];
        time = std::min(time, solved.impact_time[i]);
      } else {
        pushed_[at(rows.layout().slot(cluster))] = 1;
      }
    }
  }
  const VecX &v_start = work_.free.v_start(), &v_free = work_.free.v_free();
  for (std::size_t slot = 0; slot < island.clusters.size(); ++slot) {
    if (cluster_impact_[slot] == h) continue;
    const auto& [cluster, first, n] = island.clusters[slot];
    const double t = cluster_impact_[slot], rest = h - t;
    for (int k = first; k < first + n; ++k) {
      const double a = pushed_[slot] ? 0 : (v_free[k] - v_start[k]) / h;
      displacement_[k] = t * (v_start[k] + 0.5 * a * t) + rest * (v_end_[k] - 0.5 * a * rest);
    }
  }
}

}  // namespace stiction
