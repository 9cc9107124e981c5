#include "stiction/contact/friction_bristle.h"

#include <cmath>

namespace stiction {

double calc_bristle_stiffness(double static_coefficient, double presliding) {
  return static_coefficient / presliding;
}

double calc_critical_bristle_damping(double stiffness, double gravity) {
  return 2 * std::sqrt(stiffness / gravity);
}

FrictionResponse FrictionBristle::respond(const Slip& slip, const FrictionMemory& memory) const {
  FrictionResponse r;
  const Vec3 &v = slip.velocity, &z = memory.deflection;
  const double v2 = v.squaredNorm();
  // (3.30), (3.35)
  const double s = std::exp(-v2 / (stribeck_velocity * stribeck_velocity));
  const Vec3 elastic = stiffness * z;
  Vec3 rate = s * v;
  if (s < 1) rate += ((1 - s) / damping) * (kinetic * calc_smooth_direction(v, tolerance) - elastic);
  // (3.36), (3.37)
  double dwell = memory.dwell;
  if (dwell_time > 0) {
    r.dwell_rate = (s - dwell) / (s >= dwell ? dwell_time : calc_bristle_time());
  } else {
    dwell = s;
  }
  const double limit = kinetic + (static_coefficient - kinetic) * dwell;
  // (3.39)-(3.41)
  Vec3 w = elastic + damping * rate;
  const double size = w.norm();
  if (size > limit) {
    w *= limit / size;
    rate = (w - elastic) / damping;
  }
  r.force = -slip.load * (w + viscous * v);
  r.deflection_rate = rate;
  r.energy_rate = slip.load * elastic.dot(rate);
  r.dissipated = slip.load * (w.dot(v) + viscous * v2) - r.energy_rate;
  r.sticks = s > 0.5 && size <= limit;
  return r;
}

}  // namespace stiction
