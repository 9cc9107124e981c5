#pragma once

#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// The factorised part of an almost complementary basis of Lemke's method. Of the basis of
///     w - M z - d z0 = q                                                                                      (1)
/// the columns of basic w are unit vectors and need no factor. What remains is the kernel
///     K x = -q_R,   K = [M_RC  d_R],   x = (z_C, z0)                                                          (2)
/// with R the rows whose w is nonbasic (zero) and C the basic z: as large as the number of basic z plus one, in contact
/// problems far smaller than n. K^-1 is held explicitly and updated in O(k^2) when a row or a column is exchanged,
/// added or removed (bordering and product-form updates; Golub, Van Loan: Matrix Computations, 2.1.4). Its accuracy is
/// the caller's to measure: factorise() starts afresh.
/// The column of z0 has the index n.
class LcpLemkeBasis {
 public:
  /// Remembers M and d (both must outlive the use) and empties the kernel.
  void reset(const MatX& M, const VecX& d);
  /// Sets R and C and computes K^-1 from scratch; false if K is singular to working precision.
  bool factorise(const std::vector<int>& rows, const std::vector<int>& columns);
  /// The same rows and columns, afresh.
  bool refactorise();

  int size() const { return static_cast<int>(rows_.size()); }
  const std::vector<int>& rows() const { return rows_; }
  const std::vector<int>& columns() const { return columns_; }
  /// Position of a row in R, or of a column in C, -1 if absent.
  int row_position(int row) const { return row_position_[row]; }
  int column_position(int column) const { return column_position_[column]; }

  /// x = K^-1 b, with b given on all n rows of the problem, of which R are read.
  void solve(const VecX& b, VecX& x) const;
  /// x = K^-1 e_row.
  void solve_unit(int row, VecX& x) const;
  /// y = y + [M_C d] x on all rows of the problem.
  void add_product(const VecX& x, VecX& y) const;
  /// The coefficients with which the basic variable depends on q: row of -K^-1, on all n rows.
  void calc_column_dependence(int position, VecX& dependence) const;
  /// The same for the basic variable w_row: e_row - [M_row,C d_row] K^-1.
  void calc_row_dependence(int row, VecX& dependence);

  /// Each returns false, leaving the kernel to factorise() (rows and columns are already exchanged), if the pivot is
  /// too small to divide by.
  bool replace_column(int old_column, int new_column);
  bool replace_row(int old_row, int new_row);
  bool grow(int row, int column);
  bool shrink(int row, int column);

 private:
  double entry(int row, int column) const;
  void gather_column(int column, VecX& out) const;
  void multiply_row(int row, VecX& out) const;

  const MatX* M_ = nullptr;
  const VecX* d_ = nullptr;
  std::vector<int> rows_, columns_, row_position_, column_position_;
  MatX inverse_;  // capacity (n+1)^2, of which the upper left corner is in use
  MatX kernel_;
  mutable VecX gathered_, row_factor_, column_factor_;
};

}  // namespace stiction
