#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// The solution of least length of A x = b in the least-squares sense, of any size (least_norm.h is for small ones):
/// Eigen's complete orthogonal decomposition, compiled once for all its users. Pivots below `threshold` times the
/// largest count as 0.
VecX solve_dense_least_norm(const MatX& A, const VecX& b, double threshold);
/// The same with Eigen's threshold: the rounding unit times the size of A.
VecX solve_dense_least_norm(const MatX& A, const VecX& b);

}  // namespace stiction
