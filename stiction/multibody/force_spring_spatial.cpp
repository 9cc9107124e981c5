#include "stiction/math/stiffness_centre.h"
#include "stiction/multibody/force_sum.h"
#include "stiction/multibody/pair_measure.h"

namespace stiction {

Mat3 SpringSpatial::calc_co_stiffness(const Mat3& K) {
  return 0.5 * K.trace() * Mat3::Identity() - K;
}

void add_force(const SpringSpatial& spring, const Instant& instant, ForceSum& sum) {
  const Kinematics& kinematics = instant.kinematics;
  const int a = spring.body_a, b = spring.body_b;
  const PairPose pose = calc_pair_pose(kinematics, {a, b, spring.X_aA, spring.X_bB});
  const Mat3 R_AW = pose.R_WA.transpose(), R = R_AW * pose.R_WB;
  const Vec3 p = R_AW * pose.d, r_aB = pose.r_a + pose.d;
  const Mat3 &G_o = spring.rotational, &K_t = spring.translational, &G_c = spring.coupling;
  // The elastic wrench (10), in A.
  const Vec3 turned = R * (K_t * (R.transpose() * p));
  const Mat3 coupled = G_c * R.transpose();
  const Vec3 force = -0.5 * (K_t * p + turned) + 2 * calc_antisymmetric(coupled);
  const Vec3 moment =
      -2 * calc_antisymmetric(R * G_o) + 0.5 * p.cross(turned) - 2 * calc_antisymmetric(calc_skew(p) * coupled);
  sum.stored_energy +=
      G_o.trace() - (G_o * R).trace() + 0.25 * p.dot(K_t * p + turned) + (coupled * calc_skew(p)).trace();
  // The damper, by the twist of B relative to A, in A.
  const Vec6 V_a = shift_velocity(kinematics.V_WB[a], r_aB), V_b = shift_velocity(kinematics.V_WB[b], pose.r_b);
  const Vec6 V = make_spatial(R_AW * (angular(V_b) - angular(V_a)), R_AW * (linear(V_b) - linear(V_a)));
  const Vec6 lossy = spring.damping * V;
  sum.dissipated_power += V.dot(lossy);
  // On b at B; the opposite on a at the same point.
  const Vec6 F = make_spatial(pose.R_WA * (moment - angular(lossy)), pose.R_WA * (force - linear(lossy)));
  sum.F[b] += shift_force(F, pose.r_b);
  sum.F[a] -= shift_force(F, r_aB);
}

}  // namespace stiction
