#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/force_sum.h"

namespace stiction {

void add_force(const HeldForce& held, const Instant& at, ForceSum& sum) {
  if (held.body < 0) {
    const double force = at.z[held.z_start];
    add_coordinate_force(at.system, at.kinematics, held.coordinate, force, sum.F, sum.tau);
    sum.input_power += force * calc_coordinate(at.system, at.kinematics, at.q, at.v, at.z, held.coordinate).velocity;
    return;
  }
  const Kinematics& kinematics = at.kinematics;
  const Vec6 F = at.z.segment<6>(held.z_start);
  const Vec3 r = kinematics.X_WB[held.body].R * held.p_BQ;
  sum.F[held.body] += shift_force(F, r);
  sum.input_power += F.dot(shift_velocity(kinematics.V_WB[held.body], r));
}

}  // namespace stiction
