#include "stiction/contact/friction_bristle.h"

#include <cmath>

#include "stiction/contact/contensou_polygon.h"

namespace stiction {

FrictionBristle::PatchSliding FrictionBristle::calc_patch_sliding(const Slip& slip, double s) const {
  const Vec3& v = slip.velocity;
  const double u = slip.gyration * slip.spin, speed = v.norm();
  const Vec3 direction = calc_smooth_direction(v, tolerance);
  const double sign = calc_smooth_sign(u, tolerance);
  if (slip.plate == nullptr) {
    const double m = patch.rule == ContensouRule::elliptic ? 0 : calc_pressure_exponent(slip.area, slip.gyration);
    const ContensouFactors c = calc_contensou_factors(patch.rule, speed, std::abs(u), tolerance, m);
    const double c_v = s + (1 - s) * c.slide, c_u = s + (1 - s) * c.spin;
    return {c_v * direction, c_v, c_u * sign, c_u};
  }
  const double average = std::sqrt(speed * speed + u * u);
  const PolygonFriction c = average > 0 ? calc_polygon_friction(*slip.plate, v, slip.spin) : PolygonFriction{};
  const double share = (1 - s) * std::min(average / tolerance, 1.0);
  return {s * direction + share * c.slide, s + share * c.slide.norm(), s * sign + share * c.spin,
          s + share * std::abs(c.spin)};
}

FrictionOutput<FrictionBristle::Memory> FrictionBristle::respond_patch(const Slip& slip, const Memory& memory) const {
  FrictionOutput<Memory> r;
  const double radius = slip.gyration;
  const Vec3 &v = slip.velocity, &z = memory.deflection;
  const double u = radius * slip.spin, y = radius * memory.twist;
  const double v2 = v.squaredNorm(), u2 = u * u;
  // (4.212), (4.221)
  const double s = std::exp(-(v2 + u2) / (stribeck_velocity * stribeck_velocity));
  // (4.223), (4.235)
  const PatchSliding sliding_to = calc_patch_sliding(slip, s);
  const double c_v = sliding_to.slide_size, c_u = sliding_to.spin_size;
  // (4.227), (4.239)
  const double per_damping = 1 / damping, sliding = (1 - s) * per_damping;
  const Vec3 elastic = stiffness * z;
  const double torsion = stiffness * y;
  Vec3 rate = s * v + sliding * (kinetic * sliding_to.slide - elastic);
  double turning = s * u + sliding * (kinetic * sliding_to.spin - torsion);
  // (3.36), (3.37)
  double dwell = memory.dwell;
  if (dwell_time > 0) {
    r.rate.dwell = (s - dwell) / (s >= dwell ? dwell_time : calc_bristle_time());
  } else {
    dwell = s;
  }
  const double limit = kinetic + (static_coefficient - kinetic) * dwell;
  // (4.228)-(4.230)
  Vec3 w = elastic + damping * rate;
  const double w2 = w.squaredNorm(), limit_v = limit * c_v;
  const bool slides = w2 > limit_v * limit_v;
  if (slides) {
    w *= limit_v / std::sqrt(w2);
    rate = per_damping * (w - elastic);
  }
  // (4.240)-(4.243)
  double w_u = torsion + damping * turning;
  const double limit_u = limit * c_u;
  const bool spins = std::abs(w_u) > limit_u;
  if (spins) {
    w_u = std::copysign(limit_u, w_u);
    turning = per_damping * (w_u - torsion);
  }
  const double share = patch.spin_factor;
  r.force = -slip.load * (w + viscous * v);
  r.moment = -share * slip.load * radius * (w_u + viscous * u);
  r.rate.deflection = rate;
  r.rate.twist = turning / radius;
  r.rate.energy = slip.load * (elastic.dot(rate) + share * torsion * turning);
  r.dissipated = slip.load * (w.dot(v) + viscous * v2 + share * (w_u * u + viscous * u2)) - r.rate.energy;
  r.sticks = s > 0.5 && !slides && !spins;
  return r;
}

double calc_bristle_stiffness(double static_coefficient, double presliding) {
  return static_coefficient / presliding;
}

double calc_critical_bristle_damping(double stiffness, double gravity) {
  return 2 * std::sqrt(stiffness / gravity);
}

}  // namespace stiction
