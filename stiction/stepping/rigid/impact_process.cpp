#include "stiction/stepping/rigid/impact_process.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"
#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/solvers/island.h"
#include "stiction/stepping/rigid/impulse_units.h"
#include "stiction/stepping/rigid/rigid_solver_compliant.h"

namespace stiction {
namespace {

/// After so many increments the rest of a phase is taken at once, with friction against its last slip. Slip that turns
/// by pi needs 157, or 16 with several contacts; each stop of a slip takes one more. An increment of several contacts
/// is a problem of its own to solve: their budget bounds the cost of an impact to some 40 solutions a phase.
constexpr int most_alone = 400, most_of_several = 40;
/// Restitution goes on to at most this many times e p_c: friction that stops during restitution changes it by a few.
constexpr double longest_restitution = 100;
/// A contact is held where impulses change its normal velocity by no more than this part of what they would without
/// friction. Origin: rounding of a singular W, 1e-16, times a safety of 1e4. Wedges that give way have 1e-3 and more.
constexpr double held_part = 1e-12;

void pose_laws(const std::vector<ImpactContact>& contacts, int d, ConeProblem& problem) {
  const int n = static_cast<int>(contacts.size());
  problem.mu.resize(n);
  problem.ellipsoid.resize(n, d - 1);
  for (int i = 0; i < n; ++i) {
    problem.mu[i] = contacts[at(i)].mu;
    problem.ellipsoid.row(i) = contacts[at(i)].ellipsoid.head(d - 1).transpose();
  }
}

}  // namespace

ImpactProcess::Result ImpactProcess::solve(const ImpactProblem& problem, VecX& r) {
  problem_ = &problem;
  d_ = problem.W.block_size();
  const int n = size();
  result_ = {};
  u_ = problem.u;
  r_.setZero(d_ * n);
  guess_.setZero(d_ * n);
  friction_.begin(problem.contacts, d_, u_);
  work_.setZero(n);
  target_.setZero(n);
  for (int i = 0; i < n; ++i) {
    const ImpactContact& contact = problem.contacts[at(i)];
    if (contact.hypothesis == RestitutionHypothesis::newton)
      target_[i] = std::max(0.0, -contact.restitution * u_[d_ * i]);
  }
  compress();
  restore();
  r = r_;
  return result_;
}

int ImpactProcess::most_increments() const {
  return size() == 1 ? most_alone : most_of_several;
}

double ImpactProcess::calc_deficit(int i) const {
  return target_[i] - u_[d_ * i];
}

/// Until no contact closes.
void ImpactProcess::compress() {
  for (increments_ = 0; increments_ < most_increments(); ++increments_) {
    if (finish_closing() || !result_.converged) return;
  }
  calc_closing_rate(false);
  advance(1);
}

/// One increment of a phase that ends where nothing closes. Returns whether it was the last.
bool ImpactProcess::finish_closing() {
  friction_.update(u_);
  calc_closing_rate(true);
  if (rate_.isZero(0)) return true;
  double part = std::min(1.0, friction_.find_slip_end(u_, change_));
  if (friction_.turns(u_, change_, part)) {
    // The same normal impulses with friction from the middle; where friction nearly jams, it decides how many there
    // are.
    const double planned = part * sum_normal();
    friction_.update(u_ + 0.5 * part * change_);
    calc_closing_rate(true);
    const double now = sum_normal();
    if (part < 1 || now > 2 * planned) part = std::min(1.0, planned / now);
  }
  advance(part);
  guess_ *= 1 - part;
  return part == 1;
}

double ImpactProcess::sum_normal() const {
  double sum = 0;
  for (int i = 0; i < size(); ++i) sum += rate_[d_ * i];
  return sum;
}

void ImpactProcess::restore() {
  const int n = size();
  given_.setZero(n);
  restored_work_.setZero(n);
  compression_.resize(n);
  for (int i = 0; i < n; ++i) {
    const ImpactContact& contact = problem_->contacts[at(i)];
    compression_[i] = r_[d_ * i];
    if (contact.hypothesis == RestitutionHypothesis::newton) continue;
    given_[i] = contact.restitution * compression_[i];
    restored_work_[i] = contact.restitution * contact.restitution * std::max(0.0, -work_[i]);
    if (contact.hypothesis == RestitutionHypothesis::stronge && restored_work_[i] == 0) given_[i] = 0;
  }
  if (given_.isZero(0) || !result_.converged) return;
  work_.setZero();
  progress_ = 0;
  for (increments_ = 0; increments_ < most_increments() && !given_.isZero(0); ++increments_) {
    if (!result_.converged) return;
    friction_.update(u_);
    calc_given_rate();
    double part = std::min(friction_.find_slip_end(u_, change_), longest_restitution - progress_);
    for (int i = 0; i < n; ++i) part = std::min(part, find_restitution_end(i));
    if (friction_.turns(u_, change_, part)) {
      friction_.update(u_ + 0.5 * part * change_);
      calc_given_rate();
      for (int i = 0; i < n; ++i) part = std::min(part, find_restitution_end(i));
    }
    // Contacts that end here, before the velocities from which that follows change
    for (int i = 0; i < n; ++i) {
      if (find_restitution_end(i) <= part * (1 + 1e-12)) given_[i] = 0;
    }
    advance(part);
    progress_ += part;
    if (progress_ >= longest_restitution) break;
  }
  target_.setZero();
  compress();
}

/// The impulses that end the closing, friction by (1) or, without following the slip, against the last one.
void ImpactProcess::calc_closing_rate(bool follows_slip) {
  const int n = size();
  double most = 0;
  for (int i = 0; i < n; ++i) most = std::max(most, calc_deficit(i));
  rate_.setZero(d_ * n);
  change_.setZero(d_ * n);
  if (most <= tolerance_ * problem_->u.cwiseAbs().maxCoeff()) return;
  if (n == 1 && follows_slip) return calc_rate_of_one();
  posed_.W = problem_->W;
  posed_.q = u_;
  pose_laws(problem_->contacts, d_, posed_);
  for (int i = 0; i < n; ++i) posed_.q[d_ * i] -= target_[i];
  for (int i = 0; follows_slip && i < n; ++i) {
    // The normal impulse of a slipping contact brings its friction along.
    for (int k = posed_.W.row_begin(i); k < posed_.W.row_begin(i + 1); ++k) {
      const int j = posed_.W.column(k);
      if (!friction_.slips(j)) continue;
      auto block = posed_.W.block(k);
      block.col(0) -= block.rightCols(d_ - 1) * friction_.of(j);
    }
    if (friction_.slips(i)) posed_.mu[i] = 0;
    if (!friction_.slips(i) && posed_.mu[i] > 0) posed_.q.segment(d_ * i + 1, d_ - 1).setZero();
  }
  if (increments_ == 0) guess_compliant(guess_);
  rate_ = guess_;
  solve_posed(rate_);
  guess_ = rate_;
  for (int i = 0; follows_slip && i < n; ++i) {
    if (friction_.slips(i)) rate_.segment(d_ * i + 1, d_ - 1) = -rate_[d_ * i] * friction_.of(i);
  }
  problem_->W.multiply(rate_, change_);
}

/// One contact alone: until the end of the closing, or, where friction drives it deeper, to beyond the end of the slip.
/// A point of a body that turns about a fixed point cannot close where it sticks, and no impulse moves it: what the end
/// of its slip has left is taken as it is.
void ImpactProcess::calc_rate_of_one() {
  const double W_nn = problem_->W.block(0)(0, 0);
  if (W_nn <= 0) return;
  given_.setConstant(1, calc_deficit(0) / W_nn);
  calc_given_rate();
  const double deficit = calc_deficit(0), slip_end = friction_.find_slip_end(u_, change_);
  const bool is_held = slip_end == infinity && change_[0] <= held_part * deficit;
  const double needed = change_[0] > 0 ? deficit / change_[0] : infinity;
  const double scale = is_held ? 0 : std::isfinite(needed) ? needed : 2 * slip_end;
  rate_ *= scale;
  change_ *= scale;
}

/// The impulses with `given_` normal parts, and friction by (1).
void ImpactProcess::calc_given_rate() {
  const int n = size();
  known_.setZero(d_ * n);
  for (int i = 0; i < n; ++i) {
    known_[d_ * i] = given_[i];
    if (friction_.slips(i)) known_.segment(d_ * i + 1, d_ - 1) = -given_[i] * friction_.of(i);
  }
  problem_->W.multiply(known_, pushed_);
  rate_ = known_;
  if (!friction_.sticking().empty()) {
    pose_laws(problem_->contacts, d_, posed_);
    posed_.W = problem_->W;
    posed_.q = pushed_;
    posed_ = make_island(posed_, friction_.sticking());
    const int m = posed_.contacts();
    VecX r = VecX::Zero(d_ * m);
    for (int i = 0; i < m; ++i) {
      for (int k = posed_.W.row_begin(i); k < posed_.W.row_begin(i + 1); ++k) {
        auto block = posed_.W.block(k);
        const double scale = block.diagonal().mean();
        block.row(0).setZero();
        block.col(0).setZero();
        if (posed_.W.column(k) == i) {
          block(0, 0) = scale;
          r[d_ * i] = given_[friction_.sticking()[at(i)]];
          posed_.q[d_ * i] = -scale * r[d_ * i];
        }
      }
    }
    solve_posed(r);
    scatter(r, friction_.sticking(), d_, rate_);
    for (const int i : friction_.sticking()) rate_[d_ * i] = given_[i];
  }
  problem_->W.multiply(rate_, change_);
}

/// Contacts with compliance first: where the motion does not determine how they share an impulse, they share alike. The
/// proximal iteration r <- solution with compliance of q - compliance r takes the compliance out again, a hundredth of
/// what is left each time, and leaves the sharing.
void ImpactProcess::guess_compliant(VecX& r) {
  constexpr double compliance = 1e-2;
  constexpr int most = 60, iterations = 5;
  r.setZero(d_ * size());
  if (size() < 2 || size() > most) return;
  ConeOptions options;
  options.tolerance = tolerance_;
  options.enough = 1;
  ConeProblem compliant = make_compliant(posed_, compliance);
  ImpulseUnits units;
  units.apply(compliant, r);
  double sum = 0;
  for (int i = 0; i < size(); ++i) sum += compliant.W.block(compliant.W.diagonal(i)).trace();
  const double added = compliance / (1 + compliance) * sum / (d_ * size());
  const VecX q = compliant.q;
  for (int k = 0; k < iterations; ++k) {
    compliant.q = q - added * r;
    options.start = &r;
    r = solve_cone(compliant, options).r;
  }
  units.restore(r);
}

void ImpactProcess::solve_posed(VecX& r) {
  ImpulseUnits units;
  units.apply(posed_, r);
  options_.tolerance = tolerance_;
  options_.aim = 1e-3 * tolerance_;
  options_.enough = solved_.calc_limit_of_hard(posed_.q, d_, 0);
  options_.quick = true;
  options_.start = &r;
  ConeResult found = solve_cone(posed_, options_);
  const bool is_solved = solved_.accepts(posed_, found.r, found.residual, 0);
  r.swap(found.r);
  units.restore(r);
  result_.residual = std::max(result_.residual, found.residual);
  result_.iterations += found.iterations;
  result_.converged = result_.converged && is_solved;
}

/// The part after which a contact has what restitution gives it; infinity where it takes no part.
double ImpactProcess::find_restitution_end(int i) const {
  if (given_[i] == 0) return infinity;
  if (problem_->contacts[at(i)].hypothesis == RestitutionHypothesis::poisson) return std::max(0.0, 1 - progress_);
  // g (u part + change part^2 / 2) = the work still to be restored
  const double g = given_[i], missing = restored_work_[i] - work_[i], u = u_[d_ * i], change = change_[d_ * i];
  if (missing <= 0) return 0;
  const double square = g * g * u * u + 2 * g * change * missing;
  const double divisor = square < 0 ? 0 : g * u + std::sqrt(square);
  if (divisor > 0) return 2 * missing / divisor;
  // It closes again before: it has what it can have.
  return change < 0 && u > 0 ? -u / change : 0;
}

void ImpactProcess::advance(double part) {
  for (int i = 0; i < size(); ++i) {
    const int k = d_ * i;
    work_[i] += part * rate_[k] * (u_[k] + 0.5 * part * change_[k]);
  }
  r_ += part * rate_;
  u_ += part * change_;
}

}  // namespace stiction
