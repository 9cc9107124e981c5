#pragma once

#include "stiction/math/least_norm.h"

namespace stiction {

/// A = V diag(values) V', values ascending, V orthogonal.
struct SymmetricEigen {
  SmallVec values;
  SmallMat vectors;
};
struct SymmetricEigen2 {
  Eigen::Vector2d values;
  Eigen::Matrix2d vectors;
};

/// One compiled function for all small symmetric matrices (see math/least_norm.h).
SymmetricEigen calc_symmetric_eigen(const SmallMat& A);
/// In the plane: one Jacobi rotation.
SymmetricEigen2 calc_symmetric_eigen(const Eigen::Matrix2d& A);
/// The smallest eigenvalue of a symmetric matrix of any size.
double calc_smallest_eigenvalue(const MatX& A);

}  // namespace stiction
