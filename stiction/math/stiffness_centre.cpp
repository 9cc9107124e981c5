#include "stiction/math/stiffness_centre.h"

#include "stiction/math/least_norm.h"

namespace stiction {

Mat6 shift_stiffness(const Mat6& K, const Vec3& r) {
  Mat6 T = Mat6::Identity();
  T.bottomLeftCorner<3, 3>() = calc_skew(r);
  return T.transpose() * K * T;
}

Vec3 calc_stiffness_centre(const Mat6& K) {
  const Mat3 K_t = K.bottomRightCorner<3, 3>();
  const SmallMat A = K_t.trace() * Mat3::Identity() - K_t;
  const SmallVec b = 2 * calc_antisymmetric(K.topRightCorner<3, 3>());
  // Singular for one direction alone, up to rounding.
  constexpr double rounding = 1e-12;
  return solve_least_norm(A, b, rounding).x;
}

}  // namespace stiction
