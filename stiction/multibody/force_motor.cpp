#include <algorithm>

#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/force_sum.h"

namespace stiction {

void add_force(const Motor& motor, const Instant& at, ForceSum& sum) {
  const CoordinateValue x = calc_coordinate(at.system, at.kinematics, at.q, at.v, at.z, motor.coordinate);
  const Sample target = calc_sample(motor.target, at.t);
  const double target_rate = motor.target_rate ? calc_sample(*motor.target_rate, at.t).value : target.rate;
  const double wanted = calc_sample(motor.effort, at.t).value + motor.proportional * (target.value - x.position) +
                        motor.derivative * (target_rate - x.velocity);
  const double force = std::clamp(wanted, -motor.limit, motor.limit);
  add_coordinate_force(at.system, at.kinematics, motor.coordinate, force, sum.F, sum.tau);
  sum.input_power += force * x.velocity;
}

}  // namespace stiction
