#pragma once

#include <Eigen/SparseCore>

#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// Row P and column order Q with P A Q = L U of a sparse square matrix, column by column (Gilbert, Peierls 1988; as
/// cs_lu in Davis, Direct Methods for Sparse Linear Systems, 2006): each column of L and U is the solution of a
/// triangular system whose pattern a depth-first search finds, so that the work is that of the multiplications.
/// Columns are ordered to keep L and U sparse (COLAMD) once for a pattern; rows are pivoted, diagonal entries preferred
/// where they have a tenth of the largest. Nothing allocates once as large factors have been there before: the reason
/// why this is not Eigen's or SuiteSparse's.
class SparseLu {
 public:
  using Matrix = Eigen::SparseMatrix<double>;
  /// Returns whether all pivots are more than `part` of the largest. `A` is compressed.
  bool compute(const Matrix& A, double part);
  /// b becomes A^-1 b.
  void solve(VecX& b) const;

 private:
  void order(const Matrix& A);
  int find_reach(const Matrix& A, int column);
  void eliminate(const Matrix& A, int column, int top);
  bool take_column(int k, int column, int top);

  struct Factor {
    std::vector<int> start, row;
    std::vector<double> value;
    void clear();
    void add(int i, double x) {
      row.push_back(i);
      value.push_back(x);
    }
  };
  int n_ = 0;
  Factor L_, U_;                    ///< L: the diagonal, 1, first in each column; U: the diagonal last
  std::vector<int> column_order_;   ///< Q
  std::vector<int> place_;          ///< of rows among the pivots; -1: not yet
  std::vector<int> outer_, inner_;  ///< the pattern that column_order_ is for
  // Of the column at hand: its pattern in topological order, from `top` on; the search's stack and marks
  std::vector<int> reach_, stack_, next_, mark_;
  std::vector<double> x_;
  mutable std::vector<double> work_;
  double smallest_ = 0, largest_ = 0;  ///< pivots
};

}  // namespace stiction
