#pragma once

#include <utility>

#include "stiction/math/vector.h"

namespace stiction {

/// The solution of least length of A x = b in the least-squares sense, from the complete orthogonal decomposition
///     A P = Q [T 0; 0 0] Z,   x = P Z' [T^-1 (Q'b)_1; 0]                                                    (1)
/// of a matrix with storage of its own (a largest size known when compiling). DEPARTURE from the decomposition's own
/// solve(), which gives the same numbers: no scratch vector on the heap where A lacks rank.
template <class Matrix, class Vector>
Vector solve_least_norm(const Eigen::CompleteOrthogonalDecomposition<Matrix>& qr, const Vector& b) {
  const Eigen::Index cols = qr.cols(), rank = qr.rank();
  Vector x = Vector::Zero(cols);
  if (rank == 0) return x;
  Vector c = b;
  c.applyOnTheLeft(qr.matrixQ().setLength(rank).adjoint());
  x.head(rank) = qr.matrixT().topLeftCorner(rank, rank).template triangularView<Eigen::Upper>().solve(c.head(rank));
  if (rank < cols) {
    // Z' as reflections, each of one entry of the head and the tail.
    double scratch = 0;
    for (Eigen::Index k = 0; k < rank; ++k) {
      std::swap(x[k], x[rank - 1]);
      x.segment(rank - 1, cols - rank + 1)
          .applyHouseholderOnTheLeft(qr.matrixQTZ().row(k).tail(cols - rank).adjoint(), qr.zCoeffs()(k), &scratch);
      std::swap(x[k], x[rank - 1]);
    }
  }
  return qr.colsPermutation() * x;
}

}  // namespace stiction
