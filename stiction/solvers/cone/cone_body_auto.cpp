#include "stiction/solvers/cone/cone_body_auto.h"

#include <limits>

#include "stiction/solvers/cone/cone_newton.h"
#include "stiction/solvers/cone/cone_path_follower.h"
#include "stiction/solvers/cone/cone_proximal.h"

namespace stiction {
namespace {

/// Multiplications of a sweep over a contact: two products with its rows, and the local solution.
constexpr double sweep_cost = 100;
constexpr double worth = 80;
/// What a path from 0 may gain on the best point, as a factor of the residual; and a residual above which it is tried
/// whatever the tolerance is.
constexpr double gain = 1e3, poor = 1e-4;

}  // namespace

void ConeBodyAuto::take(const VecX& r, double residual) {
  if (!(residual < residual_)) return;
  residual_ = residual;
  best_ = r;
}

void ConeBodyAuto::sweep(const ConeOptions& options, const VecX& from) {
  trial_ = from;
  (void)sweeper_.solve(*problem_, options, trial_);
  iterations_ += sweeper_.sweeps();
  take(trial_, sweeper_.residual());
}

void ConeBodyAuto::follow(const ConePath& path, const VecX& from) {
  if (residual_ <= tolerance_) return;
  const double scale = 1 + problem_->q.norm();
  PathFollower<ConeBodySmoothing, 3> follower(map_, path, map_.to_canonical(from));
  const ConePathResult end = follower.run(0.9 * tolerance_ * scale);
  iterations_ += end.steps;
  factorizations_ += end.steps;
  map_.from_canonical(follower.best(), trial_);
  take(trial_, end.norm / scale);
  if (residual_ <= tolerance_) return;
  ConeOptions few;
  few.tolerance = tolerance_;
  few.max_iterations = 20;
  start_ = best_;
  sweep(few, start_);
}

ConeStatus ConeBodyAuto::solve(const BodyConeProblem& problem, const ConeOptions& options, VecX& r) {
  problem_ = &problem;
  tolerance_ = options.tolerance;
  residual_ = std::numeric_limits<double>::infinity();
  iterations_ = factorizations_ = 0;
  best_ = r;
  sweep(options, r);
  residual_of_start_ = sweeper_.residual_of_start();
  if (residual_ > tolerance_ && options.max_iterations == 0) {
    map_.pose(problem);
    const double most = worth * sweep_cost * static_cast<double>(problem.contacts.size());
    if (map_.estimate_cost(map_.to_canonical(best_)) <= most) {
      ConePath proximal = make_brisk_proximal_path();
      proximal.steps = 25;
      proximal.patience = 15;
      follow(proximal, r);
      ConePath newton = make_newton_path();
      newton.steps = 80;
      newton.patience = 20;
      if (residual_ <= gain * tolerance_ || residual_ > poor) follow(newton, r);
    }
  }
  r = best_;
  return residual_ <= tolerance_ ? ConeStatus::solved : ConeStatus::stalled;
}

}  // namespace stiction
