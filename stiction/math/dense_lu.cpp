#include "stiction/math/dense_lu.h"

namespace stiction {

void DenseLu::compute(const MatX& A) {
  lu_.compute(A);
}

bool DenseLu::is_regular(double part) const {
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  return pivots.size() == 0 || pivots.minCoeff() > part * pivots.maxCoeff();
}

VecX DenseLu::solve(const VecX& b) const {
  return lu_.solve(b);
}

MatX DenseLu::solve(const MatX& B) const {
  return lu_.solve(B);
}

MatX DenseLu::calc_inverse() const {
  return lu_.inverse();
}

}  // namespace stiction
