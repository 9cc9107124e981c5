#include "stiction/math/fastest_decay.h"

#include <Eigen/Eigenvalues>

namespace stiction {

FastestDecay calc_fastest_decay(const MatX& A) {
  FastestDecay fastest;
  if (A.size() == 0) return fastest;
  const Eigen::EigenSolver<MatX> eigen(A);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double rate = -eigen.eigenvalues()[i].real();
    if (rate <= fastest.rate) continue;
    fastest.rate = rate;
    eigen.eigenvectors().col(i).cwiseAbs().maxCoeff(&fastest.entry);
  }
  return fastest;
}

}  // namespace stiction
