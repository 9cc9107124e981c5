#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// Up to 16 rows and columns, with storage of their own: nothing allocates.
inline constexpr int most_small = 16;
using SmallMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_small, most_small>;
using SmallVec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_small, 1>;

struct LeastNorm {
  SmallVec x;
  int rank = 0;
};

/// The solution of least length of A x = b in the least-squares sense, from the complete orthogonal decomposition
///     A P = Q [T 0; 0 0] Z,   x = P Z' [T^-1 (Q'b)_1; 0]                                                    (1)
/// Pivots below `threshold` times the largest count as 0. One compiled function for all small systems: the
/// decomposition's templates take seconds to compile for each type of matrix.
/// DEPARTURE from the decomposition's own solve(), which gives the same numbers: no scratch vector on the heap where A
/// lacks rank.
LeastNorm solve_least_norm(const SmallMat& A, const SmallVec& b, double threshold);
/// The same with Eigen's threshold: the rounding unit times the size of A.
LeastNorm solve_least_norm(const SmallMat& A, const SmallVec& b);

}  // namespace stiction
