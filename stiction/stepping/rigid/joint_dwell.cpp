#include "stiction/stepping/rigid/joint_dwell.h"

#include <cmath>

#include "stiction/multibody/coordinate.h"

namespace stiction {

void update_joint_dwell(const RigidModel& model, const Kinematics& kinematics, double h, State& end) {
  for (const GuardedCoordinate& coordinate : model.coordinates) {
    if (coordinate.dwell_entry < 0) continue;
    const double u = calc_coordinate(model.system, kinematics, end.q, end.v, end.z, coordinate.ref).velocity;
    const double s = coordinate.calc_sticking(u);
    double& dwell = end.z[coordinate.dwell_entry];
    dwell = s >= dwell ? s + (dwell - s) * std::exp(-h / coordinate.dwell_time) : s;
  }
}

}  // namespace stiction
