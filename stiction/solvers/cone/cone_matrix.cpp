#include "stiction/solvers/cone/cone_matrix.h"

#include <algorithm>

#include "stiction/base/check.h"

namespace stiction {

ConeMatrix::ConeMatrix(int block_size, int block_count, const std::vector<ConeEntry>& entries)
    : block_size_(block_size), row_start_(block_count + 1, 0), diagonal_(block_count) {
  const int d = block_size;
  // Block columns of each block row, the diagonal always among them.
  std::vector<std::vector<int>> columns_of(block_count);
  for (int i = 0; i < block_count; ++i) columns_of[i].push_back(i);
  for (const ConeEntry& e : entries) {
    STICTION_CHECK(e.row >= 0 && e.row < d * block_count && e.column >= 0 && e.column < d * block_count);
    std::vector<int>& list = columns_of[e.row / d];
    if (list.back() != e.column / d) list.push_back(e.column / d);
  }
  for (int i = 0; i < block_count; ++i) {
    std::vector<int>& list = columns_of[i];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    diagonal_[i] = row_start_[i] + static_cast<int>(std::lower_bound(list.begin(), list.end(), i) - list.begin());
    columns_.insert(columns_.end(), list.begin(), list.end());
    row_start_[i + 1] = static_cast<int>(columns_.size());
  }
  values_.assign(columns_.size() * d * d, 0.0);
  for (const ConeEntry& e : entries) {
    const auto first = columns_.begin() + row_start_[e.row / d], last = columns_.begin() + row_start_[e.row / d + 1];
    const auto k = std::lower_bound(first, last, e.column / d) - columns_.begin();
    values_[static_cast<std::size_t>(k) * d * d + (e.column % d) * d + e.row % d] += e.value;
  }
}

void ConeMatrix::assign_pattern(int block_size, const std::vector<int>& row_start, const std::vector<int>& columns) {
  block_size_ = block_size;
  row_start_ = row_start;
  columns_ = columns;
  diagonal_.resize(row_start.size() - 1);
  for (int i = 0; i < block_count(); ++i) {
    const auto first = columns_.begin() + row_start_[i], last = columns_.begin() + row_start_[i + 1];
    const auto found = std::lower_bound(first, last, i);
    STICTION_CHECK(found != last && *found == i);
    diagonal_[i] = static_cast<int>(found - columns_.begin());
  }
  values_.assign(columns_.size() * block_size * block_size, 0.0);
}

VecX ConeMatrix::operator*(const VecX& x) const {
  VecX y;
  multiply(x, y);
  return y;
}

void ConeMatrix::multiply(const VecX& x, VecX& y) const {
  STICTION_CHECK(x.size() == rows() && &x != &y);
  y.setZero(rows());
  if (block_size_ == 2) add_product<2>(x.data(), y.data());
  if (block_size_ == 3) add_product<3>(x.data(), y.data());
  if (block_size_ == 4) add_product<4>(x.data(), y.data());
}

template <int D>
void ConeMatrix::add_product(const double* x, double* y) const {
  using Vec = Eigen::Matrix<double, D, 1>;
  for (int i = 0; i < block_count(); ++i) {
    Vec sum = Vec::Zero();
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
      const Eigen::Map<const Eigen::Matrix<double, D, D>> A(data(k));
      sum += A * Eigen::Map<const Vec>(x + D * columns_[k]);
    }
    Eigen::Map<Vec>(y + D * i) = sum;
  }
}

MatX ConeMatrix::calc_dense() const {
  const int d = block_size_;
  MatX dense = MatX::Zero(rows(), rows());
  for (int i = 0; i < block_count(); ++i) {
    for (int k = row_begin(i); k < row_begin(i + 1); ++k) dense.block(i * d, column(k) * d, d, d) = block(k);
  }
  return dense;
}

std::vector<ConeEntry> ConeMatrix::calc_entries() const {
  const int d = block_size_;
  std::vector<ConeEntry> entries;
  for (int row = 0; row < rows(); ++row) {
    for (int k = row_begin(row / d); k < row_begin(row / d + 1); ++k) {
      for (int c = 0; c < d; ++c) {
        const double value = block(k)(row % d, c);
        if (value != 0) entries.push_back({row, column(k) * d + c, value});
      }
    }
  }
  return entries;
}

ConeMatrix ConeMatrix::calc_restriction(const std::vector<int>& blocks) const {
  std::vector<int> place(block_count(), -1);
  for (std::size_t b = 0; b < blocks.size(); ++b) place[blocks[b]] = static_cast<int>(b);
  ConeMatrix part;
  part.block_size_ = block_size_;
  const std::size_t size = static_cast<std::size_t>(block_size_) * block_size_;
  for (int i : blocks) {
    for (int k = row_begin(i); k < row_begin(i + 1); ++k) {
      if (place[column(k)] < 0) continue;
      if (column(k) == i) part.diagonal_.push_back(static_cast<int>(part.columns_.size()));
      part.columns_.push_back(place[column(k)]);
      part.values_.insert(part.values_.end(), data(k), data(k) + size);
    }
    part.row_start_.push_back(static_cast<int>(part.columns_.size()));
  }
  return part;
}

}  // namespace stiction
