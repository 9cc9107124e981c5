#pragma once

#include <vector>

#include "stiction/multibody/kinematics.h"
#include "stiction/stepping/rigid/rigid_model.h"
#include "stiction/stepping/step_report.h"

namespace stiction {

/// Events of joint limits in rigid formulations, named as those of the springs that are limits elsewhere
/// (multibody/force.h, JointStop):
///     "impact"   the gap to the limit was open at the start of the step and is closed at its end
///     "release"  it was closed and is open
/// closed: at most RigidTolerances::closed_limit, where limits also take part in impacts. The time is the end of the
/// step. A function of the two states: nothing is remembered between steps.
/// LIMIT: what closes and opens within one step is not seen.
/// Cost: the poses of all bodies at both ends, where a joint has limits; else nothing.
class TouchedLimits {
 public:
  explicit TouchedLimits(const RigidModel& model);
  void begin(const State& start);
  void note_changes(const State& end, StepReport& report);

 private:
  /// One side of a coordinate.
  struct Limit {
    CoordinateRef ref;
    double at = 0, side = 1;  ///< side: +1 lower, -1 upper
    bool closed = false;      ///< at the start of the step
  };
  bool is_closed(const Limit& limit, const State& state) const;

  const RigidModel& model_;
  Kinematics kinematics_;
  std::vector<Limit> limits_;
};

}  // namespace stiction
