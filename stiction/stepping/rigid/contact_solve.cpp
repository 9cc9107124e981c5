#include "stiction/stepping/rigid/contact_solve.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"

namespace stiction {

ContactSolve::ContactSolve(IslandWork& work)
    : work_(work), model_(work.model), problem_(work.model, work.rows, work.search, work.tracker) {}

void ContactSolve::begin() {
  work_.tracker.guesses().clear();
  solved_h_ = 0;
}

void ContactSolve::solve(const StepProblem::Place& place, VecX& v_end) {
  const StepProfile::Scope scope(work_.profile, StepPart::solving);
  const double h = place.step.h;
  SolvedContacts& solved = problem_.solved();
  const bool may_tolerate = model_.formulation->friction() == FrictionForm::cone && !work_.jam.is_jammed();
  for (int round = 0;; ++round) {
    note_guesses();
    pose(place);
    work_.posed = {place.t_s, h, &place.v_start, &work_.free.v_free(), &place.v_kept, &solved.contacts, false};
    if (may_tolerate) start_r_ = solved.r;
    RigidSolver::Result result = work_.solver.solve(work_.rows, problem_.q(), h, problem_.fresh(), solved.r);
    if (may_tolerate) tolerate_gaps(h, result);
    work_.note(result);
    if (work_.tracker.guesses().empty()) had_good_start_ = result.residual_of_guess <= model_.tolerances.good_start;
    work_.calc_end_velocities(problem_.u_free(), problem_.q(), solved);
    if (problem_.drop_restitution(h)) {
      work_.audit.restitution_lost = 1;
      work_.note(work_.solver.solve(work_.rows, problem_.q(), h, problem_.fresh(), solved.r));
      work_.calc_end_velocities(problem_.u_free(), problem_.q(), solved);
    }
    const bool changes_sides = problem_.update_layers(h);
    solved_h_ = h;
    v_end = place.v_kept;
    work_.rows.add_impulses(solved.r, v_end);
    if (!problem_.include_violated(place, v_end) && !changes_sides) return;
    if (round == model_.policy.active_set) {
      ++work_.audit.unconverged;
      return;
    }
  }
}

void ContactSolve::pose(const StepProblem::Place& place) {
  const StepProfile::Scope scope(work_.profile, StepPart::assembling);
  problem_.pose(place);
}

void ContactSolve::note_guesses() {
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
bool ContactSolve::has_excessive_impulses(double h) {
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
void ContactSolve::tolerate_gaps(double h, RigidSolver::Result& result) {
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

}  // namespace stiction
