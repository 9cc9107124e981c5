#include "stiction/solvers/mlcp/mlcp_reduction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/math/dense_lu.h"

namespace stiction {
namespace {

// Relative size, after equilibration, below which a pivot counts as zero.
constexpr double rank_threshold = 1e-10;

double inverse_or_one(double value) {
  return value > 0 ? 1 / value : 1;
}

std::vector<int> permutation_head(const Eigen::VectorXi& indices, Eigen::Index count) {
  return {indices.data(), indices.data() + count};
}

std::vector<int> permutation_tail(const Eigen::VectorXi& indices, Eigen::Index from) {
  return {indices.data() + from, indices.data() + indices.size()};
}

// Rows and columns in the order in which full pivoting takes them, and the rank.
struct PivotOrder {
  Eigen::VectorXi rows, columns;
  Eigen::Index rank = 0;
};

PivotOrder find_pivot_order(const MatX& A) {
  PivotOrder order{Eigen::VectorXi::LinSpaced(A.rows(), 0, static_cast<int>(A.rows()) - 1),
                   Eigen::VectorXi::LinSpaced(A.cols(), 0, static_cast<int>(A.cols()) - 1)};
  if (A.size() == 0) return order;
  Eigen::FullPivLU<MatX> lu;
  lu.setThreshold(rank_threshold);
  lu.compute(A);
  order.rank = lu.maxPivot() > 0 ? lu.rank() : 0;
  // P A Q = L U: row P^-1(i) and column Q(i) give the i-th pivot.
  const Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic> rows = lu.permutationP().inverse();
  for (Eigen::Index i = 0; i < A.rows(); ++i) order.rows[i] = static_cast<int>(rows.indices()[i]);
  for (Eigen::Index j = 0; j < A.cols(); ++j) order.columns[j] = static_cast<int>(lu.permutationQ().indices()[j]);
  return order;
}

// Indices s for which the columns G_s and the rows H_s are both independent: greedily the largest smaller remainder
// after orthogonal projection on those chosen before.
std::vector<int> choose_partners(MatX G, MatX H) {
  std::vector<int> chosen;
  while (static_cast<Eigen::Index>(chosen.size()) < G.rows()) {
    int best = -1;
    double most = rank_threshold;
    for (int j = 0; j < G.cols(); ++j) {
      const double remainder = std::min(G.col(j).norm(), H.row(j).norm());
      if (remainder <= most) continue;
      most = remainder;
      best = j;
    }
    if (best < 0) break;
    chosen.push_back(best);
    const VecX g = G.col(best).normalized();
    const Eigen::RowVectorXd h = H.row(best).normalized();
    G -= g * (g.transpose() * G).eval();
    H -= (H * h.transpose()).eval() * h;
  }
  return chosen;
}

}  // namespace

MlcpReduction::MlcpReduction(const MlcpProblem& problem, Elimination elimination) : elimination_(elimination) {
  check_mlcp(problem);
  extend(problem);
  if (elimination == Elimination::pivot) {
    eliminate(choose_block());
  } else {
    split_free();
  }
}

// Step 1: A x + b, in the order free, bounded, multipliers.
void MlcpReduction::extend(const MlcpProblem& problem) {
  const int n = static_cast<int>(problem.q.size());
  base_ = VecX::Zero(n);
  sign_ = VecX::Ones(n);
  std::vector<int> bounded;
  for (int i = 0; i < n; ++i) {
    const bool has_lower = std::isfinite(problem.lower[i]);
    const bool has_upper = std::isfinite(problem.upper[i]);
    if (!has_lower && !has_upper) variable_.push_back(i);
    if (has_lower || has_upper) base_[i] = has_lower ? problem.lower[i] : problem.upper[i];
    if (!has_lower && has_upper) sign_[i] = -1;
    if ((has_lower || has_upper) && problem.lower[i] < problem.upper[i]) bounded.push_back(i);
  }
  free_count_ = static_cast<int>(variable_.size());
  variable_.insert(variable_.end(), bounded.begin(), bounded.end());
  const int kept = static_cast<int>(variable_.size());
  for (int j = free_count_; j < kept; ++j) {
    if (std::isfinite(problem.lower[variable_[j]]) && std::isfinite(problem.upper[variable_[j]])) boxed_.push_back(j);
  }
  const int boxes = static_cast<int>(boxed_.size());
  A_ = MatX::Zero(kept + boxes, kept + boxes);
  b_ = VecX::Zero(kept + boxes);
  const VecX offset = problem.M * base_ + problem.q;
  for (int i = 0; i < kept; ++i) {
    b_[i] = sign_[variable_[i]] * offset[variable_[i]];
    for (int j = 0; j < kept; ++j) {
      A_(i, j) = sign_[variable_[i]] * sign_[variable_[j]] * problem.M(variable_[i], variable_[j]);
    }
  }
  for (int k = 0; k < boxes; ++k) {
    const int i = variable_[boxed_[k]];
    A_(boxed_[k], kept + k) = 1;
    A_(kept + k, boxed_[k]) = -1;
    b_[kept + k] = problem.upper[i] - problem.lower[i];
    variable_.push_back(-1);
  }
}

// Step 2 and 3: rank of the free block, partners for what it leaves undetermined, the dependent rest dropped.
MlcpReduction::Block MlcpReduction::choose_block() const {
  Block block;
  const int f = free_count_;
  if (f == 0) return block;
  // Free rows and columns may be scaled by anything; the equilibration looks at all their entries.
  MatX scaled = A_;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < f; ++i) {
      scaled.row(i) *= inverse_or_one(scaled.row(i).lpNorm<Eigen::Infinity>());
      scaled.col(i) *= inverse_or_one(scaled.col(i).lpNorm<Eigen::Infinity>());
    }
  }
  const PivotOrder order = find_pivot_order(scaled.topLeftCorner(f, f));
  block.rows = permutation_head(order.rows, order.rank);
  block.columns = permutation_head(order.columns, order.rank);
  if (order.rank == f) return block;
  // G: the undetermined free rows on the bounded variables; H: the bounded rows on the undetermined free variables.
  const std::vector<int> other_rows = permutation_tail(order.rows, order.rank);
  const std::vector<int> other_columns = permutation_tail(order.columns, order.rank);
  std::vector<int> bounded(static_cast<std::size_t>(A_.rows() - f));
  std::iota(bounded.begin(), bounded.end(), f);
  MatX G = scaled(other_rows, bounded);
  MatX H = scaled(bounded, other_columns);
  if (order.rank > 0) {
    const DenseLu lu(scaled(block.rows, block.columns));
    G -= scaled(other_rows, block.columns) * lu.solve(MatX(scaled(block.rows, bounded)));
    H -= scaled(bounded, block.columns) * lu.solve(MatX(scaled(block.rows, other_columns)));
  }
  const std::vector<int> partners = choose_partners(G, H);
  const auto t = static_cast<Eigen::Index>(partners.size());
  const PivotOrder rows = find_pivot_order(G(Eigen::all, partners));
  const PivotOrder columns = find_pivot_order(H(partners, Eigen::all));
  for (Eigen::Index i = 0; i < t; ++i) {
    block.rows.push_back(other_rows[rows.rows[i]]);
    block.columns.push_back(other_columns[columns.columns[i]]);
    block.exchanged.push_back(f + partners[i]);
  }
  block.rows.insert(block.rows.end(), block.exchanged.begin(), block.exchanged.end());
  block.columns.insert(block.columns.end(), block.exchanged.begin(), block.exchanged.end());
  return block;
}

// Equation (2) into the rows that are left. y holds x outside the block and u_s at the places of s.
void MlcpReduction::eliminate(const Block& block) {
  const int size = static_cast<int>(A_.rows());
  const int bounded = size - free_count_;
  pivot_columns_ = block.columns;
  exchanged_ = block.exchanged;
  rest_.clear();
  for (int i = free_count_; i < size; ++i) {
    if (std::find(exchanged_.begin(), exchanged_.end(), i) == exchanged_.end()) rest_.push_back(i);
  }
  // Right-hand sides: -A_b,rest for x_rest, unit columns for u_s, -b_b.
  const auto k = static_cast<Eigen::Index>(block.rows.size());
  MatX rhs = MatX::Zero(k, bounded + 1);
  for (int j : rest_) rhs.col(j - free_count_) = -A_(block.rows, j);
  for (std::size_t j = 0; j < exchanged_.size(); ++j) {
    rhs(k - static_cast<Eigen::Index>(exchanged_.size()) + static_cast<Eigen::Index>(j), exchanged_[j] - free_count_) =
        1;
  }
  rhs.col(bounded) = -b_(block.rows);
  if (k > 0) {
    const MatX pivot = A_(block.rows, block.columns);
    const Eigen::FullPivLU<MatX> lu(pivot);
    MatX solution = lu.solve(rhs);
    solution += lu.solve(rhs - pivot * solution);
    rhs = solution;
  }
  back_ = rhs.leftCols(bounded);
  back_offset_ = rhs.col(bounded);
  // u_rest = A_rest,b x_b + A_rest,rest x_rest + b_rest;  x_s comes straight from (2).
  lcp_.M = MatX::Zero(bounded, bounded);
  lcp_.q = VecX::Zero(bounded);
  for (int i : rest_) {
    const int row = i - free_count_;
    for (int j : rest_) lcp_.M(row, j - free_count_) = A_(i, j);
    lcp_.q[row] = b_[i];
    if (k == 0) continue;
    const Eigen::RowVectorXd coupling = A_(i, block.columns);
    lcp_.M.row(row) += coupling * back_;
    lcp_.q[row] += coupling.dot(back_offset_);
  }
  for (std::size_t j = 0; j < exchanged_.size(); ++j) {
    const Eigen::Index from = k - static_cast<Eigen::Index>(exchanged_.size()) + static_cast<Eigen::Index>(j);
    lcp_.M.row(exchanged_[j] - free_count_) = back_.row(from);
    lcp_.q[exchanged_[j] - free_count_] = back_offset_[from];
  }
}

// x_free = x+ - x-: rows (A x + b)_free >= 0 and <= 0.
void MlcpReduction::split_free() {
  const auto size = A_.rows();
  const auto f = static_cast<Eigen::Index>(free_count_);
  lcp_.M.resize(size + f, size + f);
  lcp_.M.topLeftCorner(size, size) = A_;
  lcp_.M.topRightCorner(size, f) = -A_.leftCols(f);
  lcp_.M.bottomLeftCorner(f, size) = -A_.topRows(f);
  lcp_.M.bottomRightCorner(f, f) = A_.topLeftCorner(f, f);
  lcp_.q.resize(size + f);
  lcp_.q << b_, -b_.head(f);
}

VecX MlcpReduction::bounded_covering() const {
  const auto multipliers = static_cast<Eigen::Index>(boxed_.size());
  if (elimination_ == Elimination::split || !exchanged_.empty() || multipliers == 0) return {};
  if (lcp_.q.size() != 2 * multipliers) return {};
  VecX covering = VecX::Ones(lcp_.q.size());
  covering.tail(multipliers).setZero();
  return covering;
}

VecX MlcpReduction::recover(const VecX& y) const {
  const auto size = A_.rows();
  VecX x = VecX::Zero(size);
  if (elimination_ == Elimination::split) {
    x = y.head(size);
    x.head(free_count_) -= y.tail(free_count_);
  } else {
    for (int i : rest_) x[i] = y[i - free_count_];
    if (!pivot_columns_.empty()) x(pivot_columns_) = back_ * y + back_offset_;
  }
  VecX z = base_;
  for (Eigen::Index i = 0; i < size; ++i) {
    if (variable_[i] >= 0) z[variable_[i]] += sign_[variable_[i]] * x[i];
  }
  return z;
}

VecX MlcpReduction::translate_guess(const VecX& z) const {
  const auto size = A_.rows();
  VecX x = VecX::Zero(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    if (variable_[i] >= 0) x[i] = sign_[variable_[i]] * (z[variable_[i]] - base_[variable_[i]]);
  }
  // A multiplier is active where its x is at the upper bound.
  const auto kept = size - static_cast<Eigen::Index>(boxed_.size());
  for (std::size_t k = 0; k < boxed_.size(); ++k) {
    const auto v = kept + static_cast<Eigen::Index>(k);
    if (x[boxed_[k]] >= b_[v]) x[v] = 1;
  }
  if (elimination_ == Elimination::split) {
    VecX y(size + free_count_);
    y << x.cwiseMax(0.0), (-x.head(free_count_)).cwiseMax(0.0);
    return y;
  }
  VecX y = x.tail(size - free_count_);
  for (int i : exchanged_) y[i - free_count_] = x[i] > 0 ? 0 : 1;
  return y;
}

}  // namespace stiction
