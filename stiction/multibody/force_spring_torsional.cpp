#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/force_sum.h"

namespace stiction {

void add_force(const SpringTorsional& spring, const Instant& at, ForceSum& sum) {
  const CoordinateValue x = calc_coordinate(at.system, at.kinematics, at.q, at.v, at.z, spring.coordinate);
  const double stretch = x.position - spring.rest;
  const double force = -spring.stiffness * stretch - spring.damping * x.velocity;
  add_coordinate_force(at.system, at.kinematics, spring.coordinate, force, sum.F, sum.tau);
  sum.stored_energy += 0.5 * spring.stiffness * stretch * stretch;
  sum.dissipated_power += spring.damping * x.velocity * x.velocity;
}

}  // namespace stiction
