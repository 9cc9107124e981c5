#include "stiction/math/pivoted_cholesky.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "stiction/base/check.h"

namespace stiction {

void PivotedCholesky::resize(int size) {
  size_ = size;
  L_.resize(size, size);
  scale_.resize(size);
  y_.resize(size);
  order_.resize(static_cast<std::size_t>(size));
}

void PivotedCholesky::load_scaled(const Eigen::Ref<const MatX>& A) {
  for (int i = 0; i < size_; ++i) scale_[i] = A(i, i) > 0 && std::isfinite(A(i, i)) ? 1 / std::sqrt(A(i, i)) : 0;
  for (int j = 0; j < size_; ++j) {
    L_(j, j) = scale_[j] > 0 ? 1 : 0;
    for (int i = j + 1; i < size_; ++i) L_(i, j) = A(i, j) * scale_[i] * scale_[j];
  }
}

int PivotedCholesky::factorize(const Eigen::Ref<const MatX>& A, double tolerance) {
  STICTION_DCHECK(A.rows() == A.cols());
  if (A.rows() != size_) resize(static_cast<int>(A.rows()));
  load_scaled(A);
  std::iota(order_.begin(), order_.end(), 0);
  dropped_pivot_ = 0;
  for (rank_ = 0; rank_ < size_; ++rank_) {
    Eigen::Index offset = 0;
    const double pivot = L_.diagonal().tail(size_ - rank_).maxCoeff(&offset);
    // Not "pivot <= tolerance": a pivot that is not a number ends the factorisation too.
    if (!(pivot > tolerance)) {
      dropped_pivot_ = pivot;
      break;
    }
    swap_unknowns(rank_, rank_ + static_cast<int>(offset));
    eliminate(rank_);
  }
  return rank_;
}

void PivotedCholesky::swap_unknowns(int k, int p) {
  if (p == k) return;
  // Rows and columns k and p of the lower triangle change places.
  for (int j = 0; j < k; ++j) std::swap(L_(k, j), L_(p, j));
  for (int i = k + 1; i < p; ++i) std::swap(L_(i, k), L_(p, i));
  for (int i = p + 1; i < size_; ++i) std::swap(L_(i, k), L_(i, p));
  std::swap(L_(k, k), L_(p, p));
  std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(p)]);
}

void PivotedCholesky::eliminate(int k) {
  const double root = std::sqrt(L_(k, k));
  L_(k, k) = root;
  const int rest = size_ - k - 1;
  L_.col(k).tail(rest) /= root;
  // Schur complement of the pivot, lower triangle.
  for (int j = k + 1; j < size_; ++j) L_.col(j).tail(size_ - j) -= L_(j, k) * L_.col(k).tail(size_ - j);
}

void PivotedCholesky::solve_in_place(Eigen::Ref<VecX> x) {
  STICTION_DCHECK(x.size() == size_);
  const auto unknown = [this](int k) { return order_[static_cast<std::size_t>(k)]; };
  for (int k = 0; k < rank_; ++k) y_[k] = scale_[unknown(k)] * x[unknown(k)];
  // L y = b, column by column.
  for (int k = 0; k < rank_; ++k) {
    y_[k] /= L_(k, k);
    y_.segment(k + 1, rank_ - k - 1) -= y_[k] * L_.col(k).segment(k + 1, rank_ - k - 1);
  }
  // L' x = y, row by row from the end.
  for (int k = rank_ - 1; k >= 0; --k) {
    const int rest = rank_ - k - 1;
    y_[k] = (y_[k] - L_.col(k).segment(k + 1, rest).dot(y_.segment(k + 1, rest))) / L_(k, k);
  }
  x.setZero();
  for (int k = 0; k < rank_; ++k) x[unknown(k)] = scale_[unknown(k)] * y_[k];
}

}  // namespace stiction
