#include "stiction/multibody/force_sum.h"

namespace stiction {

void add_force(const Damper& damper, const Instant& instant, ForceSum& sum) {
  const Kinematics& kinematics = instant.kinematics;
  const auto& [a, b, damping, R_aD] = damper;
  const Vec3 slip = calc_point_velocity(kinematics, b.body, b.p_BQ) - calc_point_velocity(kinematics, a.body, a.p_BQ);
  // f = -R C R' slip on b, the opposite on a, each at its own point.
  const Mat3 R_WD = kinematics.X_WB[a.body].R * R_aD;
  const Vec3 f = -(R_WD * (damping * (R_WD.transpose() * slip)));
  const Vec3 r_a = kinematics.X_WB[a.body].R * a.p_BQ, r_b = kinematics.X_WB[b.body].R * b.p_BQ;
  sum.F[a.body] -= make_spatial(r_a.cross(f), f);
  sum.F[b.body] += make_spatial(r_b.cross(f), f);
  sum.dissipated_power -= f.dot(slip);
}

}  // namespace stiction
