#include "stiction/multibody/force_sum.h"

namespace stiction {
namespace {

Vec3 calc_vector(const std::vector<TimeFunction>& components, double t) {
  Vec3 result = Vec3::Zero();
  for (std::size_t i = 0; i < components.size(); ++i) result[i] = calc_sample(components[i], t).value;
  return result;
}

}  // namespace

void add_force(const AppliedForce& applied, const Instant& instant, ForceSum& sum) {
  const int body = applied.at.body;
  const Mat3& R_WB = instant.kinematics.X_WB[body].R;
  Vec3 force = calc_vector(applied.force, instant.t), torque = calc_vector(applied.torque, instant.t);
  if (applied.in_body_axes) force = R_WB * force, torque = R_WB * torque;
  const Vec6 F = make_spatial(torque + (R_WB * applied.at.p_BQ).cross(force), force);
  sum.F[body] += F;
  sum.input_power += F.dot(instant.kinematics.V_WB[body]);
}

}  // namespace stiction
