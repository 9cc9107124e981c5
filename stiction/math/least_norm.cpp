#include "stiction/math/least_norm.h"

#include <limits>
#include <utility>

namespace stiction {

LeastNorm solve_least_norm(const SmallMat& A, const SmallVec& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<SmallMat> qr(A.rows(), A.cols());
  qr.setThreshold(threshold);
  qr.compute(A);
  const Eigen::Index cols = qr.cols(), rank = qr.rank();
  LeastNorm result{SmallVec::Zero(cols), static_cast<int>(rank)};
  if (rank == 0) return result;
  SmallVec& x = result.x;
  SmallVec c = b;
  c.applyOnTheLeft(qr.matrixQ().setLength(rank).adjoint());
  x.head(rank) = qr.matrixT().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(c.head(rank));
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
  x = (qr.colsPermutation() * x).eval();
  return result;
}

LeastNorm solve_least_norm(const SmallMat& A, const SmallVec& b) {
  const auto size = static_cast<double>(std::min(A.rows(), A.cols()));
  return solve_least_norm(A, b, size * std::numeric_limits<double>::epsilon());
}

}  // namespace stiction
