#include "stiction/stepping/rigid/rigid_step.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"

namespace stiction {
namespace {

RigidSolverSettings make_solver_settings(const RigidModel& model) {
  return {.form = model.formulation.friction,
          .directions = model.settings.directions,
          .tolerance = model.settings.solver_tolerance,
          .aim = 1e-2 * model.settings.solver_tolerance};
}

}  // namespace

IslandWork::IslandWork(const RigidModel& model)
    : model(model),
      rows(model),
      tracker(model),
      free(model),
      solver(make_solver_settings(model)),
      kinematics(model.system) {}

void IslandWork::begin(const Island& island, const IslandState& start, const State& whole, const Kinematics& at_start,
                       const std::vector<double>& reach, const Sleeping& sleeping) {
  rows.begin(island);
  tracker.begin(island, {start, at_start, reach}, sleeping);
  free.begin(island, whole.z, whole.modes);
  select_bodies(model.plan, island.bodies, kinematics.plan);
  jam = {};
  audit = {};
}

void IslandWork::note(const RigidSolver::Result& result) {
  audit.residual = std::max(audit.residual, result.residual);
  audit.iterations += result.iterations;
  audit.contacts = rows.size();
  audit.unknowns =
      std::max(audit.unknowns, rows.count_free_velocities() + rows.constraint_count() + solver.count_unknowns(rows));
  if (!result.converged) ++audit.unconverged;
}

void IslandWork::calc_end_velocities(const VecX& u_free, const VecX& q, SolvedContacts& solved) {
  const int d = rows.dimension();
  rows.multiply(solved.r, solved.u_end);
  double largest = 0;
  for (int i = 0; i < rows.size(); ++i) largest = std::max(largest, solved.r[d * i]);
  for (int i = 0; i < rows.size(); ++i) {
    const bool is_negligible = solved.r[d * i] < model.tolerances.negligible_part * largest;
    if (rows.blocks()[at(i)].kind == RowKind::joint_friction || !is_negligible) continue;
    if (solved.u_end[d * i] + q[d * i] > model.tolerances.opening_speed) solved.r.segment(d * i, d).setZero();
  }
  solved.u_end += u_free;
}

RigidStep::RigidStep(IslandWork& work) : work_(work), model_(work.model), problem_(model_, work.rows, work.tracker) {}

void RigidStep::begin() {
  work_.tracker.guesses().clear();
  solved_h_ = 0;
}

StepProblem::Place RigidStep::make_place(const Step& step, double t_s) {
  return {step.from, step.h,  step.formulation, t_s,      q_s_, work_.kinematics, work_.free.v_start(),
          v_linear_, v_kept_, work_.free.z(),   work_.jam};
}

void RigidStep::take(const IslandState& from, double h, const Formulation& formulation, IslandState& to) {
  const Step step{from, h, formulation};
  work_.free.update(step);
  // s = q + geometry h v
  q_s_ = from.q;
  displacement_ = formulation.geometry * h * work_.free.v_start();
  if (formulation.geometry > 0) add_displacement(work_.kinematics.plan, displacement_, q_s_);
  v_linear_ = work_.free.v_start();
  solve_at(step, from.t + formulation.geometry * h);
  if (formulation.s_iterations > 0) iterate_s(step);
  const VecX& r = problem_.solved().r;
  const bool is_pushed = work_.rows.constraint_count() > 0 || (r.size() > 0 && r.cwiseAbs().maxCoeff() > 0);
  if (work_.free.correct(step, work_.kinematics, is_pushed, v_end_)) solve_again(step);
  move(step, to);
}

/// Everything at s for the rows, then the impulses and the velocities v_end_ after them.
void RigidStep::solve_at(const Step& step, double t_s) {
  note_guesses();
  // Driven bodies where they are; with theta < 1 as all others, on their tangent, or gaps would see their acceleration.
  if (work_.rows.island().has_prescribed && step.formulation.theta == 1) {
    v_end_ = work_.free.v_start();
    acceleration_.resize(v_end_.size());
    update_prescribed(model_.system, work_.kinematics.plan, t_s, q_s_, v_end_, acceleration_);
  }
  update_positions(model_.system, q_s_, work_.kinematics);
  work_.rows.update_configuration(work_.kinematics,
                                  {model_.system, work_.kinematics, t_s, q_s_, work_.free.v_start(), work_.free.z()});
  keep_constraints(step, t_s);
  problem_.find(make_place(step, t_s));
  solve_active(step, t_s);
}

/// The same at the same s, where contacts are known, with another free velocity.
void RigidStep::solve_again(const Step& step) {
  note_guesses();
  const double t_s = step.from.t + step.formulation.geometry * step.h;
  keep_constraints(step, t_s);
  problem_.include_again(make_place(step, t_s));
  solve_active(step, t_s);
}

/// Constraints first: v_kept_ is v_free that keeps them, and impulses do from then on.
void RigidStep::keep_constraints(const Step& step, double t_s) {
  v_kept_ = work_.free.v_free();
  if (work_.rows.constraint_count() == 0) return;
  work_.rows.clear_constraint_offset();
  if (step.formulation.own_speed > 0) {
    update_velocities(model_.system, v_linear_, work_.kinematics);
    work_.rows.set_constraint_offset({model_.system, work_.kinematics, t_s, q_s_, v_linear_, work_.free.z()},
                                     step.formulation.own_speed);
  }
  update_velocities(model_.system, v_kept_, work_.kinematics);
  work_.rows.satisfy_constraints({model_.system, work_.kinematics, t_s, q_s_, v_kept_, work_.free.z()},
                                 1 / std::max(step.h, model_.settings.step), v_kept_);
}

/// The impulses of the contacts with rows, and of those that would close without one.
void RigidStep::solve_active(const Step& step, double t_s) {
  const StepProblem::Place place = make_place(step, t_s);
  SolvedContacts& solved = problem_.solved();
  const bool may_tolerate = model_.formulation.friction == FrictionForm::cone && work_.jam.slack == 0;
  for (int round = 0;; ++round) {
    note_guesses();
    problem_.pose(place);
    if (may_tolerate) start_r_ = solved.r;
    RigidSolver::Result result = work_.solver.solve(work_.rows, problem_.q(), step.h, problem_.fresh(), solved.r);
    if (may_tolerate) tolerate_gaps(step.h, result);
    work_.note(result);
    if (work_.tracker.guesses().empty()) had_good_start_ = result.residual_of_guess <= model_.tolerances.good_start;
    work_.calc_end_velocities(problem_.u_free(), problem_.q(), solved);
    if (problem_.drop_restitution(step.h)) {
      work_.audit.restitution_lost = 1;
      work_.note(work_.solver.solve(work_.rows, problem_.q(), step.h, problem_.fresh(), solved.r));
      work_.calc_end_velocities(problem_.u_free(), problem_.q(), solved);
    }
    solved_h_ = step.h;
    v_end_ = v_kept_;
    work_.rows.add_impulses(solved.r, v_end_);
    if (!problem_.include_violated(place, v_end_)) return;
    if (round == model_.policy.active_set) {
      ++work_.audit.unconverged;
      return;
    }
  }
}

/// Before the rows of another solve of this (sub)step: it begins with the impulses of the last.
void RigidStep::note_guesses() {
  if (solved_h_ == 0) return;
  const int d = work_.rows.dimension();
  std::vector<ContactMemory>& guesses = work_.tracker.guesses();
  guesses.clear();
  for (int i = 0; i < work_.rows.size(); ++i) {
    const RowBlock& block = work_.rows.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    ContactMemory& guess = guesses.emplace_back();
    guess.place = problem_.solved().contacts[at(block.index)];
    guess.force.head(d) = problem_.solved().r.segment(d * i, d) / solved_h_;
  }
  solved_h_ = 0;
}

/// Impulses as only a wedge, or a body far lighter, has: beyond twice the last and ten times what stops the bodies.
bool RigidStep::has_excessive_impulses(double h) {
  const StepRows& rows = work_.rows;
  const int d = rows.dimension();
  const ConeMatrix& W = work_.rows.W();
  const double fall = h * model_.system.gravity.norm();
  double largest = 0, usual = 0;
  for (int i = 0; i < rows.size(); ++i) {
    if (rows.blocks()[at(i)].kind != RowKind::contact) continue;
    largest = std::max(largest, problem_.solved().r[d * i]);
    usual = std::max(usual, 2 * start_r_[d * i]);
    const double stopping = (problem_.u_free().segment(d * i, d).norm() + fall) / W.block(W.diagonal(i))(0, 0);
    usual = std::max(usual, 10 * stopping);
  }
  return largest > usual;
}

/// A body that is wedged cannot close the gaps of rounding, or those that the time of its impact left (at most 1e-6 of
/// the size): not at all, or with impulses without bound. The same problem then, with such gaps of contacts that were
/// loaded left as they are, if that is solved, and with half of the impulses at most.
void RigidStep::tolerate_gaps(double h, RigidSolver::Result& result) {
  StepRows& rows = work_.rows;
  if (rows.size() == 0 || (result.converged && (result.iterations == 0 || !has_excessive_impulses(h)))) return;
  constexpr double times_closed = 1000;
  const int d = rows.dimension();
  SolvedContacts& solved = problem_.solved();
  bool any = false;
  tolerant_q_ = problem_.q();
  for (int i = 0; i < rows.size(); ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    const Contact& contact = solved.contacts[at(block.index)];
    if (!work_.tracker.was_loaded(contact)) continue;
    if (std::abs(contact.gap) > times_closed * model_.calc_closed_gap(contact)) continue;
    tolerant_q_[d * i] = problem_.u_free()[d * i] - solved.restored[i];
    any = true;
  }
  if (!any) return;
  RigidSolver::Result again = work_.solver.solve(rows, tolerant_q_, h, problem_.fresh(), start_r_);
  again.iterations += result.iterations;
  const bool is_smaller = start_r_.cwiseAbs().maxCoeff() < 0.5 * solved.r.cwiseAbs().maxCoeff();
  if (!again.converged || (result.converged && !is_smaller)) return;
  solved.r.swap(start_r_);
  problem_.q().swap(tolerant_q_);
  result = again;
}

/// s becomes the configuration the last solution leads to, until the velocities change no more
/// (formulation_stewart_trinkle.cpp). The gap is then gap(s) + h (u_n+ - u_n(v_linear)).
void RigidStep::iterate_s(const Step& step) {
  for (int k = 0; k < step.formulation.s_iterations; ++k) {
    v_linear_ = v_end_;
    q_s_ = step.from.q;
    displacement_ = step.h * v_linear_;
    add_displacement(work_.kinematics.plan, displacement_, q_s_);
    work_.free.update_at_end(step, q_s_, v_linear_);
    solve_at(step, step.from.t + step.h);
    ++work_.audit.nonlinear_iterations;
    work_.audit.nonlinear_change = (v_end_ - v_linear_).cwiseAbs().maxCoeff();
    if (work_.audit.nonlinear_change <= model_.settings.nonlinear_tolerance) return;
  }
  ++work_.audit.unconverged;
}

}  // namespace stiction
