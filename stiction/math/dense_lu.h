#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// LU decomposition with partial pivoting of a square matrix of any size, compiled once for all its users.
class DenseLu {
 public:
  DenseLu() = default;
  explicit DenseLu(const MatX& A) { compute(A); }
  void compute(const MatX& A);
  /// Is the smallest pivot more than `part` of the largest? An exact zero is one of them, which an estimate of the
  /// condition number can miss. A matrix without rows is regular.
  bool is_regular(double part) const;
  VecX solve(const VecX& b) const;
  MatX solve(const MatX& B) const;
  MatX calc_inverse() const;

 private:
  Eigen::PartialPivLU<MatX> lu_;
};

}  // namespace stiction
