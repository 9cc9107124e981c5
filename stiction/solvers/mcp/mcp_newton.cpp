#include "stiction/solvers/mcp/mcp_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/solvers/mlcp/mlcp_solvers.h"

namespace stiction {
namespace {

constexpr std::size_t memory = 5;         // values the nonmonotone search looks back on
constexpr double sufficient = 1e-4;       // part of the predicted decrease that is asked for
constexpr double least_decrease = 1e-14;  // of Psi in ten steps, relative: less is a stall

}  // namespace

McpResult McpNewton::solve(const McpProblem& problem, const VecX& start, double tolerance, int limit,
                           Directions directions) {
  check_mcp(problem, start);
  McpResult best;
  best.residual = std::numeric_limits<double>::infinity();
  ended_on_ray_ = false;
  last_values_.clear();
  z_ = start.cwiseMax(problem.lower).cwiseMin(problem.upper);
  F_.resize(z_.size());
  trial_F_.resize(z_.size());
  problem.calc_F(z_, F_);
  merit_.update(problem, z_, F_);
  best.z = z_;
  double earlier = std::numeric_limits<double>::infinity();
  while (true) {
    // What counts is the natural residual, of the point itself and of its projection on the bounds.
    trial_z_ = z_.cwiseMax(problem.lower).cwiseMin(problem.upper);
    for (const VecX* z : {&z_, &trial_z_}) {
      const double residual = calc_mcp_residual(problem, *z);
      if (!(residual < best.residual)) continue;
      best.residual = residual;
      best.z = *z;
    }
    best.status = McpStatus::solved;
    if (best.residual <= tolerance) return best;
    best.status = McpStatus::stalled;
    if (!std::isfinite(merit_.value)) return best;
    if (best.iterations % 10 == 9) {
      if (merit_.value > (1 - least_decrease) * earlier) return best;
      earlier = merit_.value;
    }
    best.status = McpStatus::iteration_limit;
    if (best.iterations >= limit) return best;
    ++best.iterations;
    best.status = McpStatus::stalled;
    if (!step(problem, directions)) return best;
  }
}

bool McpNewton::step(const McpProblem& problem, Directions directions) {
  J_.update(problem, z_);
  if (!J_.is_finite()) return false;
  if (last_values_.size() == memory) last_values_.erase(last_values_.begin());
  last_values_.push_back(merit_.value);
  // A Newton step aims at Psi = 0, along which Psi falls at first at the rate 2 Psi.
  VecX d;
  if (directions.josephy && find_josephy_direction(problem, d) && search(problem, d, -2 * merit_.value, 8)) return true;
  const VecX gradient = merit_.a.cwiseProduct(merit_.Phi) + J_.multiply_transposed(merit_.b.cwiseProduct(merit_.Phi));
  if (directions.semismooth && find_semismooth_direction(gradient, d) && search(problem, d, gradient.dot(d), 20)) {
    return true;
  }
  const double steepness = gradient.squaredNorm();
  if (!(steepness > 1e-24)) return false;
  // The step that would bring a linear Phi to its least value is at most 2 Psi / |gradient|^2.
  d = -gradient * std::min(1.0, 2 * merit_.value / steepness);
  return search(problem, d, gradient.dot(d), 40);
}

bool McpNewton::find_josephy_direction(const McpProblem& problem, VecX& d) {
  if (z_.size() > most_pivoted) return solve_mcp_newton(calc_natural_map(problem, z_, F_), J_, 0, d);
  MlcpProblem linear{J_.to_dense(), VecX(), problem.lower, problem.upper};
  linear.q = F_ - linear.M * z_;
  LcpOptions options;
  options.exhaustive = false;
  options.guess = &z_;
  const LcpResult result = solve_mlcp(linear, options, workspace_);
  ended_on_ray_ = result.status == LcpStatus::ray;
  // A rough solution of the linearised problem is a direction too: the search judges it.
  if (!result.z.allFinite()) return false;
  d = result.z - z_;
  return d.squaredNorm() > 0;
}

bool McpNewton::find_semismooth_direction(const VecX& gradient, VecX& d) const {
  for (const double shift : {0.0, 1e-8, 1e-4, 1e-1}) {
    if (!solve_mcp_newton(merit_, J_, shift, d)) continue;
    if (gradient.dot(d) <= -1e-10 * d.squaredNorm() * std::min(1.0, std::sqrt(merit_.value))) return true;
  }
  return false;
}

double McpNewton::reference() const {
  return *std::max_element(last_values_.begin(), last_values_.end());
}

bool McpNewton::search(const McpProblem& problem, const VecX& d, double slope, int halvings) {
  double t = 1;
  for (int i = 0; i <= halvings; ++i, t /= 2) {
    trial_z_ = z_ + t * d;
    problem.calc_F(trial_z_, trial_F_);
    trial_.update(problem, trial_z_, trial_F_);
    // The monotone test guards the last digits, where the reference may be far above.
    const bool enough = trial_.value <= reference() + sufficient * t * slope && trial_.value < 1e3 * merit_.value;
    if (!enough) continue;
    z_.swap(trial_z_);
    F_.swap(trial_F_);
    std::swap(merit_, trial_);
    return true;
  }
  return false;
}

}  // namespace stiction
