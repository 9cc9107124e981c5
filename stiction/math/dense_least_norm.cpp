#include "stiction/math/dense_least_norm.h"

namespace stiction {

VecX solve_dense_least_norm(const MatX& A, const VecX& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatX> qr(A.rows(), A.cols());
  qr.setThreshold(threshold);
  qr.compute(A);
  return qr.solve(b);
}

VecX solve_dense_least_norm(const MatX& A, const VecX& b) {
  return Eigen::CompleteOrthogonalDecomposition<MatX>(A).solve(b);
}

}  // namespace stiction
