#include "stiction/solvers/mcp/mcp_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/solvers/mlcp/mlcp_solvers.h"

namespace stiction {
namespace {

constexpr double sufficient = 1e-4;       // part of the predicted decrease that is asked for
constexpr double least_decrease = 1e-14;  // of Psi in ten steps, relative: less is a stall

}  // namespace

SolveOutcome McpNewton::solve(McpProblem& problem, const Settings& settings, VecX& z) {
  check_mcp(problem, z);
  SolveOutcome outcome;
  best_residual_ = std::numeric_limits<double>::infinity();
  ended_on_ray_ = false;
  values_ = 0;
  look_back_ = std::clamp<std::size_t>(settings.look_back, 1, most_look_back);
  z_ = z.cwiseMax(problem.lower).cwiseMin(problem.upper);
  F_.resize(z_.size());
  trial_F_.resize(z_.size());
  problem.calc_F(z_, F_);
  merit_.update(problem, z_, F_);
  best_z_ = z_;
  double earlier = std::numeric_limits<double>::infinity();
  const auto finish = [&](McpStatus status) {
    z = best_z_;
    outcome.status = status;
    outcome.residual = best_residual_;
    return outcome;
  };
  while (true) {
    // What counts is the natural residual, of the point itself and of its projection on the bounds.
    note_residual(problem, z_, F_);
    trial_z_ = z_.cwiseMax(problem.lower).cwiseMin(problem.upper);
    if (best_residual_ > settings.tolerance && trial_z_ != z_) {
      problem.calc_F(trial_z_, trial_F_);
      note_residual(problem, trial_z_, trial_F_);
    }
    if (best_residual_ <= settings.tolerance) return finish(McpStatus::solved);
    if (!std::isfinite(merit_.value)) return finish(McpStatus::stalled);
    if (outcome.iterations % 10 == 9) {
      if (merit_.value > (1 - least_decrease) * earlier) return finish(McpStatus::stalled);
      earlier = merit_.value;
    }
    if (outcome.iterations >= settings.limit) return finish(McpStatus::iteration_limit);
    ++outcome.iterations;
    if (!step(problem, settings.directions)) return finish(McpStatus::stalled);
  }
}

void McpNewton::note_residual(const McpProblem& problem, const VecX& z, const VecX& F) {
  const double residual = calc_mcp_residual(problem, z, F);
  if (!(residual < best_residual_)) return;
  best_residual_ = residual;
  best_z_ = z;
}

bool McpNewton::step(McpProblem& problem, const Directions& directions) {
  problem.calc_J(z_, J_);
  STICTION_CHECK(J_.rows() == z_.size() && J_.cols() == z_.size() && J_.isCompressed());
  if (!std::isfinite(J_.squaredNorm())) return false;
  last_values_[values_++ % look_back_] = merit_.value;
  // A Newton step aims at Psi = 0, along which Psi falls at first at the rate 2 Psi.
  const bool pivots = directions.josephy && z_.size() <= most_pivoted;
  if (pivots && find_josephy_direction(problem) && search(problem, -2 * merit_.value, 8)) return true;
  if ((directions.active_set || (directions.josephy && !pivots)) && find_active_set_direction(problem) &&
      search(problem, -2 * merit_.value, 8))
    return true;
  calc_gradient();
  if (directions.semismooth && find_semismooth_direction() && search(problem, gradient_.dot(d_), 20)) return true;
  const double steepness = gradient_.squaredNorm();
  if (!directions.gradient || !(steepness > 1e-24)) return false;
  // The step that would bring a linear Phi to its least value is at most 2 Psi / |gradient|^2.
  d_ = -gradient_ * std::min(1.0, 2 * merit_.value / steepness);
  return search(problem, gradient_.dot(d_), 40);
}

/// F' of (1) in mcp_merit.h, transposed, times Phi.
void McpNewton::calc_gradient() {
  weighted_ = merit_.b.cwiseProduct(merit_.Phi);
  gradient_ = merit_.a.cwiseProduct(merit_.Phi);
  for (Eigen::Index j = 0; j < J_.cols(); ++j) {
    for (int entry = J_.outerIndexPtr()[j]; entry < J_.outerIndexPtr()[j + 1]; ++entry)
      gradient_[j] += J_.valuePtr()[entry] * weighted_[J_.innerIndexPtr()[entry]];
  }
}

bool McpNewton::find_josephy_direction(const McpProblem& problem) {
  linear_.M = J_;
  linear_.lower = problem.lower;
  linear_.upper = problem.upper;
  linear_.q = F_ - linear_.M * z_;
  LcpOptions options;
  options.exhaustive = false;
  options.start = &z_;
  const LcpResult result = solve_mlcp(linear_, options, workspace_);
  ended_on_ray_ = result.status == LcpStatus::ray;
  // A rough solution of the linearised problem is a direction too: the search judges it.
  if (!result.z.allFinite()) return false;
  d_ = result.z - z_;
  return d_.squaredNorm() > 0;
}

bool McpNewton::find_active_set_direction(const McpProblem& problem) {
  natural_.update_natural(problem, z_, F_);
  return newton_step_.solve(natural_, J_, 0, d_);
}

bool McpNewton::find_semismooth_direction() {
  for (const double shift : {0.0, 1e-8, 1e-4, 1e-1}) {
    if (!newton_step_.solve(merit_, J_, shift, d_)) continue;
    if (gradient_.dot(d_) <= -1e-10 * d_.squaredNorm() * std::min(1.0, std::sqrt(merit_.value))) return true;
  }
  return false;
}

bool McpNewton::search(McpProblem& problem, double slope, int halvings) {
  const std::size_t known = std::min(values_, look_back_);
  const double reference = *std::max_element(last_values_.begin(), last_values_.begin() + static_cast<long>(known));
  double t = 1;
  for (int i = 0; i <= halvings; ++i, t /= 2) {
    trial_z_ = z_ + t * d_;
    problem.calc_F(trial_z_, trial_F_);
    trial_.update(problem, trial_z_, trial_F_);
    // The monotone test guards the last digits, where the reference may be far above.
    const bool enough = trial_.value <= reference + sufficient * t * slope && trial_.value < 1e3 * merit_.value;
    if (!enough) continue;
    z_.swap(trial_z_);
    F_.swap(trial_F_);
    std::swap(merit_, trial_);
    return true;
  }
  return false;
}

}  // namespace stiction
