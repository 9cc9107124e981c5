#pragma once

#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// One number of a sparse matrix, by scalar row and column.
struct ConeEntry {
  int row = 0;
  int column = 0;
  double value = 0;
};

/// Square matrix of dense blocks, compressed by block rows, the columns of a row in rising order: the Delassus matrix
/// W of a contact problem, one block row a contact. Every diagonal block is stored, be it zero. Nothing assumes
/// symmetry, neither of the numbers nor of the pattern.
class ConeMatrix {
 public:
  using Block = Eigen::Map<MatX>;
  using ConstBlock = Eigen::Map<const MatX>;

  ConeMatrix() = default;
  /// Entries at the same place add up; rows and columns must lie within block_count * block_size (checked).
  ConeMatrix(int block_size, int block_count, const std::vector<ConeEntry>& entries);

  /// The stored blocks row by row (row_start as in row_begin, the columns of a row rising, the diagonal among them),
  /// all zero. For callers that fill the blocks in place; memory is kept from call to call.
  void assign_pattern(int block_size, const std::vector<int>& row_start, const std::vector<int>& columns);

  int block_size() const { return block_size_; }
  int block_count() const { return static_cast<int>(row_start_.size()) - 1; }
  int stored_blocks() const { return static_cast<int>(columns_.size()); }
  int rows() const { return block_size_ * block_count(); }

  /// Stored blocks of block row i are [row_begin(i), row_begin(i + 1)).
  int row_begin(int i) const { return row_start_[i]; }
  int column(int k) const { return columns_[k]; }
  int diagonal(int i) const { return diagonal_[i]; }
  const double* data(int k) const { return values_.data() + static_cast<std::size_t>(k) * block_size_ * block_size_; }
  double* data(int k) { return values_.data() + static_cast<std::size_t>(k) * block_size_ * block_size_; }
  ConstBlock block(int k) const { return {data(k), block_size_, block_size_}; }
  Block block(int k) { return {data(k), block_size_, block_size_}; }

  /// W x
  VecX operator*(const VecX& x) const;
  /// y = W x, in place: nothing allocates once y has the size.
  void multiply(const VecX& x, VecX& y) const;
  MatX calc_dense() const;
  std::vector<ConeEntry> calc_entries() const;
  /// Rows and columns of the named blocks only, in the order named (rising).
  ConeMatrix calc_restriction(const std::vector<int>& blocks) const;

 private:
  template <int D>
  void add_product(const double* x, double* y) const;

  int block_size_ = 0;
  std::vector<int> row_start_ = {0};
  std::vector<int> columns_;
  std::vector<int> diagonal_;
  std::vector<double> values_;  ///< column-major within a block
};

}  // namespace stiction
