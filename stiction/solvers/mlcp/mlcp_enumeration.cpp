#include "stiction/solvers/mlcp/mlcp_enumeration.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/base/infinity.h"
#include "stiction/math/dense_least_norm.h"
#include "stiction/math/dense_lu.h"

namespace stiction {
namespace {

enum class Side { lower, upper, inside };

std::vector<Side> list_sides(double lower, double upper) {
  std::vector<Side> sides;
  if (std::isfinite(lower)) sides.push_back(Side::lower);
  if (std::isfinite(upper)) sides.push_back(Side::upper);
  if (lower < upper) sides.push_back(Side::inside);
  return sides;
}

// A x = b with bounds on x: one unknown a row, z_i or w_i.
struct Cone {
  MatX A;
  VecX b, lower, upper;
};

void fill_cone(const MlcpProblem& problem, const std::vector<Side>& sides, Cone& cone) {
  cone.b = -problem.q;
  for (int i = 0; i < problem.q.size(); ++i) {
    if (sides[i] == Side::inside) {
      cone.A.col(i) = problem.M.col(i);
      cone.lower[i] = problem.lower[i];
      cone.upper[i] = problem.upper[i];
      continue;
    }
    const bool at_lower = sides[i] == Side::lower;
    const bool fixed = problem.lower[i] == problem.upper[i];
    cone.A.col(i).setZero();
    cone.A(i, i) = -1;
    cone.lower[i] = at_lower && !fixed ? 0 : -infinity;
    cone.upper[i] = at_lower || fixed ? infinity : 0;
    cone.b -= problem.M.col(i) * (at_lower ? problem.lower[i] : problem.upper[i]);
  }
}

// Bounded least squares by active sets: min |A x - b| with lower <= x <= upper. Indices leave their bounds by steepest
// descent and return when a step is blocked; finite because |A x - b| falls strictly between sets.
class BoundedLeastSquares {
 public:
  const VecX& solve(const Cone& cone) {
    cone_ = &cone;
    const auto n = cone.b.size();
    x_ = VecX::Zero(n).cwiseMax(cone.lower).cwiseMin(cone.upper);
    is_free_.assign(static_cast<std::size_t>(n), 0);
    for (int i = 0; i < n; ++i) is_free_[i] = std::isinf(cone.lower[i]) && std::isinf(cone.upper[i]);
    for (int round = 0; round < 10 * n + 10; ++round) {
      for (int inner = 0; inner <= n && !step(); ++inner) continue;
      if (!release()) break;
    }
    return x_;
  }

 private:
  // Towards the minimum over the free indices; false if a bound blocks, whose index is then fixed.
  bool step() {
    free_.clear();
    for (int i = 0; i < x_.size(); ++i) {
      if (is_free_[i]) free_.push_back(i);
    }
    if (free_.empty()) return true;
    const MatX columns = cone_->A(Eigen::all, free_);
    const VecX dx = solve_dense_least_norm(columns, cone_->b - cone_->A * x_);
    double length = 1;
    int blocking = -1;
    for (int j = 0; j < dx.size(); ++j) {
      const int i = free_[j];
      const double room = dx[j] < 0 ? cone_->lower[i] - x_[i] : cone_->upper[i] - x_[i];
      if (dx[j] == 0 || room / dx[j] >= length) continue;
      length = std::max(room / dx[j], 0.0);
      blocking = i;
    }
    for (int j = 0; j < dx.size(); ++j) x_[free_[j]] += length * dx[j];
    if (blocking < 0) return true;
    x_ = x_.cwiseMax(cone_->lower).cwiseMin(cone_->upper);
    is_free_[blocking] = 0;
    return false;
  }

  bool release() {
    const VecX descent = cone_->A.transpose() * (cone_->b - cone_->A * x_);
    int steepest = -1;
    double most = 1e-14 * (1 + cone_->A.lpNorm<Eigen::Infinity>() * cone_->b.lpNorm<Eigen::Infinity>());
    for (int i = 0; i < x_.size(); ++i) {
      const bool can_move = descent[i] > 0 ? x_[i] < cone_->upper[i] : x_[i] > cone_->lower[i];
      if (is_free_[i] || !can_move || std::abs(descent[i]) <= most) continue;
      most = std::abs(descent[i]);
      steepest = i;
    }
    if (steepest >= 0) is_free_[steepest] = 1;
    return steepest >= 0;
  }

  const Cone* cone_ = nullptr;
  VecX x_;
  std::vector<char> is_free_;
  std::vector<int> free_;
};

// 1 / the largest entry of each row, 1 where all are 0.
VecX calc_row_scales(const MatX& A) {
  const VecX largest = A.cwiseAbs().rowwise().maxCoeff();
  return (largest.array() > 0).select(largest.cwiseInverse(), 1.0);
}

// x of A x = b, rows and columns brought to one size: by LU if that is regular, else empty.
VecX solve_if_regular(const Cone& cone) {
  const VecX rows = calc_row_scales(cone.A);
  MatX scaled = rows.asDiagonal() * cone.A;
  const VecX columns = calc_row_scales(scaled.transpose());
  scaled *= columns.asDiagonal();
  const DenseLu lu(scaled);
  if (!lu.is_regular(1e-12)) return {};
  return columns.cwiseProduct(lu.solve(VecX(rows.cwiseProduct(cone.b))));
}

// Whether x, put within its bounds, solves the equations of the cone as far as doubles can tell: each row to 1e-10 of
// the size of its terms, or beyond what doubles can hold. Such a cone proves nothing.
bool may_hold_solution(const Cone& cone, const VecX& x) {
  const VecX inside = x.cwiseMax(cone.lower).cwiseMin(cone.upper);
  const VecX error = (cone.A * inside - cone.b).cwiseAbs();
  const VecX size = cone.A.cwiseAbs() * inside.cwiseAbs() + cone.b.cwiseAbs();
  if (!x.allFinite() || !size.allFinite() || !error.allFinite()) return true;
  return (error.array() <= 1e-10 * size.array()).all();
}

// 2^16 cones, fewer above 16 rows, where each is dearer: what a second or so is enough for.
int calc_own_limit(Eigen::Index n) {
  constexpr double most = 1 << 16, least = 1 << 12;
  const double ratio = 16.0 / static_cast<double>(std::max<Eigen::Index>(n, 16));
  return static_cast<int>(std::max(least, most * ratio * ratio * ratio));
}

// Like an odometer; false after the last combination.
bool next_combination(const std::vector<std::vector<Side>>& choices, std::vector<std::size_t>& digits) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (++digits[i] < choices[i].size()) return true;
    digits[i] = 0;
  }
  return false;
}

}  // namespace

double count_cones(const MlcpProblem& problem) {
  double count = 1;
  for (Eigen::Index i = 0; i < problem.q.size(); ++i) {
    count *= static_cast<double>(list_sides(problem.lower[i], problem.upper[i]).size());
  }
  return count;
}

LcpResult solve_mlcp_enumeration(const MlcpProblem& problem, const LcpOptions& options) {
  check_mlcp(problem);
  const auto n = problem.q.size();
  const int limit = options.max_iterations > 0 ? options.max_iterations : calc_own_limit(n);
  std::vector<std::vector<Side>> choices;
  for (Eigen::Index i = 0; i < n; ++i) choices.push_back(list_sides(problem.lower[i], problem.upper[i]));
  std::vector<std::size_t> digits(choices.size(), 0);
  std::vector<Side> sides(choices.size());
  Cone cone{MatX(n, n), VecX(n), VecX(n), VecX(n)};
  BoundedLeastSquares least_squares;
  LcpResult best, trial;
  bool proven = true;
  best.residual = infinity;
  best.z = VecX::Zero(n).cwiseMax(problem.lower).cwiseMin(problem.upper);
  do {
    if (best.iterations == limit) {
      best.status = LcpStatus::iteration_limit;
      return best;
    }
    ++best.iterations;
    for (std::size_t i = 0; i < sides.size(); ++i) sides[i] = choices[i][digits[i]];
    fill_cone(problem, sides, cone);
    VecX x;
    if (n > 0) {
      x = solve_if_regular(cone);
      if (x.size() == 0) x = least_squares.solve(cone);
    }
    // z of the cone, clamped to its bounds; the residual tells whether it is a solution.
    trial.z.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double at_bound = sides[i] == Side::lower ? problem.lower[i] : problem.upper[i];
      trial.z[i] = sides[i] == Side::inside ? std::clamp(x[i], cone.lower[i], cone.upper[i]) : at_bound;
    }
    update_mlcp_verdict(problem, options.tolerance, trial);
    proven = proven && !may_hold_solution(cone, x);
    if (!(trial.residual < best.residual) && trial.status != LcpStatus::solved) continue;
    best.z = trial.z;
    best.residual = trial.residual;
    if (trial.status == LcpStatus::solved) {
      best.status = LcpStatus::solved;
      return best;
    }
  } while (next_combination(choices, digits));
  best.status = proven ? LcpStatus::no_solution : LcpStatus::stalled;
  return best;
}

}  // namespace stiction
