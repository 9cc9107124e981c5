#pragma once

#include <vector>

#include "stiction/multibody/coordinate.h"

namespace stiction {

/// How far a joint coordinate is beyond its limits.
struct LimitExcess {
  double excess = 0;               ///< [m] or [rad]
  double scale = 1;                ///< what it is judged by: 1 rad, or the size of the smallest body [m]
  int joint = -1, component = -1;  ///< of System::named_joints; -1: none is
};

/// Measures the joints that have limits, in any formulation. Costs the positions of the bodies where there are any,
/// else nothing; allocates nothing.
class LimitWatch {
 public:
  LimitWatch(const System& system, double smallest_size);
  bool empty() const { return coordinates_.empty(); }
  /// The joint that is farthest beyond its limits, by its scale.
  LimitExcess measure(const State& state);

 private:
  struct Coordinate {
    CoordinateRef ref;
    JointLimit limit;
    double scale = 1;
  };
  const System& system_;
  Kinematics kinematics_;
  std::vector<Coordinate> coordinates_;
};

}  // namespace stiction
