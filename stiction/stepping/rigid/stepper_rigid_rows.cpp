#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

// Which contacts, limits and joint frictions have rows in a step, and what (2) in stepper_rigid.h asks of each.

namespace stiction {
namespace {

/// A contact that closes within a step at `time`, and its normal velocity at the end of the step.
struct Rebound {
  double time = 0, speed = -infinity;
};

/// Under the acceleration that takes the normal velocity from u_start to u_free within h:
///     gap + u_start t + a t^2 / 2 = 0,   u+ = -e (u_start + a t) + a (h - t)
Rebound calc_rebound(double gap, double u_start, double u_free, double h, double e) {
  const double a = (u_free - u_start) / h, square = u_start * u_start - 2 * a * std::max(0.0, gap);
  if (square < 0) return {};
  const double t = gap > 0 ? 2 * gap / (std::sqrt(square) - u_start) : 0;
  if (t >= h) return {};
  return {t, -e * (u_start + a * t) + a * (h - t)};
}

}  // namespace

/// Shapes that leave the step faster than contacts were sought for: they are sought anew, with the reach of that speed.
/// Returns whether there are any.
bool StepperRigid::extend_reach(double h) {
  bool extended = false;
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    const double way = calc_way(i, kinematics_, h);
    if (way <= std::max(0.0, reach_[i])) continue;
    reach_[i] = 2 * way;
    extended = true;
  }
  if (!extended) return false;
  known_contacts_.swap(contacts_);
  known_included_.swap(included_);
  const std::vector<Contact>& found = finder_.update(kinematics_.X_WB, reach_, rows_.is_planar());
  // The known ones, as they are, and what is new.
  contacts_.clear();
  std::set_union(known_contacts_.begin(), known_contacts_.end(), found.begin(), found.end(),
                 std::back_inserter(contacts_), [](const Contact& a, const Contact& b) { return a.comes_before(b); });
  included_.assign(contacts_.size(), 0);
  renumber_.assign(known_contacts_.size(), 0);
  std::size_t known = 0;
  for (std::size_t i = 0; i < contacts_.size() && known < known_contacts_.size(); ++i) {
    if (!known_contacts_[known].same_place(contacts_[i])) continue;
    included_[i] = known_included_[known];
    renumber_[known++] = static_cast<int>(i);
  }
  rows_.renumber_contacts(renumber_);
  calc_normal_speeds(v_linear_, linear_speed_);
  calc_normal_speeds(v_kept_, speed_);
  return true;
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
/// a contact that bears, larger ones, too, so that it does not let go where its neighbours were moved. To close such a
/// gap is what a jam cannot do: where one is asked for, impulses creep for thousands of sweeps to where it bears
/// nothing any more.
double StepperRigid::calc_slack_bound(const Contact& contact, double gap, double h) const {
  const ContactMemory* memory = gap > slack_ ? find_memory(contact) : nullptr;
  const double bearing = settings_.step * (is_large_heap_ ? large_bearing_speed : bearing_speed);
  const double touching = memory && memory->active ? bearing : slack_;
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
  // What had a row in the last solve of this (sub)step would get it again.
  const ContactMemory* memory = find_memory(contact);
  if ((memory && memory->active) || find_guess(contact)) return true;
  // A little early: a contact that turns out not to close bears nothing, one that was left out costs another solve. In
  // a large heap, where every solve is long, by what the others may push in a step: its weight, and half its speed.
  const double early =
      is_large_heap_ ? 0.5 * std::abs(speed_[i]) + h * system_.gravity.norm() : 1e-3 * std::abs(speed_[i]);
  return speed_[i] < calc_bound(i, h, scheme) + early;
}

/// Contacts without rows that the result closes get rows.
bool StepperRigid::include_violated(double h, const Scheme& scheme) {
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
  // u before and without impulses, belts included; of joint limits also that on the way to s
  update_velocities(system_, v_start_, kinematics_);
  rows_.calc_velocities({system_, kinematics_, t_s, q_s_, v_start_, from.z}, u_start_);
  if (!rows_.coordinates().empty()) {
    update_velocities(system_, v_linear_, kinematics_);
    rows_.calc_velocities({system_, kinematics_, t_s, q_s_, v_linear_, from.z}, u_linear_);
  }
  update_velocities(system_, v_kept_, kinematics_);
  rows_.calc_velocities({system_, kinematics_, t_s, q_s_, v_kept_, from.z}, u_free_);
  add_belts(from.t, u_start_);
  add_belts(from.t + h, u_free_);
  // (2) asks for u_n+ >= bound: the problem is posed in u - bound
  const int d = rows_.dimension();
  problem_q_ = u_free_;
  r_.setZero(d * rows_.size());
  fresh_.assign(at(rows_.size()), 0);
  restored_.setZero(rows_.size());
  impact_time_.setZero(rows_.size());
  for (int i = 0; i < rows_.size(); ++i) {
    const RowBlock& block = rows_.blocks()[at(i)];
    if (block.kind == RowKind::joint_friction) continue;
    if (block.kind == RowKind::limit) {
      problem_q_[d * i] -= calc_closing_bound(block.gap, u_linear_[d * i], h, scheme);
      continue;
    }
    const double bound = calc_bound(at(block.index), h, scheme);
    problem_q_[d * i] -= bound;
    // Impacts that are not located: e acts by either hypothesis.
    if (!scheme.keeps_open && restores(contacts_[at(block.index)], u_start_[d * i], u_free_[d * i])) {
      const double gap = contacts_[at(block.index)].gap - scheme.geometry * h * linear_speed_[at(block.index)];
      const Rebound rebound =
          calc_rebound(gap, u_start_[d * i], u_free_[d * i], h, get_law(contacts_[at(block.index)]).restitution);
      restored_[i] = std::max(0.0, rebound.speed - bound);
      impact_time_[i] = rebound.time;
      problem_q_[d * i] -= restored_[i];
    }
    const ContactMemory* known = find_guess(contacts_[at(block.index)]);
    if (!known) known = find_memory(contacts_[at(block.index)]);
    if (known) {
      r_.segment(d * i, d) = h * calc_expected_force(*known).head(d);
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

/// Groups of contacts whose restitution feeds energy do without: with e = 0 none is fed. Returns whether there are any.
bool StepperRigid::forget_restitution(double h) {
  if (restored_.size() == 0 || restored_.maxCoeff() == 0) return false;
  const int d = rows_.dimension();
  bool any = false;
  for (const std::vector<int>& island : rows_.find_groups()) {
    // Velocities are those at the moments of impact: a fall goes on until then, and is braked after it.
    double taken = calc_taken(island), scale = 0;
    for (const int i : island) {
      scale += std::abs(r_[d * i] * u_start_[d * i]);
      if (restored_[i] > 0)
        taken -= 0.5 * r_[d * i] * (u_free_[d * i] - u_start_[d * i]) * (2 * impact_time_[i] / h - 1);
    }
    if (taken >= -1e-9 * scale) continue;
    for (const int i : island) {
      any = any || restored_[i] > 0;
      problem_q_[d * i] += restored_[i];
      restored_[i] = 0;
    }
  }
  return any;
}

}  // namespace stiction
