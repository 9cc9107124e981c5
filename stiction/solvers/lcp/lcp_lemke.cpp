#include "stiction/solvers/lcp/lcp_lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// Rates below this part of the largest one are rounding.
constexpr double rate_threshold = 1e-10;
// Values closer to zero than this part of the largest one are tied.
constexpr double tie_threshold = 1e-12;
// Of tied candidates, pivots below this part of the largest are not taken: they would spoil the kernel.
constexpr double smallest_tied_pivot = 1e-7;
// Pivots between two measurements of the accuracy, and the loss that asks for a new factorisation.
constexpr int pivots_between_checks = 12;
constexpr double largest_loss = 1e-10;

// Lemke's path may visit exponentially many bases (Murty 1978): small problems may go all the way.
int default_limit(int n) {
  return n <= 20 ? (1 << (n + 1)) + 100 : 5000 + 100 * n;
}

}  // namespace

LcpResult LcpLemke::solve(const LcpProblem& problem, const LcpOptions& options, const VecX* covering) {
  check_lcp(problem);
  resize(problem);
  const int limit = options.max_iterations > 0 ? options.max_iterations : default_limit(n_);
  LcpResult result;
  result.status = LcpStatus::stalled;
  for (const bool warm : {true, false}) {
    if (warm && options.start == nullptr) continue;
    const Start start = warm ? start_warm(*options.start) : start_cold(covering);
    if (start == Start::singular) continue;
    result.status = start == Start::at_solution ? LcpStatus::solved : pivot_until_done(limit, result.iterations);
    extract_solution();
    result.z = z_;
    update_lcp_verdict(problem, options.tolerance, result);
    if (result.status == LcpStatus::solved) break;
  }
  if (result.z.size() != n_) result.z = VecX::Zero(n_);
  update_lcp_verdict(problem, options.tolerance, result);
  return result;
}

void LcpLemke::resize(const LcpProblem& problem) {
  problem_ = &problem;
  largest_M_ = problem.M.size() > 0 ? problem.M.lpNorm<Eigen::Infinity>() : 0;
  largest_q_ = problem.q.size() > 0 ? problem.q.lpNorm<Eigen::Infinity>() : 0;
  const int n = static_cast<int>(problem.q.size());
  if (n == n_ && d_.size() == n) return;
  n_ = n;
  for (VecX* v : {&d_, &w_, &dw_, &z_, &dependence_, &best_dependence_}) v->resize(n);
  for (VecX* v : {&x_, &dx_}) v->resize(n + 1);
}

LcpLemke::Start LcpLemke::start_cold(const VecX* covering) {
  STICTION_CHECK(covering == nullptr || covering->size() == n_);
  if (covering != nullptr) {
    d_ = *covering;
  } else {
    d_.setOnes();
  }
  basis_.reset(problem_->M, d_);
  w_ = problem_->q;
  return enter_artificial();
}

LcpLemke::Start LcpLemke::start_warm(const VecX& guess) {
  STICTION_CHECK(guess.size() == n_);
  rows_.clear();
  for (int i = 0; i < n_; ++i) {
    if (guess[i] > 0) rows_.push_back(i);
  }
  // d = B 1: unit columns of the basic w, -M of the basic z.
  d_.setOnes();
  for (int i : rows_) d_[i] = 0;
  for (int i : rows_) d_ -= problem_->M.col(i);
  basis_.reset(problem_->M, d_);
  if (!basis_.factorise(rows_, rows_)) return Start::singular;
  recompute_values();
  return enter_artificial();
}

// z0 enters a complementary basis at the value that makes every basic variable nonnegative; the last to become so
// leaves. Of equal ones the last index: the lexicographic minimum of e_i / d_i.
LcpLemke::Start LcpLemke::enter_artificial() {
  dw_ = d_;
  const int k = basis_.size();
  basis_.solve(d_, dx_);
  dx_.head(k) *= -1;
  basis_.add_product(dx_, dw_);
  double lowest = 0;
  Candidate leaving;
  for (int i = 0; i < n_; ++i) {
    const int p = basis_.column_position(i);
    const double value = p >= 0 ? x_[p] : w_[i];
    const double rate = p >= 0 ? dx_[p] : dw_[i];
    if (value >= 0 || !(rate > 0) || value / rate > lowest) continue;
    lowest = value / rate;
    leaving = {i, p >= 0, value, rate};
  }
  if (leaving.variable < 0) return Start::at_solution;
  const bool replaced = leaving.is_z ? basis_.replace_column(leaving.variable, n_) : basis_.grow(leaving.variable, n_);
  if (!replaced && !basis_.refactorise()) return Start::singular;
  recompute_values();
  driving_ = leaving.variable;
  driving_left_z_ = leaving.is_z;
  return Start::ready;
}

LcpStatus LcpLemke::pivot_until_done(int limit, int& iterations) {
  bool fresh = true;
  for (int pivots = 0; pivots < limit; ++pivots, ++iterations) {
    if (pivots % pivots_between_checks == pivots_between_checks - 1 && !keep_accurate()) return LcpStatus::stalled;
    const int entering = driving_;
    const bool entering_is_z = !driving_left_z_;
    calc_direction(entering, entering_is_z);
    Candidate leaving;
    double step = 0;
    if (!find_leaving(entering_is_z, leaving, step)) {
      // A ray is believed only of a fresh factorisation.
      if (fresh) return LcpStatus::ray;
      if (!renew()) return LcpStatus::stalled;
      fresh = true;
      continue;
    }
    const int k = basis_.size();
    x_.head(k) += step * dx_.head(k);
    w_ += step * dw_;
    if (!exchange(entering, entering_is_z, leaving, step) && !renew()) return LcpStatus::stalled;
    fresh = false;
    driving_ = leaving.variable;
    driving_left_z_ = leaving.is_z;
    if (leaving.variable == n_) {
      ++iterations;
      recompute_values();
      return LcpStatus::solved;
    }
  }
  return LcpStatus::iteration_limit;
}

// Rates of the basic variables when the entering one grows at rate one, from K x = -q_R.
void LcpLemke::calc_direction(int entering, bool entering_is_z) {
  if (entering_is_z) {
    dw_ = problem_->M.col(entering);
    basis_.solve(dw_, dx_);
    dx_.head(basis_.size()) *= -1;
  } else {
    dw_.setZero();
    basis_.solve_unit(entering, dx_);
  }
  basis_.add_product(dx_, dw_);
}

bool LcpLemke::find_leaving(bool entering_is_z, Candidate& leaving, double& step) {
  collect_candidates(entering_is_z);
  if (candidates_.empty()) return false;
  step = std::numeric_limits<double>::infinity();
  for (const Candidate& c : candidates_) step = std::min(step, std::max(c.value, 0.0) / c.rate);
  if (!std::isfinite(step)) return false;
  collect_tied(step);
  leaving = break_tie();
  step = std::max(leaving.value, 0.0) / leaving.rate;
  return true;
}

void LcpLemke::collect_candidates(bool entering_is_z) {
  const int k = basis_.size();
  const double largest_dx = std::max(dx_.head(k).lpNorm<Eigen::Infinity>(), entering_is_z ? 1.0 : 0.0);
  const double least_dx = rate_threshold * largest_dx;
  const double least_dw = rate_threshold * std::max(largest_M_ * largest_dx, entering_is_z ? 0.0 : 1.0);
  candidates_.clear();
  for (int j = 0; j < k; ++j) {
    if (dx_[j] < -least_dx) candidates_.push_back({basis_.columns()[j], true, x_[j], -dx_[j]});
  }
  for (int i = 0; i < n_; ++i) {
    if (dw_[i] < -least_dw && basis_.row_position(i) < 0) candidates_.push_back({i, false, w_[i], -dw_[i]});
  }
}

// All candidates that are zero to rounding after the step, those with the smallest ratio in any case; of them, those
// with a pivot worth dividing by.
void LcpLemke::collect_tied(double step) {
  const double largest_x = x_.head(basis_.size()).lpNorm<Eigen::Infinity>();
  const double zero_x = tie_threshold * largest_x;
  const double zero_w = tie_threshold * (largest_q_ + largest_M_ * largest_x);
  tied_.clear();
  for (const Candidate& c : candidates_) {
    const bool is_first = std::max(c.value, 0.0) / c.rate <= step;
    if (is_first || c.value - step * c.rate <= (c.is_z ? zero_x : zero_w)) tied_.push_back(c);
  }
  double largest_rate = 0;
  for (const Candidate& c : tied_) largest_rate = std::max(largest_rate, c.rate);
  std::erase_if(tied_, [&](const Candidate& c) { return c.rate < smallest_tied_pivot * largest_rate; });
}

LcpLemke::Candidate LcpLemke::break_tie() {
  if (tied_.size() == 1) return tied_.front();
  for (const Candidate& c : tied_) {
    if (c.variable == n_) return c;
  }
  // Lexicographic minimum of (row of B^-1) / rate.
  Candidate best;
  for (const Candidate& c : tied_) {
    if (c.is_z) {
      basis_.calc_column_dependence(basis_.column_position(c.variable), dependence_);
    } else {
      basis_.calc_row_dependence(c.variable, dependence_);
    }
    dependence_ /= c.rate;
    if (best.variable < 0 || is_lexicographically_less(dependence_, best_dependence_)) {
      best = c;
      best_dependence_.swap(dependence_);
    }
  }
  return best;
}

bool LcpLemke::is_lexicographically_less(const VecX& a, const VecX& b) const {
  const double threshold = 1e-11 * std::max(a.lpNorm<Eigen::Infinity>(), b.lpNorm<Eigen::Infinity>());
  for (int i = 0; i < n_; ++i) {
    if (std::abs(a[i] - b[i]) > threshold) return a[i] < b[i];
  }
  return false;
}

bool LcpLemke::exchange(int entering, bool entering_is_z, const Candidate& leaving, double step) {
  const int last = basis_.size() - 1;
  if (entering_is_z && leaving.is_z) {
    x_[basis_.column_position(leaving.variable)] = step;
    return basis_.replace_column(leaving.variable, entering);
  }
  if (entering_is_z) {
    w_[leaving.variable] = 0;
    x_[last + 1] = step;
    return basis_.grow(leaving.variable, entering);
  }
  w_[entering] = step;
  if (leaving.is_z) {
    x_[basis_.column_position(leaving.variable)] = x_[last];
    return basis_.shrink(entering, leaving.variable);
  }
  w_[leaving.variable] = 0;
  return basis_.replace_row(entering, leaving.variable);
}

void LcpLemke::recompute_values() {
  const int k = basis_.size();
  basis_.solve(problem_->q, x_);
  x_.head(k) *= -1;
  w_ = problem_->q;
  basis_.add_product(x_, w_);
}

bool LcpLemke::renew() {
  if (!basis_.refactorise()) return false;
  recompute_values();
  return true;
}

// The rows of the kernel must be zero: what is left there measures the inverse, and corrects x.
bool LcpLemke::keep_accurate() {
  const int k = basis_.size();
  w_ = problem_->q;
  basis_.add_product(x_, w_);
  double loss = 0;
  for (int row : basis_.rows()) loss = std::max(loss, std::abs(w_[row]));
  if (loss > largest_loss * (largest_q_ + largest_M_ * x_.head(k).lpNorm<Eigen::Infinity>())) return renew();
  basis_.solve(w_, dx_);
  dx_.head(k) *= -1;
  x_.head(k) += dx_.head(k);
  basis_.add_product(dx_, w_);
  return true;
}

void LcpLemke::extract_solution() {
  z_.setZero();
  for (int j = 0; j < basis_.size(); ++j) {
    if (basis_.columns()[j] < n_) z_[basis_.columns()[j]] = std::max(x_[j], 0.0);
  }
}

LcpResult solve_lcp_lemke(const LcpProblem& problem, const LcpOptions& options, LcpLemke& workspace) {
  LcpResult result = workspace.solve(problem, options);
  refine_lcp(problem, result);
  update_lcp_verdict(problem, options.tolerance, result);
  return result;
}

}  // namespace stiction
