#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/multibody/coordinate.h"
#include "stiction/stepping/stepper_rigid.h"

// One step of (1) and (2) in stepper_rigid.h: free velocity, rows, impulses, positions.

namespace stiction {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

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
    const double part = 1 - scheme.theta;
    v_work_ = from.v + part * h * free_.acceleration();
    displacement_ = part * h * from.v;
    q_s_ = from.q;
    add_displacement(system_, displacement_, q_s_);
    free_.evaluate(from.t + part * h, q_s_, v_work_, from.z, from.modes);
  }
  v_free_ = from.v + h * free_.acceleration();
  set_prescribed_velocities(from.t, h, scheme);
}

/// theta = 1: the mean over the step, so that positions at its end come out exactly. Else those at its ends, as the
/// bodies that move freely have them: gaps to driven bodies are then exact but for h^3/12 times the third derivative
/// (theta = 1/2).
void StepperRigid::set_prescribed_velocities(double t, double h, const Scheme& scheme) {
  if (!has_prescribed_) return;
  if (scheme.theta < 1) {
    prescribed_q_.resize(system_.nq);
    update_prescribed(system_, t, prescribed_q_, v_start_, acceleration_);
    update_prescribed(system_, t + h, prescribed_q_, v_free_, acceleration_);
    return;
  }
  for (const Joint& joint : system_.joints) {
    if (!joint.prescribed()) continue;
    write_mean_velocity(joint, t, h, v_start_);
    write_mean_velocity(joint, t, h, v_free_);
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
  displacement_ = part * h * from.v;
  q_s_ = from.q;
  add_displacement(system_, displacement_, q_s_);
  free_.evaluate(from.t + part * h, q_s_, v_mean_, from.z, from.modes);
  v_mean_ = v_free_;
  v_free_ = from.v + h * free_.acceleration();
  set_prescribed_velocities(from.t, h, scheme);
  return (v_free_ - v_mean_).cwiseAbs().maxCoeff() > 1e-13 * (1 + from.v.cwiseAbs().maxCoeff());
}

void StepperRigid::take_step(const State& from, double h, const Scheme& scheme, State& to, StepReport& report) {
  calc_free_velocity(from, h, scheme);
  solve_rows(from, h, scheme, report);
  if (scheme.nonlinear) iterate(from, h, scheme, report);
  if (correct_free_velocity(from, h, scheme)) solve_rows(from, h, scheme, report);
  // (1): positions by theta, velocities from the impulses
  to = from;
  to.t = from.t + h;
  displacement_ = h * (scheme.theta * v_work_ + (1 - scheme.theta) * v_start_);
  if (scheme.theta == 1 && has_restitution_) fly_on_parabolas(h);
  add_displacement(system_, displacement_, to.q);
  to.v = v_work_;
  update_prescribed(system_, to.t, to.q, to.v, acceleration_);
  normalize_quaternions(kinematics_.plan, to.q);
  if (has_forces_) {
    // Powers belong to the motion as it turned out, not to that without impulses.
    v_mean_ = 0.5 * (v_work_ + from.v);
    free_.evaluate(from.t + 0.5 * h, q_s_, v_mean_, from.z, from.modes);
  }
  to.z[ledger_input] += h * free_.input_power();
  to.z[ledger_dissipated] += h * free_.dissipated_power();
  book_impulses(to, false, report);
}

/// What no impulse acts upon moves by the mean of its velocities: exact under gravity, so that heights of rebounds are.
void StepperRigid::fly_on_parabolas(double h) {
  const ClusterMap& clusters = rows_.clusters();
  pushed_.assign(at(clusters.size()), 0);
  for (int i = 0; i < rows_.size(); ++i) {
    if (r_.segment(rows_.dimension() * i, rows_.dimension()).isZero(0)) continue;
    for (const int cluster : rows_.blocks()[at(i)].cluster) {
      if (cluster >= 0) pushed_[at(cluster)] = 1;
    }
  }
  for (int i = 0; i < system_.nv; ++i) {
    const int cluster = clusters.of_v[at(i)];
    if (cluster >= 0 && !pushed_[at(cluster)]) displacement_[i] = 0.5 * h * (v_work_[i] + v_start_[i]);
  }
}

/// Everything at s for the rows, then the impulses r_ and the velocities v_work_ after them.
void StepperRigid::solve_rows(const State& from, double h, const Scheme& scheme, StepReport& report) {
  // s
  q_s_ = from.q;
  displacement_ = scheme.geometry * h * v_start_;
  add_displacement(system_, displacement_, q_s_);
  v_linear_ = v_start_;
  solve_at(from.t + scheme.geometry * h, from, h, scheme, report);
}

void StepperRigid::solve_at(double t_s, const State& from, double h, const Scheme& scheme, StepReport& report) {
  // Driven bodies where they are; with theta < 1 as all others, on their tangent, or gaps would see their acceleration.
  v_work_ = v_start_;
  if (scheme.theta == 1) update_prescribed(system_, t_s, q_s_, v_work_, acceleration_);
  update_positions(system_, q_s_, kinematics_);
  rows_.update_configuration(kinematics_, {system_, kinematics_, t_s, q_s_, v_start_, from.z});
  // Constraints first: v_free_ keeps them, and impulses do from then on.
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
  update_velocities(system_, v_start_, kinematics_);
  find_contacts_at(kinematics_, h, contacts_);
  calc_normal_speeds(v_linear_, linear_speed_);
  calc_normal_speeds(v_kept_, speed_);
  included_.assign(contacts_.size(), 0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) included_[i] = is_included(i, h, scheme) ? 1 : 0;
  constexpr int most_rounds = 20;
  for (int round = 0;; ++round) {
    pose_rows(t_s, from, h, scheme);
    const RigidSolver::Result result = solver_.solve(rows_, problem_q_, h, fresh_, r_);
    note_result(result, report);
    guess_is_good_ = result.residual_of_guess <= good_guess;
    v_work_ = v_kept_;
    rows_.add_impulses(r_, v_work_);
    u_end_ = rows_.W() * r_ + u_free_;
    update_velocities(system_, v_work_, kinematics_);
    extend_reach(h);
    if (!include_violated(h, scheme)) break;
    if (round == most_rounds) {
      ++report.contact.unconverged;
      break;
    }
  }
}

/// Shapes that leave the step faster than contacts were sought for: they are sought anew, with the reach of that speed.
void StepperRigid::extend_reach(double h) {
  bool extended = false;
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    const double way = calc_way(i, kinematics_, h);
    if (way <= reach_[i]) continue;
    reach_[i] = 2 * way;
    extended = true;
  }
  if (!extended) return;
  known_contacts_.swap(contacts_);
  known_included_.swap(included_);
  const std::vector<Contact>& found = finder_.update(kinematics_.X_WB, reach_, rows_.is_planar());
  contacts_.assign(found.begin(), found.end());
  included_.assign(contacts_.size(), 0);
  std::size_t known = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    while (known < known_contacts_.size() && known_contacts_[known].comes_before(contacts_[i])) ++known;
    if (known < known_contacts_.size() && known_contacts_[known].same_place(contacts_[i]))
      included_[i] = known_included_[known];
  }
  calc_normal_speeds(v_linear_, linear_speed_);
  calc_normal_speeds(v_kept_, speed_);
}

void StepperRigid::calc_normal_speeds(const VecX& v, std::vector<double>& speeds) {
  update_velocities(system_, v, kinematics_);
  speeds.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) speeds[i] = calc_normal_speed(contacts_[i], kinematics_);
}

/// -gap(s)/h of (2), where `speed` is that of the gap on the way to s. What overlaps from the start is moved apart at
/// the pace of whole steps: in a short rest of a step 1/h would make a blow of rounding.
double StepperRigid::calc_closing_bound(double gap, double speed, double h, const Scheme& scheme) const {
  const double overlap = std::min(0.0, gap - scheme.geometry * h * speed);
  return -(gap - overlap) / h - overlap / std::max(h, settings_.step) + (scheme.predicted_gap ? speed : 0);
}

/// Of a heap, with the gap at the start: overlaps are left to loosen(), and gaps within the slack count as 0; of
/// a contact that bears, those within 20 times as much, so that it does not let go where its neighbours were moved.
double StepperRigid::calc_slack_bound(const Contact& contact, double gap, double h) const {
  const Memory* memory = gap > slack_ ? find_memory(contact) : nullptr;
  const double touching = memory && memory->active ? 20 * slack_ : slack_;
  return gap > touching ? -(gap - slack_) / h : 0;
}

/// The least normal velocity after the step that (2) asks for.
double StepperRigid::calc_bound(std::size_t i, double h, const Scheme& scheme) const {
  const Contact& contact = contacts_[i];
  // The velocity level: what touches does not close, what is open may close.
  if (scheme.velocity_level) return contact.gap > calc_closed_gap(contact) ? -contact.gap / h : 0;
  if (slack_ > 0) return calc_slack_bound(contact, contact.gap - scheme.geometry * h * linear_speed_[i], h);
  return calc_closing_bound(contact.gap, linear_speed_[i], h, scheme);
}

bool StepperRigid::is_included(std::size_t i, double h, const Scheme& scheme) const {
  const Contact& contact = contacts_[i];
  if (scheme.keeps_open && is_to_be_located(contact)) return false;
  const Memory* memory = find_memory(contact);
  if (memory && memory->active) return true;
  // A little early: a contact that turns out not to close bears nothing, one that was left out costs another solve. In
  // a large heap, where every solve is long, by what the others may push in a step: its weight, and half its speed.
  const double early =
      is_large_heap_ ? 0.5 * std::abs(speed_[i]) + h * system_.gravity.norm() : 1e-3 * std::abs(speed_[i]);
  return speed_[i] < calc_bound(i, h, scheme) + early;
}

/// Contacts without rows that the result closes get rows.
bool StepperRigid::include_violated(double h, const Scheme& scheme) {
  if (contacts_.empty()) return false;
  calc_normal_speeds(v_work_, end_speed_);
  bool any = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (included_[i] || (scheme.keeps_open && is_to_be_located(contacts_[i]))) continue;
    if (end_speed_[i] >= calc_bound(i, h, scheme) - 1e-12) continue;  // rounding of velocities of the order of 1 m/s
    included_[i] = 1;
    any = true;
  }
  return any;
}

/// Rows of the joint limits that are no more than `widest` away, at the positions of kinematics_.
void StepperRigid::add_limits(const VecX& q, const VecX& z, double widest) {
  for (std::size_t k = 0; k < rows_.coordinates().size(); ++k) {
    const GuardedCoordinate& coordinate = rows_.coordinates()[k];
    const double position = calc_coordinate_position(system_, kinematics_, q, z, coordinate.ref);
    const double below = position - coordinate.limit.lower, above = coordinate.limit.upper - position;
    if (std::isfinite(below) && below <= widest) rows_.add_limit(static_cast<int>(k), false, below, kinematics_);
    if (std::isfinite(above) && above <= widest) rows_.add_limit(static_cast<int>(k), true, above, kinematics_);
  }
}

void StepperRigid::pose_rows(double t_s, const State& from, double h, const Scheme& scheme) {
  rows_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (included_[i]) rows_.add_contact(static_cast<int>(i), contacts_[i], kinematics_);
  }
  add_limits(q_s_, from.z, std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < rows_.coordinates().size(); ++k) {
    if (rows_.coordinates()[k].friction > 0) rows_.add_joint_friction(static_cast<int>(k), kinematics_);
  }
  rows_.assemble();
  // u before and without impulses, belts included
  update_velocities(system_, v_start_, kinematics_);
  rows_.calc_velocities({system_, kinematics_, t_s, q_s_, v_start_, from.z}, u_start_);
  update_velocities(system_, v_linear_, kinematics_);
  rows_.calc_velocities({system_, kinematics_, t_s, q_s_, v_linear_, from.z}, u_linear_);
  update_velocities(system_, v_kept_, kinematics_);
  rows_.calc_velocities({system_, kinematics_, t_s, q_s_, v_kept_, from.z}, u_free_);
  add_belts(from.t, u_start_);
  add_belts(from.t + h, u_free_);
  // (2) asks for u_n+ >= bound: the problem is posed in u - bound
  const int d = rows_.dimension();
  problem_q_ = u_free_;
  r_.setZero(d * rows_.size());
  fresh_.assign(at(rows_.size()), 0);
  for (int i = 0; i < rows_.size(); ++i) {
    const RowBlock& block = rows_.blocks()[at(i)];
    if (block.kind == RowKind::joint_friction) continue;
    if (block.kind == RowKind::limit) {
      problem_q_[d * i] -= calc_closing_bound(block.gap, u_linear_[d * i], h, scheme);
      continue;
    }
    double bound = calc_bound(at(block.index), h, scheme);
    // Impacts that are not located: e acts on the velocity at the start.
    if (!scheme.keeps_open && restores(contacts_[at(block.index)], u_start_[d * i], u_free_[d * i])) {
      bound = std::max(bound, -get_law(contacts_[at(block.index)]).restitution * u_start_[d * i]);
    }
    problem_q_[d * i] -= bound;
    if (const Memory* memory = find_memory(contacts_[at(block.index)])) {
      for (int k = 0; k < d; ++k) r_[d * i + k] = memory->force[k] * h;
    } else {
      fresh_[at(i)] = 1;
    }
  }
}

/// Surface velocities of belts join the velocities along the rows.
void StepperRigid::add_belts(double t, VecX& u) {
  const int d = rows_.dimension();
  if (!has_belts_) return;
  for (int i = 0; i < rows_.size(); ++i) {
    const RowBlock& block = rows_.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    const Vec3 velocity = rows_.calc_surface_velocity(contacts_[at(block.index)], kinematics_, t);
    for (int k = 1; k < std::min(d, 3); ++k) u[d * i + k] += block.frame.col(k).dot(velocity);
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
    add_displacement(system_, displacement_, q_s_);
    free_.evaluate(from.t + h, q_s_, v_linear_, from.z, from.modes);
    v_free_ = from.v + h * free_.acceleration();
    set_prescribed_velocities(from.t, h, scheme);
    solve_at(from.t + h, from, h, scheme, report);
    ++audit.nonlinear_iterations;
    audit.nonlinear_change = (v_work_ - v_linear_).cwiseAbs().maxCoeff();
    if (audit.nonlinear_change <= settings_.nonlinear_tolerance) return;
  }
  ++audit.unconverged;
}

}  // namespace stiction
