#pragma once

#include "stiction/math/rotation.h"

namespace stiction {

/// X_AB: pose of frame B in frame A. A point with coordinates p_BQ in B has p_AQ = R_AB p_BQ + p_AB in A.
struct Transform {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  /// X_AC = X_AB * X_BC
  Transform operator*(const Transform& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  Vec3 operator*(const Vec3& p_BQ) const { return R * p_BQ + p; }
  /// X_BA
  Transform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

}  // namespace stiction
