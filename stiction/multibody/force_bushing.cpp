#include <cmath>

#include "stiction/contact/friction_response.h"
#include "stiction/multibody/force_sum.h"
#include "stiction/multibody/pair_measure.h"

namespace stiction {
void add_force(const Bushing& bushing, const Instant& instant, ForceSum& sum) {
  const Kinematics& kinematics = instant.kinematics;
  const int a = bushing.body_a, b = bushing.body_b;
  const PairPose pose = calc_pair_pose(kinematics, {bushing.body_a, bushing.body_b, bushing.X_aA, bushing.X_bB});
  const Mat3 R_AW = pose.R_WA.transpose();
  // x = [theta; p] and the twist V of B relative to A, both in A.
  const Vec3 theta = calc_logarithm(calc_quaternion(R_AW * pose.R_WB));
  const Vec6 x = make_spatial(theta, R_AW * pose.d);
  const Vec3 r_aB = pose.r_a + pose.d;
  const Vec6 V_a = shift_velocity(kinematics.V_WB[a], r_aB), V_b = shift_velocity(kinematics.V_WB[b], pose.r_b);
  const Vec6 V = make_spatial(R_AW * (angular(V_b) - angular(V_a)), R_AW * (linear(V_b) - linear(V_a)));
  // f = -J' K x - C V - f_d, turned to world axes.
  const Vec6 elastic = bushing.stiffness * x;
  Vec6 lossy = bushing.damping * V;
  for (int i = 0; i < 6; ++i)
    lossy[i] +=
        bushing.friction[i] * calc_smooth_sign(V[i], i < 3 ? bushing.tolerance_rate : bushing.tolerance_velocity);
  const Vec3 torque = -(calc_log_rate_matrix(theta).transpose() * angular(elastic)) - angular(lossy);
  const Vec6 F = make_spatial(pose.R_WA * torque, pose.R_WA * (-linear(elastic) - linear(lossy)));
  // On b at B; the opposite on a at the same point.
  sum.F[b] += shift_force(F, pose.r_b);
  sum.F[a] -= shift_force(F, r_aB);
  sum.stored_energy += 0.5 * x.dot(elastic);
  sum.dissipated_power += V.dot(lossy);
}

}  // namespace stiction
