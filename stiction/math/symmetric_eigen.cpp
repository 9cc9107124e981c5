#include "stiction/math/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace stiction {

SymmetricEigen calc_symmetric_eigen(const SmallMat& A) {
  const Eigen::SelfAdjointEigenSolver<SmallMat> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

SymmetricEigen2 calc_symmetric_eigen(const Eigen::Matrix2d& A) {
  // t = tan of the rotation that makes the off-diagonal entry 0, the smaller one
  const double b = A(1, 0);
  double t = 0;
  if (b != 0) {
    const double zeta = (A(1, 1) - A(0, 0)) / (2 * b);
    t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
  }
  const double c = 1 / std::hypot(1.0, t), s = t * c;
  SymmetricEigen2 result{{A(0, 0) - t * b, A(1, 1) + t * b}, Eigen::Matrix2d{{c, s}, {-s, c}}};
  if (result.values[0] > result.values[1]) {
    std::swap(result.values[0], result.values[1]);
    result.vectors.col(0).swap(result.vectors.col(1));
  }
  return result;
}

double calc_smallest_eigenvalue(const MatX& A) {
  return Eigen::SelfAdjointEigenSolver<MatX>(A, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

}  // namespace stiction
