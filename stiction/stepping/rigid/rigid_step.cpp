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

IslandWork::IslandWork(const RigidModel& of)
    : model(of),
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
  audit.unknowns = std::max(audit.unknowns, rows.island().count_free_velocities() + rows.A().constraints().count() +
                                                solver.count_unknowns(rows));
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
    if (solved.u_end[d * i] + rows.J().calc_give(i, solved.r) + q[d * i] > model.tolerances.opening_speed)
      solved.r.segment(d * i, d).setZero();
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
  unconverged_before_ = work_.audit.unconverged;
  solve_at(step, from.t + formulation.geometry * h);
  if (formulation.s_iterations > 0) iterate_s(step);
  const VecX& r = problem_.solved().r;
  const bool is_pushed = work_.rows.A().constraints().count() > 0 || (r.size() > 0 && r.cwiseAbs().maxCoeff() > 0);
  for (int k = 0; is_pushed && work_.free.correct(step, work_.kinematics, k, v_end_); ++k) solve_again(step);
  if (work_.free.force_change() > model_.tolerances.lost_force_change) ++work_.audit.unconverged;
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
  work_.rows.A().update({model_.system, work_.kinematics, t_s, q_s_, work_.free.v_start(), work_.free.z()});
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
  ClusterConstraints& constraints = work_.rows.A().constraints();
  if (constraints.count() == 0) return;
  constraints.clear_offset();
  if (step.formulation.own_speed > 0) {
    update_velocities(model_.system, v_linear_, work_.kinematics);
    constraints.set_offset({model_.system, work_.kinematics, t_s, q_s_, v_linear_, work_.free.z()},
                           step.formulation.own_speed);
  }
  update_velocities(model_.system, v_kept_, work_.kinematics);
  constraints.satisfy({model_.system, work_.kinematics, t_s, q_s_, v_kept_, work_.free.z()},
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
    const bool changes_sides = problem_.update_layers(step.h);
    solved_h_ = step.h;
    v_end_ = v_kept_;
    work_.rows.add_impulses(solved.r, v_end_);
    if (!problem_.include_violated(place, v_end_) && !changes_sides) return;
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
    if (problem_.solved().layers.empty()) continue;
    const ContactLayers& layers = problem_.solved().layers[at(i)];
    for (std::size_t k = 0; k < at(layers.count); ++k) {
      guess.layers[k].normal = layers.layer[k].end[0];
      guess.layers[k].on_core = layers.layer[k].on_core;
    }
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
  const int d = rows.dimension();
  SolvedContacts& solved = problem_.solved();
  bool any = false;
  tolerant_q_ = problem_.q();
  for (int i = 0; i < rows.size(); ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    const Contact& contact = solved.contacts[at(block.index)];
    if (!work_.tracker.was_loaded(contact) || model_.is_layered(contact)) continue;
    if (std::abs(contact.gap) > model_.tolerances.tolerated_gap * model_.calc_closed_gap(contact)) continue;
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
/// (formulation_stewart_trinkle.cpp). The gap is then gap(s) + h (u_n+ - u_n(v_linear)). An iteration that is slow to
/// end, as on surfaces with little curvature, over which contacts run fast, is accelerated.
void RigidStep::iterate_s(const Step& step) {
  constexpr int plain = 6;
  const int unconverged = unconverged_before_;
  window_.clear();
  v_next_ = v_end_;
  for (int k = 0; k < step.formulation.s_iterations; ++k) {
    v_linear_ = v_next_;
    q_s_ = step.from.q;
    displacement_ = step.h * v_linear_;
    // As move() will: gaps at s are those at the end of the step.
    work_.free.add_turns(step, v_linear_, displacement_);
    add_displacement(work_.kinematics.plan, displacement_, q_s_);
    work_.free.update_at_end(step, q_s_, v_linear_);
    // What counts is the last problem; where one is not solved, another is no use.
    work_.audit.unconverged = unconverged;
    solve_at(step, step.from.t + step.h);
    ++work_.audit.nonlinear_iterations;
    work_.audit.nonlinear_change = (v_end_ - v_linear_).cwiseAbs().maxCoeff();
    if (work_.audit.nonlinear_change <= model_.settings.nonlinear_tolerance) return;
    if (work_.audit.unconverged > unconverged) return;
    v_next_ = v_end_;
    if (k >= plain) extrapolate_s();
  }
  ++work_.audit.unconverged;
}

/// (1) of solvers/anderson_acceleration.h, with g = v_end and x = v_linear.
void RigidStep::extrapolate_s() {
  f_ = v_end_ - v_linear_;
  // The differences of an iteration that diverges tell as much.
  const int column = window_.open(1);
  if (column >= 0) {
    f_changes_.col(column) = f_ - f_before_;
    v_changes_.col(column) = v_end_ - v_before_;
    const auto changes = f_changes_.leftCols(window_.known());
    window_.set_products(column, changes.transpose() * f_changes_.col(column));
    v_next_.noalias() -= v_changes_.leftCols(window_.known()) * window_.calc_gamma(changes.transpose() * f_);
  } else {
    f_changes_.resize(f_.size(), 4);
    v_changes_.resize(f_.size(), 4);
  }
  f_before_ = f_;
  v_before_ = v_end_;
}

}  // namespace stiction
