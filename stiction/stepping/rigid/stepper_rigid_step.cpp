#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/index.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

// One step of (1) and (2) in stepper_rigid.h: free velocity, rows, impulses, positions.

namespace stiction {
namespace {

/// Mean velocity of a prescribed joint over [t, t + h]: positions at the end come out exactly.
void write_mean_velocity(const Joint& joint, double t, double h, VecX& v) {
  const auto mean = [&](const TimeFunction& function) {
    return (calc_sample(function, t + h).value - calc_sample(function, t).value) / h;
  };
  if (const auto* motion = std::get_if<CoordinateMotion>(&*joint.motion)) {
    for (std::size_t i = 0; i < motion->coordinates.size(); ++i)
      v[joint.v_start + static_cast<int>(i)] = mean(motion->coordinates[i]);
  } else {
    const auto& path = std::get<PathMotion>(*joint.motion);
    v.segment<3>(joint.v_start) = mean(path.angle) * path.axis;
    for (int i = 0; i < 3; ++i) v[joint.v_start + 3 + i] = mean(path.position[at(i)]);
  }
}

}  // namespace

/// v_start_: v with the velocities of prescribed joints; v_free_ = v + h M^-1 f.
void StepperRigid::calc_free_velocity(const State& from, double h, const Scheme& scheme) {
  free_.evaluate(from.t, from.q, from.v, from.z, from.modes);
  v_start_ = from.v;
  if (scheme.midpoint_force) {
    // To the point at which (1) takes its forces, by an explicit step.
    const double part = scheme.theta == 1 ? 0.5 : 1 - scheme.theta;
    v_work_ = from.v + part * h * free_.acceleration();
    evaluate_forces(from, part * h, v_work_);
  }
  v_free_ = from.v + h * free_.acceleration();
  flight_.begin({from, h, free_}, v_free_);
  set_given_velocities(from.t, h, scheme);
}

/// With velocities v, `ahead` of the start on the way that its velocities go.
void StepperRigid::evaluate_forces(const State& from, double ahead, const VecX& v) {
  displacement_ = ahead * from.v;
  q_s_ = from.q;
  add_displacement(kinematics_.plan, displacement_, q_s_);
  free_.evaluate(from.t + ahead, q_s_, v, from.z, from.modes);
}

/// Sleepers have none. Prescribed joints have at the end of the step a velocity with which (1) gives the positions
/// there exactly: with theta = 1 the mean over the step, which stands at its start, too; else v at the start is the
/// joint's own.
void StepperRigid::set_given_velocities(double t, double h, const Scheme& scheme) {
  sleeping_.stop(v_free_);
  if (!has_prescribed_) return;
  prescribed_q_.resize(system_.nq);
  if (scheme.theta < 1) update_prescribed(system_, t, prescribed_q_, v_start_, acceleration_);
  for (const Joint& joint : system_.joints) {
    if (!joint.prescribed()) continue;
    write_mean_velocity(joint, t, h, v_free_);
    auto end = v_free_.segment(joint.v_start, joint.nv);
    auto start = v_start_.segment(joint.v_start, joint.nv);
    if (scheme.theta < 1) {
      end = (end - (1 - scheme.theta) * start) / scheme.theta;
    } else {
      start = end;
    }
  }
}

/// Forces that depend on velocities saw those without impulses: once more with those that came out. Returns whether
/// that changes the free velocity by more than rounding.
bool StepperRigid::correct_free_velocity(const State& from, double h, const Scheme& scheme) {
  if (!scheme.midpoint_force || scheme.theta == 1 || !has_velocity_forces_) return false;
  const bool pushed = !rows_.constraints().empty() || (r_.size() > 0 && r_.cwiseAbs().maxCoeff() > 0);
  if (!pushed) return false;
  const double part = 1 - scheme.theta;
  v_mean_ = from.v + part * (v_work_ - from.v);
  evaluate_forces(from, part * h, v_mean_);
  v_mean_ = v_free_;
  v_free_ = from.v + h * free_.acceleration();
  flight_.correct({from, h, free_}, kinematics_, v_mean_, v_work_, v_free_);
  set_given_velocities(from.t, h, scheme);
  return (v_free_ - v_mean_).cwiseAbs().maxCoeff() > 1e-13 * (1 + from.v.cwiseAbs().maxCoeff());
}

void StepperRigid::take_step(const State& from, double h, const Scheme& scheme, State& to, StepReport& report) {
  calc_free_velocity(from, h, scheme);
  solve_rows(from, h, scheme, report);
  if (scheme.nonlinear) iterate(from, h, scheme, report);
  if (correct_free_velocity(from, h, scheme)) solve_again(from, h, scheme, report);
  // (1): positions by theta, velocities from the impulses
  to = from;
  to.t = from.t + h;
  displacement_ = h * (scheme.theta * v_work_ + (1 - scheme.theta) * v_start_);
  if (scheme.parabolas) fly_on_parabolas(h, scheme);
  rebound_in_time(h);
  flight_.add_turns({from, h, free_}, scheme.theta, v_free_, v_work_, displacement_);
  add_displacement(kinematics_.plan, displacement_, to.q);
  to.v = v_work_;
  if (has_prescribed_) update_prescribed(system_, to.t, to.q, to.v, acceleration_);
  normalize_quaternions(kinematics_.plan, to.q);
  sleeping_.keep_positions(from.q, to.q);
  if (has_forces_) {
    // Powers belong to the motion as it turned out, not to that without impulses.
    v_mean_ = 0.5 * (v_work_ + from.v);
    free_.evaluate(from.t + 0.5 * h, q_s_, v_mean_, from.z, from.modes);
  }
  to.z[ledger_input] += h * free_.input_power();
  to.z[ledger_dissipated] += h * free_.dissipated_power();
  book_impulses(to, false, report);
}

/// What no impulse acts upon moves by the mean of its velocities: of second order, and exact under gravity, so that
/// heights of rebounds are. Not where it would close a contact that (2) sees open with the velocities at the end.
void StepperRigid::fly_on_parabolas(double h, const Scheme& scheme) {
  const ClusterMap& clusters = rows_.clusters();
  pushed_.assign(at(clusters.size()), 0);
  for (int i = 0; i < rows_.size(); ++i) {
    if (r_.segment(rows_.dimension() * i, rows_.dimension()).isZero(0)) continue;
    for (const int cluster : rows_.blocks()[at(i)].cluster) {
      if (cluster >= 0) pushed_[at(cluster)] = 1;
    }
  }
  if (scheme.nonlinear) {
    v_mean_ = 0.5 * (v_work_ + v_start_);
    calc_normal_speeds(v_mean_, mean_speed_);
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (scheme.keeps_open && is_to_be_located(contacts_[i])) continue;
    // Else linear_speed_ is that of v_start_.
    const double speed = scheme.nonlinear ? mean_speed_[i] : 0.5 * (end_speed_[i] + linear_speed_[i]);
    if (contacts_[i].gap + h * (speed - scheme.geometry * linear_speed_[i]) >= 0) continue;
    for (const int shape : {contacts_[i].shape_a, contacts_[i].shape_b}) {
      const int cluster = clusters.of_body[at(rows_.body_of(shape))];
      if (cluster >= 0) pushed_[at(cluster)] = 1;
    }
  }
  for (int i = 0; i < system_.nv; ++i) {
    const int cluster = clusters.of_v[at(i)];
    if (cluster >= 0 && !pushed_[at(cluster)]) displacement_[i] = 0.5 * h * (v_work_[i] + v_start_[i]);
  }
}

/// What rebounds from an impact that was not located had its old velocity until then: with the new one from the start
/// it would rise above where it fell from. On a parabola before and after, unless something else pushes it, too.
void StepperRigid::rebound_in_time(double h) {
  if (restored_.size() == 0 || restored_.maxCoeff() == 0) return;
  const ClusterMap& clusters = rows_.clusters();
  cluster_impact_.assign(at(clusters.size()), h);
  pushed_.assign(at(clusters.size()), 0);
  for (int i = 0; i < rows_.size(); ++i) {
    if (r_.segment(rows_.dimension() * i, rows_.dimension()).isZero(0)) continue;
    for (const int cluster : rows_.blocks()[at(i)].cluster) {
      if (cluster < 0) continue;
      if (restored_[i] > 0) {
        cluster_impact_[at(cluster)] = std::min(cluster_impact_[at(cluster)], impact_time_[i]);
      } else {
        pushed_[at(cluster)] = 1;
      }
    }
  }
  for (int k = 0; k < system_.nv; ++k) {
    const int cluster = clusters.of_v[at(k)];
    if (cluster < 0 || cluster_impact_[at(cluster)] == h) continue;
    const double t = cluster_impact_[at(cluster)], rest = h - t;
    const double a = pushed_[at(cluster)] ? 0 : (v_free_[k] - v_start_[k]) / h;
    displacement_[k] = t * (v_start_[k] + 0.5 * a * t) + rest * (v_work_[k] - 0.5 * a * rest);
  }
}

void StepperRigid::place_s(const State& from, double h, const Scheme& scheme) {
  q_s_ = from.q;
  if (scheme.geometry == 0) return;
  displacement_ = scheme.geometry * h * v_start_;
  add_displacement(kinematics_.plan, displacement_, q_s_);
}

/// Everything at s for the rows, then the impulses r_ and the velocities v_work_ after them.
void StepperRigid::solve_rows(const State& from, double h, const Scheme& scheme, StepReport& report) {
  place_s(from, h, scheme);
  v_linear_ = v_start_;
  solve_at(from.t + scheme.geometry * h, from, h, scheme, report);
}

/// The same at the same s, where contacts are known, with another free velocity.
void StepperRigid::solve_again(const State& from, double h, const Scheme& scheme, StepReport& report) {
  note_guesses();
  place_s(from, h, scheme);
  const double t_s = from.t + scheme.geometry * h;
  keep_constraints(t_s, from, h, scheme);
  calc_normal_speeds(v_kept_, speed_);
  for (std::size_t i = 0; i < contacts_.size(); ++i) included_[i] = included_[i] || is_included(i, h, scheme) ? 1 : 0;
  solve_included(t_s, from, h, scheme, report);
}

/// u after the impulses r_.
void StepperRigid::calc_end_velocities() {
  rows_.multiply(r_, u_end_);
  drop_dust();
  u_end_ += u_free_;
}

/// Methods that smooth leave impulses of 1e-20 N s on contacts that open: they bear nothing. u_end_ is W r_.
void StepperRigid::drop_dust() {
  constexpr double dust = 1e-12, opening_speed = 1e-9;
  const int d = rows_.dimension();
  double largest = 0;
  for (int i = 0; i < rows_.size(); ++i) largest = std::max(largest, r_[d * i]);
  for (int i = 0; i < rows_.size(); ++i) {
    if (rows_.blocks()[at(i)].kind == RowKind::joint_friction || !(r_[d * i] < dust * largest)) continue;
    if (u_end_[d * i] + problem_q_[d * i] > opening_speed) r_.segment(d * i, d).setZero();
  }
}

/// Before the rows of another solve of this (sub)step: it begins with the impulses r_ of the last.
void StepperRigid::note_guesses() {
  if (solved_step_ == 0) return;
  const int d = rows_.dimension();
  guesses_.clear();
  for (int i = 0; i < rows_.size(); ++i) {
    const RowBlock& block = rows_.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    ContactMemory& guess = guesses_.emplace_back();
    guess.place = contacts_[at(block.index)];
    guess.force.head(d) = r_.segment(d * i, d) / solved_step_;
  }
  solved_step_ = 0;
}

void StepperRigid::solve_at(double t_s, const State& from, double h, const Scheme& scheme, StepReport& report) {
  // Driven bodies where they are; with theta < 1 as all others, on their tangent, or gaps would see their acceleration.
  note_guesses();
  v_work_ = v_start_;
  if (has_prescribed_ && scheme.theta == 1) update_prescribed(system_, t_s, q_s_, v_work_, acceleration_);
  update_positions(system_, q_s_, kinematics_);
  rows_.update_configuration(kinematics_, {system_, kinematics_, t_s, q_s_, v_start_, from.z});
  keep_constraints(t_s, from, h, scheme);
  update_velocities(system_, v_start_, kinematics_);
  find_step_contacts(h);
  if (scheme.predicted_gap) turn_passed_contacts(h);
  calc_normal_speeds(v_linear_, linear_speed_);
  calc_normal_speeds(v_kept_, speed_);
  included_.assign(contacts_.size(), 0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) included_[i] = is_included(i, h, scheme) ? 1 : 0;
  solve_included(t_s, from, h, scheme, report);
}

/// At q + h v a fast body may be through another, where the nearest faces are the far ones: impulses along their
/// normals would push it on. Such contacts are taken as they were at the start, moved with the bodies. kinematics_ has
/// v_start_.
void StepperRigid::turn_passed_contacts(double h) {
  const auto move = [&](int shape, const Vec3& point) -> Vec3 {
    const std::size_t body = at(rows_.body_of(shape));
    const Vec3 v = linear(kinematics_.V_WB[body]), w = angular(kinematics_.V_WB[body]);
    return point + h * (v + w.cross(point - (kinematics_.X_WB[body].p - h * v)));
  };
  for (Contact& contact : contacts_) {
    const Contact* start = find_start(contact);
    if (!start || start->gap <= 0 || start->normal.dot(contact.normal) >= 0) continue;
    contact.normal = start->normal;
    contact.point_a = move(start->shape_a, start->point_a);
    contact.point_b = move(start->shape_b, start->point_b);
    contact.gap = contact.normal.dot(contact.point_b - contact.point_a);
  }
}

/// Constraints first: v_kept_ is v_free_ that keeps them, and impulses do from then on.
void StepperRigid::keep_constraints(double t_s, const State& from, double h, const Scheme& scheme) {
  v_kept_ = v_free_;
  if (!rows_.constraints().empty()) {
    constraint_offset_.setZero(rows_.constraints().size());
    if (scheme.predicted_gap) {
      update_velocities(system_, v_linear_, kinematics_);
      rows_.calc_constraint_rates({system_, kinematics_, t_s, q_s_, v_linear_, from.z}, constraint_offset_);
    }
    update_velocities(system_, v_kept_, kinematics_);
    rows_.satisfy_constraints({system_, kinematics_, t_s, q_s_, v_kept_, from.z}, 1 / std::max(h, settings_.step),
                              constraint_offset_, v_kept_);
  }
}

/// Impulses as only a wedge, or a body far lighter, bears: beyond twice the last and ten times what stops the bodies.
bool StepperRigid::has_wild_impulses(double h) {
  const int d = rows_.dimension();
  const ConeMatrix& W = rows_.W();
  const double fall = h * system_.gravity.norm();
  double largest = 0, usual = 0;
  for (int i = 0; i < rows_.size(); ++i) {
    if (rows_.blocks()[at(i)].kind != RowKind::contact) continue;
    largest = std::max(largest, r_[d * i]);
    usual = std::max(usual, 2 * guessed_r_[d * i]);
    const double stopping = (u_free_.segment(d * i, d).norm() + fall) / W.block(W.diagonal(i))(0, 0);
    usual = std::max(usual, 10 * stopping);
  }
  return largest > usual;
}

/// A body that is wedged cannot close the gaps of rounding, or those that the location of its impact left (at most 1e-6
/// of a body's size): not at all, or with impulses without end. The same problem then, with such gaps of contacts that
/// bear left as they are, if that is solved, and with half of the impulses at most.
void StepperRigid::leave_gaps(double h, RigidSolver::Result& result) {
  if (rows_.size() == 0 || (result.converged && (result.iterations == 0 || !has_wild_impulses(h)))) return;
  constexpr double times_closed = 1000;
  const int d = rows_.dimension();
  bool any = false;
  work_ = problem_q_;
  for (int i = 0; i < rows_.size(); ++i) {
    const RowBlock& block = rows_.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    const Contact& contact = contacts_[at(block.index)];
    const ContactMemory* memory = find_memory(contact);
    if (!memory || !memory->active || std::abs(contact.gap) > times_closed * calc_closed_gap(contact)) continue;
    work_[d * i] = u_free_[d * i] - restored_[i];
    any = true;
  }
  if (!any) return;
  RigidSolver::Result again = solver_.solve(rows_, work_, h, fresh_, guessed_r_);
  again.iterations += result.iterations;
  const bool is_tamer = guessed_r_.cwiseAbs().maxCoeff() < 0.5 * r_.cwiseAbs().maxCoeff();
  if (!again.converged || (result.converged && !is_tamer)) return;
  r_.swap(guessed_r_);
  problem_q_.swap(work_);
  result = again;
}

/// The impulses of the contacts with rows, and of those that would close without one.
void StepperRigid::solve_included(double t_s, const State& from, double h, const Scheme& scheme, StepReport& report) {
  constexpr int most_rounds = 20;
  for (int round = 0;; ++round) {
    note_guesses();
    pose_rows(t_s, from, h, scheme);
    const bool may_leave_gaps = scheme_.locates_all && slack_ == 0;
    if (may_leave_gaps) guessed_r_ = r_;
    RigidSolver::Result result = solver_.solve(rows_, problem_q_, h, fresh_, r_);
    if (may_leave_gaps) leave_gaps(h, result);
    note_result(result, report);
    if (guesses_.empty()) guess_is_good_ = result.residual_of_guess <= good_guess;
    calc_end_velocities();
    if (forget_restitution(h)) {
      report.contact.restitution_lost = 1;
      note_result(solver_.solve(rows_, problem_q_, h, fresh_, r_), report);
      calc_end_velocities();
    }
    solved_step_ = h;
    v_work_ = v_kept_;
    rows_.add_impulses(r_, v_work_);
    calc_normal_speeds(v_work_, end_speed_);
    if (extend_reach(h)) calc_normal_speeds(v_work_, end_speed_);
    if (!include_violated(h, scheme)) break;
    if (round == most_rounds) {
      ++report.contact.unconverged;
      break;
    }
  }
}

/// Section 3.4 of stewart-trinkle-2000: s becomes the configuration the last solution leads to, and n, D, M and k are
/// taken there, until the velocities change no more. The gap is then gap(s) + h (u_n+ - u_n(v_linear)).
void StepperRigid::iterate(const State& from, double h, const Scheme& scheme, StepReport& report) {
  ContactAudit& audit = report.contact;
  for (int k = 0; k < settings_.nonlinear_iterations; ++k) {
    v_linear_ = v_work_;
    q_s_ = from.q;
    displacement_ = h * v_linear_;
    add_displacement(kinematics_.plan, displacement_, q_s_);
    free_.evaluate(from.t + h, q_s_, v_linear_, from.z, from.modes);
    v_free_ = from.v + h * free_.acceleration();
    flight_.begin({from, h, free_}, v_free_);
    set_given_velocities(from.t, h, scheme);
    solve_at(from.t + h, from, h, scheme, report);
    ++audit.nonlinear_iterations;
    audit.nonlinear_change = (v_work_ - v_linear_).cwiseAbs().maxCoeff();
    if (audit.nonlinear_change <= settings_.nonlinear_tolerance) return;
  }
  ++audit.unconverged;
}

}  // namespace stiction
