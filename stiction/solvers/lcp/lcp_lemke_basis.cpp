#include "stiction/solvers/lcp/lcp_lemke_basis.h"

#include <cmath>

#include "stiction/math/dense_lu.h"

namespace stiction {
namespace {

// A pivot this small against the largest entry of its row or column is rounding, not information.
constexpr double smallest_pivot = 1e-13;

bool is_usable(double pivot, double largest) {
  return std::isfinite(pivot) && std::abs(pivot) > smallest_pivot * largest;
}

}  // namespace

void LcpLemkeBasis::reset(const MatX& M, const VecX& d) {
  M_ = &M;
  d_ = &d;
  const auto n = M.rows();
  if (inverse_.rows() != n + 1) {
    inverse_.resize(n + 1, n + 1);
    gathered_.resize(n + 1);
    row_factor_.resize(n + 1);
    column_factor_.resize(n + 1);
  }
  rows_.clear();
  columns_.clear();
  row_position_.assign(static_cast<std::size_t>(n), -1);
  column_position_.assign(static_cast<std::size_t>(n) + 1, -1);
}

double LcpLemkeBasis::entry(int row, int column) const {
  return column == M_->cols() ? (*d_)[row] : (*M_)(row, column);
}

bool LcpLemkeBasis::factorise(const std::vector<int>& rows, const std::vector<int>& columns) {
  for (int row : rows_) row_position_[row] = -1;
  for (int column : columns_) column_position_[column] = -1;
  rows_ = rows;
  columns_ = columns;
  for (int i = 0; i < size(); ++i) {
    row_position_[rows_[i]] = i;
    column_position_[columns_[i]] = i;
  }
  return refactorise();
}

bool LcpLemkeBasis::refactorise() {
  const int k = size();
  if (k == 0) return true;
  kernel_.resize(k, k);
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < k; ++i) {
      kernel_(i, j) = entry(rows_[i], columns_[j]);
    }
  }
  const DenseLu lu(kernel_);
  if (!lu.is_regular(1e-15)) return false;
  inverse_.topLeftCorner(k, k) = lu.calc_inverse();
  return inverse_.topLeftCorner(k, k).allFinite();
}

void LcpLemkeBasis::solve(const VecX& b, VecX& x) const {
  const int k = size();
  for (int i = 0; i < k; ++i) gathered_[i] = b[rows_[i]];
  x.head(k).noalias() = inverse_.topLeftCorner(k, k) * gathered_.head(k);
}

void LcpLemkeBasis::solve_unit(int row, VecX& x) const {
  x.head(size()) = inverse_.col(row_position(row)).head(size());
}

void LcpLemkeBasis::add_product(const VecX& x, VecX& y) const {
  for (int j = 0; j < size(); ++j) {
    const int column = columns_[j];
    if (column == M_->cols()) {
      y += x[j] * *d_;
    } else {
      y += x[j] * M_->col(column);
    }
  }
}

void LcpLemkeBasis::calc_column_dependence(int position, VecX& dependence) const {
  dependence.setZero();
  for (int i = 0; i < size(); ++i) dependence[rows_[i]] = -inverse_(position, i);
}

void LcpLemkeBasis::calc_row_dependence(int row, VecX& dependence) {
  dependence.setZero();
  multiply_row(row, row_factor_);
  for (int i = 0; i < size(); ++i) dependence[rows_[i]] = -row_factor_[i];
  dependence[row] += 1;
}

void LcpLemkeBasis::gather_column(int column, VecX& out) const {
  for (int i = 0; i < size(); ++i) out[i] = entry(rows_[i], column);
}

// out' = [M_row,C d_row] K^-1
void LcpLemkeBasis::multiply_row(int row, VecX& out) const {
  const int k = size();
  for (int j = 0; j < k; ++j) gathered_[j] = entry(row, columns_[j]);
  out.head(k).noalias() = inverse_.topLeftCorner(k, k).transpose() * gathered_.head(k);
}

bool LcpLemkeBasis::replace_column(int old_column, int new_column) {
  const int k = size();
  const int p = column_position(old_column);
  gather_column(new_column, gathered_);
  column_factor_.head(k).noalias() = inverse_.topLeftCorner(k, k) * gathered_.head(k);
  columns_[p] = new_column;
  column_position_[old_column] = -1;
  column_position_[new_column] = p;
  // Product form: row p is divided by the pivot and subtracted from the others.
  const double pivot = column_factor_[p];
  if (!is_usable(pivot, column_factor_.head(k).cwiseAbs().maxCoeff())) return false;
  column_factor_[p] = 0;
  row_factor_.head(k) = inverse_.row(p).head(k).transpose() / pivot;
  inverse_.topLeftCorner(k, k).noalias() -= column_factor_.head(k) * row_factor_.head(k).transpose();
  inverse_.row(p).head(k) = row_factor_.head(k).transpose();
  return true;
}

bool LcpLemkeBasis::replace_row(int old_row, int new_row) {
  const int k = size();
  const int s = row_position(old_row);
  multiply_row(new_row, row_factor_);
  rows_[s] = new_row;
  row_position_[old_row] = -1;
  row_position_[new_row] = s;
  const double pivot = row_factor_[s];
  if (!is_usable(pivot, row_factor_.head(k).cwiseAbs().maxCoeff())) return false;
  row_factor_[s] = 0;
  column_factor_.head(k) = inverse_.col(s).head(k) / pivot;
  inverse_.topLeftCorner(k, k).noalias() -= column_factor_.head(k) * row_factor_.head(k).transpose();
  inverse_.col(s).head(k) = column_factor_.head(k);
  return true;
}

bool LcpLemkeBasis::grow(int row, int column) {
  const int k = size();
  gather_column(column, gathered_);
  column_factor_.head(k).noalias() = inverse_.topLeftCorner(k, k) * gathered_.head(k);
  multiply_row(row, row_factor_);
  // Schur complement of the old kernel; multiply_row left [M_row,C d_row] in gathered_.
  const double corner = entry(row, column);
  const double schur = corner - gathered_.head(k).dot(column_factor_.head(k));
  const double largest = std::abs(corner) + gathered_.head(k).cwiseAbs().dot(column_factor_.head(k).cwiseAbs());
  rows_.push_back(row);
  columns_.push_back(column);
  row_position_[row] = k;
  column_position_[column] = k;
  if (!is_usable(schur, largest)) return false;
  row_factor_.head(k) /= -schur;
  inverse_.topLeftCorner(k, k).noalias() -= column_factor_.head(k) * row_factor_.head(k).transpose();
  inverse_.row(k).head(k) = row_factor_.head(k).transpose();
  inverse_.col(k).head(k) = column_factor_.head(k) / -schur;
  inverse_(k, k) = 1 / schur;
  return true;
}

bool LcpLemkeBasis::shrink(int row, int column) {
  const int last = size() - 1;
  const int s = row_position(row);
  const int p = column_position(column);
  // Move the leaving row and column to the end.
  const int moved_row = rows_[last];
  const int moved_column = columns_[last];
  if (p != last) inverse_.row(p).head(last + 1).swap(inverse_.row(last).head(last + 1));
  if (s != last) inverse_.col(s).head(last + 1).swap(inverse_.col(last).head(last + 1));
  rows_[s] = moved_row;
  columns_[p] = moved_column;
  row_position_[moved_row] = s;
  column_position_[moved_column] = p;
  row_position_[row] = -1;
  column_position_[column] = -1;
  rows_.pop_back();
  columns_.pop_back();
  // Inverse of the bordering above.
  const double pivot = inverse_(last, last);
  if (!is_usable(pivot, inverse_.row(last).head(last + 1).cwiseAbs().maxCoeff())) return false;
  row_factor_.head(last) = inverse_.row(last).head(last).transpose() / pivot;
  column_factor_.head(last) = inverse_.col(last).head(last);
  inverse_.topLeftCorner(last, last).noalias() -= column_factor_.head(last) * row_factor_.head(last).transpose();
  return true;
}

}  // namespace stiction
