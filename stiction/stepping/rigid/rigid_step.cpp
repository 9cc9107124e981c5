#include "stiction/stepping/rigid/rigid_step.h"

#include <algorithm>

#include "stiction/base/infinity.h"

namespace stiction {
namespace {

/// Newton's method is tried where s has so many iterations left at most, and once more. A step of it has the
/// derivatives of all contacts, and Anderson's acceleration ends sooner, as a rule. Solves and configurations of 100
/// random scenes (fuzz_physics; 50 iterations) and of 2 s of the dice of examples/soft_dice.toml at 10 ms:
///     tried after           12       24       36       42 (as it is)   48      never
///     random scenes     486,000  478,000  441,000  436,000        425,000  443,000
///     dice                    -        -  125,000  116,000        113,000  307,000, and 256 unsolved problems
///     halved steps            -      289        -        -            447  4,586 (dice)
/// To start where the measured contraction lets more than 5 to 40 further iterations expect takes 492,000.
constexpr int newton_left = 8, newton_interval = 6;

}  // namespace

// The differences of an iteration that diverges tell as much.
RigidStep::RigidStep(IslandWork& work)
    : work_(work),
      model_(work.model),
      solve_(work),
      positions_(work),
      acceleration_of_s_(4, 1e300),
      newton_(work.model) {}

void RigidStep::take(const IslandState& from, double h, bool locating, IslandState& to) {
  unconverged_before_ = work_.audit.unconverged;
  model_.formulation->take(*this, {from, h, model_.formulation->scheme(locating), locating}, to);
}

void RigidStep::find_free_velocity(const StepTask& step) {
  const StepProfile::Scope scope(work_.profile, StepPart::assembling);
  work_.free.update(step);
}

void RigidStep::solve_predicted(const StepTask& step) {
  const double ahead = step.scheme.geometry * step.h;
  q_s_ = step.from.q;
  v_linear_ = work_.free.v_start();
  displacement_ = ahead * v_linear_;
  if (ahead > 0) add_displacement(work_.kinematics.plan, displacement_, q_s_);
  solve_at(step, step.from.t + ahead);
}

void RigidStep::correct_forces(const StepTask& step) {
  const VecX& r = solved().r;
  const bool is_pushed = work_.rows.A().constraints().count() > 0 || (r.size() > 0 && r.cwiseAbs().maxCoeff() > 0);
  for (int k = 0; is_pushed && work_.free.correct(step, work_.kinematics, k, v_end_); ++k) {
    solve_.note_guesses();
    const StepProblem::Place place = make_place(step, step.from.t + step.scheme.geometry * step.h);
    keep_constraints(step, place.t_s);
    solve_.problem().include_again(place);
    solve_.solve(place, v_end_);
  }
  if (work_.free.has_lost_forces()) ++work_.audit.unconverged;
}

void RigidStep::move(const StepTask& step, IslandState& to) {
  positions_.move(step, solve_.problem(), v_end_, to);
  work_.free.book_work(step, q_s_, v_end_, to);
  v_mean_ = 0.5 * (v_end_ + work_.free.v_start());
}

StepProblem::Place RigidStep::make_place(const StepTask& step, double t_s) {
  return {step, t_s, q_s_, work_.kinematics, work_.free.v_start(), v_linear_, v_kept_, work_.free.z(), work_.jam};
}

/// M, G and contacts at s, then the impulses and the velocities v_end_ after them.
void RigidStep::solve_at(const StepTask& step, double t_s) {
  solve_.note_guesses();
  configure(step, t_s);
  solve_.solve(make_place(step, t_s), v_end_);
}

/// M, G and contacts at s.
void RigidStep::configure(const StepTask& step, double t_s) {
  const StepProfile::Scope scope(work_.profile, StepPart::assembling);
  // Driven bodies where they are; with theta < 1 as all others, on their tangent, or gaps would see their acceleration.
  if (work_.rows.island().has_prescribed && step.scheme.theta == 1) {
    v_end_ = work_.free.v_start();
    acceleration_.resize(v_end_.size());
    update_prescribed(model_.system, work_.kinematics.plan, t_s, q_s_, v_end_, acceleration_);
  }
  update_positions(model_.system, q_s_, work_.kinematics);
  work_.rows.A().update({model_.system, work_.kinematics, t_s, q_s_, work_.free.v_start(), work_.free.z()});
  keep_constraints(step, t_s);
  solve_.problem().find(make_place(step, t_s));
}

/// Constraints first: v_kept_ is v_free that keeps them, and impulses do from then on.
void RigidStep::keep_constraints(const StepTask& step, double t_s) {
  v_kept_ = work_.free.v_free();
  ClusterConstraints& constraints = work_.rows.A().constraints();
  if (constraints.count() == 0) return;
  constraints.clear_offset();
  if (step.scheme.is_at_end()) {
    update_velocities(model_.system, v_linear_, work_.kinematics);
    constraints.set_offset({model_.system, work_.kinematics, t_s, q_s_, v_linear_, work_.free.z()}, 1);
  }
  update_velocities(model_.system, v_kept_, work_.kinematics);
  constraints.satisfy({model_.system, work_.kinematics, t_s, q_s_, v_kept_, work_.free.z()},
                      1 / std::max(step.h, model_.settings.step), v_kept_);
}

void RigidStep::iterate_s(const StepTask& step, int iterations) {
  constexpr int plain = 6;
  const int unconverged = unconverged_before_;
  double tolerance = model_.settings.nonlinear_tolerance;
  bool newton_helps = true;
  acceleration_of_s_.begin(v_end_.size());
  v_next_ = v_end_;
  for (int k = 0; k < iterations; ++k) {
    lead_to_s(step, v_next_);
    // What counts is the last problem; where one is not solved, another is no use.
    work_.audit.unconverged = unconverged;
    solve_at(step, step.from.t + step.h);
    ++work_.audit.nonlinear_iterations;
    work_.audit.nonlinear_change = (v_end_ - v_linear_).cwiseAbs().maxCoeff();
    if (work_.audit.nonlinear_change <= tolerance || work_.audit.unconverged > unconverged) return;
    v_next_ = v_end_;
    tolerance = model_.settings.nonlinear_tolerance;
    if (k < plain) continue;
    const int left = iterations - k;
    const bool is_due = newton_helps && left <= newton_left && (newton_left - left) % newton_interval == 0;
    const double residual = is_due ? solve_by_newton(step) : infinity;
    newton_helps = !is_due || residual < infinity;
    // Where Newton's method ends at its rounding, one iteration of s shows no less, and the next would show more.
    const double rounding = newton_.rounding();
    const double limit = std::max(model_.solved.exact, std::min(rounding, model_.tolerances.rounding_speed));
    if (residual <= limit) tolerance = std::max(tolerance, rounding > 0 ? 4 * limit : limit);
    if (residual < infinity) {
      acceleration_of_s_.begin(v_end_.size());
    } else {
      acceleration_of_s_.accelerate(v_linear_, v_end_, v_next_);
    }
  }
  ++work_.audit.unconverged;
}

/// s and the forces there, as v leads to it.
void RigidStep::lead_to_s(const StepTask& step, const VecX& v) {
  v_linear_ = v;
  q_s_ = step.from.q;
  displacement_ = step.h * v_linear_;
  // As move() will: gaps at s are those at the end of the step.
  work_.free.add_turns(step, v_linear_, displacement_);
  add_displacement(work_.kinematics.plan, displacement_, q_s_);
  work_.free.update_at_end(step, q_s_, v_linear_);
}

void RigidStep::PosedEnd::pose_at(const VecX& v) {
  const double t_end = step.from.t + step.h;
  self.lead_to_s(step, v);
  self.configure(step, t_end);
  self.solve_.problem().pose(self.make_place(step, t_end));
}

/// From the last solution. Its result is where the next iteration starts, with its impulses. Returns its residual.
double RigidStep::solve_by_newton(const StepTask& step) {
  if (model_.formulation->friction() != FrictionForm::cone || !step.locating) return infinity;
  solve_.note_guesses();
  PosedEnd end(*this, step);
  // The iteration goes on from there where Newton's method does not help.
  linear_before_ = v_linear_;
  end_before_ = v_end_;
  const double residual = newton_.solve({end, solve_.problem(), work_.rows, work_.kinematics, v_kept_, displacement_,
                                         q_s_, work_.free.z(), step.h, step.from.t + step.h},
                                        model_.solved.exact, v_next_);
  v_end_ = end_before_;
  v_linear_ = linear_before_;
  if (residual == infinity) return residual;
  for (ContactMemory& guess : work_.tracker.guesses()) {
    if (const Eigen::Vector4d* impulse = newton_.find_impulse(guess.place)) guess.force = *impulse / step.h;
  }
  return residual;
}

}  // namespace stiction
