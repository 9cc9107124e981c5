#include "stiction/multibody/dynamics.h"

namespace stiction {

double calc_kinetic_energy(const System& system, const Kinematics& k) {
  double energy = 0;
  for (int b : k.plan.moving) {
    const MassProperties& mass = system.bodies[b].mass;
    const Vec3 w_B = k.X_WB[b].R.transpose() * angular(k.V_WB[b]);
    const Vec3 v_c = calc_point_velocity(k, b, mass.com);
    energy += 0.5 * (mass.mass * v_c.squaredNorm() + w_B.dot(mass.inertia * w_B));
  }
  return energy;
}

double calc_potential_energy(const System& system, const Kinematics& k) {
  double energy = 0;
  for (int b : k.plan.moving) {
    const MassProperties& mass = system.bodies[b].mass;
    energy -= mass.mass * system.gravity.dot(calc_point_position(k, b, mass.com));
  }
  return energy;
}

Vec6 calc_momentum(const System& system, const Kinematics& k) {
  Vec3 spin = Vec3::Zero(), momentum = Vec3::Zero();
  for (int b : k.plan.moving) {
    const MassProperties& mass = system.bodies[b].mass;
    const Mat3& R = k.X_WB[b].R;
    const Vec3 w_B = R.transpose() * angular(k.V_WB[b]);
    const Vec3 mv = mass.mass * calc_point_velocity(k, b, mass.com);
    // About the world's origin: the body's spin and the moment of its momentum.
    spin += R * (mass.inertia * w_B) + calc_point_position(k, b, mass.com).cross(mv);
    momentum += mv;
  }
  return make_spatial(spin, momentum);
}

}  // namespace stiction
