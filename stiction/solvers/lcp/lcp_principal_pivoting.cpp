#include "stiction/solvers/lcp/lcp_principal_pivoting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/math/dense_least_norm.h"

namespace stiction {
namespace {

constexpr int exchanges_without_progress = 10;
// A Cholesky pivot below this part of the largest one makes a block singular.
constexpr double singular_pivot = 1e-12;

}  // namespace

bool looks_symmetric_psd(const MatX& M) {
  if (M.size() == 0) return true;
  if (M.diagonal().minCoeff() < 0) return false;
  const double threshold = 1e-12 * M.lpNorm<Eigen::Infinity>();
  for (Eigen::Index j = 0; j < M.cols(); ++j) {
    for (Eigen::Index i = 0; i < j; ++i) {
      if (!(std::abs(M(i, j) - M(j, i)) <= threshold)) return false;
    }
  }
  return true;
}

LcpResult LcpPrincipalPivoting::solve(const LcpProblem& problem, const LcpOptions& options) {
  check_lcp(problem);
  problem_ = &problem;
  const auto n = problem.q.size();
  STICTION_CHECK(options.start == nullptr || options.start->size() == n);
  const int limit = options.max_iterations > 0 ? options.max_iterations : 200 + 20 * static_cast<int>(n);
  LcpResult result;
  if (options.start != nullptr) {
    collect_active(*options.start);
  } else {
    collect_active(-problem.q);
  }
  z_ = VecX::Zero(n);
  result.status = LcpStatus::stalled;
  if (pivot_blocks(0, limit, result.iterations) == Outcome::solved) {
    result.z = z_.cwiseMax(0.0);
    update_lcp_verdict(problem, options.tolerance, result);
    if (result.status == LcpStatus::solved) return result;
  }
  // Singular or nearly so: the set of the shifted problem is where the descent starts.
  const double shift = n > 0 ? 1e-9 * problem.M.diagonal().cwiseAbs().mean() : 0;
  const bool has_start = pivot_blocks(shift, limit, result.iterations) == Outcome::solved;
  // Small values of the shifted solution are noise, huge ones the sign of a ray.
  if (has_start && z_.lpNorm<Eigen::Infinity>() * shift < 1e-3 * problem.q.lpNorm<Eigen::Infinity>()) {
    z_ = z_.cwiseMax(0.0);
  } else {
    z_.setZero();
  }
  result.status = descend(limit, result.iterations);
  result.z = z_.cwiseMax(0.0);
  update_lcp_verdict(problem, options.tolerance, result);
  return result;
}

void LcpPrincipalPivoting::collect_active(const VecX& z) {
  is_active_.assign(static_cast<std::size_t>(z.size()), 0);
  for (int i = 0; i < z.size(); ++i) is_active_[i] = z[i] > 0;
}

// (M_aa + shift) z_a = -q_a, w = M z + q; false if the block is singular or indefinite.
bool LcpPrincipalPivoting::solve_active(double shift) {
  active_.clear();
  for (int i = 0; i < z_.size(); ++i) {
    if (is_active_[i]) active_.push_back(i);
  }
  z_.setZero();
  if (!active_.empty()) {
    block_ = problem_->M(active_, active_);
    block_.diagonal().array() += shift;
    const double largest = block_.diagonal().maxCoeff();
    const Eigen::LLT<Eigen::Ref<MatX>> llt(block_);
    if (llt.info() != Eigen::Success) return false;
    const double least_pivot = block_.diagonal().minCoeff();
    if (!(least_pivot * least_pivot > singular_pivot * largest)) return false;
    step_ = -problem_->q(active_);
    llt.solveInPlace(step_);
    z_(active_) = step_;
  }
  w_ = problem_->M * z_ + problem_->q;
  return true;
}

LcpPrincipalPivoting::Outcome LcpPrincipalPivoting::pivot_blocks(double shift, int limit, int& iterations) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  int patience = exchanges_without_progress;
  for (int i = 0; i < limit; ++i, ++iterations) {
    if (!solve_active(shift)) return Outcome::singular;
    // The side on which a rounding-small value falls must not matter.
    const double zero_w = 1e-14 * (problem_->q.lpNorm<Eigen::Infinity>() + w_.lpNorm<Eigen::Infinity>());
    infeasible_.clear();
    for (int j = 0; j < z_.size(); ++j) {
      if (is_active_[j] ? z_[j] < 0 : w_[j] < -zero_w) infeasible_.push_back(j);
    }
    if (infeasible_.empty()) return Outcome::solved;
    if (infeasible_.size() < fewest) {
      fewest = infeasible_.size();
      patience = exchanges_without_progress;
    } else {
      --patience;
    }
    if (patience >= 0) {
      for (int j : infeasible_) is_active_[j] = !is_active_[j];
    } else {
      is_active_[infeasible_.back()] = !is_active_[infeasible_.back()];
    }
  }
  return Outcome::limit;
}

// Feasible descent on (1): z >= 0 throughout; the set active_ holds the indices that may move.
LcpStatus LcpPrincipalPivoting::descend(int limit, int& iterations) {
  collect_active(z_);
  const double scale_q = z_.size() > 0 ? problem_->q.lpNorm<Eigen::Infinity>() : 0;
  for (int i = 0; i < limit; ++i, ++iterations) {
    bool unbounded = false;
    while (!step_to_subspace_minimum(unbounded)) {
      if (unbounded) return LcpStatus::ray;
      ++iterations;
    }
    w_ = problem_->M * z_ + problem_->q;
    // The index with the steepest descent joins.
    int steepest = -1;
    double lowest = -1e-13 * (scale_q + w_.lpNorm<Eigen::Infinity>());
    for (int j = 0; j < z_.size(); ++j) {
      if (!is_active_[j] && w_[j] < lowest) {
        lowest = w_[j];
        steepest = j;
      }
    }
    if (steepest < 0) return LcpStatus::solved;
    is_active_[steepest] = 1;
  }
  return LcpStatus::iteration_limit;
}

// step = -M_aa^+ w_a; where w_a has a part outside the range of M_aa, minus that part, along which (1) falls without
// end.
bool LcpPrincipalPivoting::calc_step_is_endless() {
  w_ = problem_->M * z_ + problem_->q;
  block_ = problem_->M(active_, active_);
  const VecX gradient = w_(active_);
  step_ = -solve_dense_least_norm(block_, gradient, 1e-11);
  const VecX outside = gradient + block_ * step_;
  const double magnitude = problem_->q.lpNorm<Eigen::Infinity>() +
                           block_.lpNorm<Eigen::Infinity>() * (z_.lpNorm<1>() + step_.lpNorm<Eigen::Infinity>());
  if (outside.lpNorm<Eigen::Infinity>() <= 1e-10 * magnitude) return false;
  // Rounding must not block it.
  const double noise = 1e-10 * outside.lpNorm<Eigen::Infinity>();
  step_ = outside.unaryExpr([noise](double d) { return std::abs(d) > noise ? -d : 0.0; });
  return true;
}

// True when the minimum over the active coordinates is reached with z >= 0; false after a blocked or an endless step.
bool LcpPrincipalPivoting::step_to_subspace_minimum(bool& unbounded) {
  active_.clear();
  for (int i = 0; i < z_.size(); ++i) {
    if (is_active_[i]) active_.push_back(i);
  }
  if (active_.empty()) return true;
  double length = calc_step_is_endless() ? std::numeric_limits<double>::infinity() : 1.0;
  bool blocked = false;
  for (int j = 0; j < step_.size(); ++j) {
    if (step_[j] >= 0 || -z_[active_[j]] / step_[j] >= length) continue;
    length = -z_[active_[j]] / step_[j];
    blocked = true;
  }
  unbounded = std::isinf(length);
  if (unbounded) return false;
  for (int j = 0; j < step_.size(); ++j) {
    const int i = active_[j];
    const bool leaves = blocked && step_[j] < 0 && -z_[i] / step_[j] <= length;
    z_[i] = leaves ? 0 : z_[i] + length * step_[j];
    if (leaves) is_active_[i] = 0;
  }
  return !blocked;
}

LcpResult solve_lcp_principal_pivoting(const LcpProblem& problem, const LcpOptions& options,
                                       LcpPrincipalPivoting& workspace) {
  LcpResult result = workspace.solve(problem, options);
  refine_lcp(problem, result);
  update_lcp_verdict(problem, options.tolerance, result);
  return result;
}

}  // namespace stiction
