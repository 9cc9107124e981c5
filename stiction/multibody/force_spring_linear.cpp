#include <algorithm>

#include "stiction/multibody/force_sum.h"

namespace stiction {
namespace {

/// f of (1) in force.h, `stretch` = l - rest_length. A one-sided damper may not turn the sign of the spring's force.
double calc_force(const SpringLinear& spring, double stretch, double rate) {
  const double elastic = spring.stiffness * stretch;
  const double f = elastic + spring.damping * rate;
  if (spring.side == SpringSide::tension) return std::max(f, std::min(elastic, 0.0));
  if (spring.side == SpringSide::compression) return std::min(f, std::max(elastic, 0.0));
  return f;
}

Vec6 calc_wrench(const Kinematics& kinematics, const Attachment& at, const Vec3& force) {
  const Vec3 r = kinematics.X_WB[at.body].R * at.p_BQ;
  return make_spatial(r.cross(force), force);
}

}  // namespace

void add_force(const SpringLinear& spring, const Instant& instant, ForceSum& sum) {
  const Kinematics& kinematics = instant.kinematics;
  const Vec3 d = calc_point_position(kinematics, spring.b.body, spring.b.p_BQ) -
                 calc_point_position(kinematics, spring.a.body, spring.a.p_BQ);
  const Vec3 d_rate = calc_point_velocity(kinematics, spring.b.body, spring.b.p_BQ) -
                      calc_point_velocity(kinematics, spring.a.body, spring.a.p_BQ);
  const double length = d.norm();
  const Vec3 n = length > 0 ? Vec3(d / length) : Vec3(Vec3::Zero());
  const double stretch = length - spring.rest_length, rate = n.dot(d_rate);
  const double f = calc_force(spring, stretch, rate);
  // Positive f pulls b towards a.
  sum.F[spring.a.body] += calc_wrench(kinematics, spring.a, f * n);
  sum.F[spring.b.body] += calc_wrench(kinematics, spring.b, -f * n);
  // What the force takes beyond the elastic part is lost.
  sum.stored_energy += 0.5 * spring.stiffness * stretch * stretch;
  sum.dissipated_power += (f - spring.stiffness * stretch) * rate;
}

double calc_guard(const SpringLinear& spring, const Kinematics& kinematics) {
  const double length = (calc_point_position(kinematics, spring.b.body, spring.b.p_BQ) -
                         calc_point_position(kinematics, spring.a.body, spring.a.p_BQ))
                            .norm();
  return spring.side == SpringSide::compression ? spring.rest_length - length : length - spring.rest_length;
}

ModeInfo make_mode_info(const std::string& element, const SpringLinear& spring) {
  if (spring.side == SpringSide::compression) return {element, "pressed", "free"};
  return {element, "taut", "slack"};
}

}  // namespace stiction
