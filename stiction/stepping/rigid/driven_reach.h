#pragma once

#include <vector>

#include "stiction/multibody/kinematics.h"
#include "stiction/stepping/rigid/rigid_model.h"

namespace stiction {

/// How far bodies with prescribed motions come within a step. Their motion is known, and may be far from what their
/// speed at the start of the step says: one that starts from rest is at full speed a step later. Their reach is
///     max over s = 0, 1/4, 1/2, 3/4, 1 of RigidModel::calc_reach at t + s h                                    (1)
/// LIMITS: faster motions between these times, by more than the factor of 2 that is in a reach, are not seen.
class DrivenReach {
 public:
  explicit DrivenReach(const RigidModel& model);
  /// `reach` of driven shapes becomes (1), over a step from t; it has the value of s = 0.
  void extend(double t, std::vector<double>& reach);
  /// Does (1) depend on t?
  bool has_shapes() const { return !shapes_.empty(); }

 private:
  const RigidModel& model_;
  std::vector<int> shapes_;  ///< driven ones
  Kinematics kinematics_;    ///< of driven bodies
  VecX q_, v_, vdot_;
};

}  // namespace stiction
