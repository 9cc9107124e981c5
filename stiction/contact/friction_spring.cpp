#include "stiction/contact/friction_spring.h"

#include <algorithm>
#include <cmath>

namespace stiction {

FrictionOutput<FrictionSpring::Memory> FrictionSpring::respond(const Slip& slip, const Memory& memory) const {
  FrictionOutput<Memory> r;
  const double limit = kinetic * slip.load;
  // (1)
  const Vec3 elastic = stiffness * memory.deflection;
  Vec3 w = elastic + damping * slip.velocity;
  const double size = w.norm();
  r.sticks = size <= limit;
  if (!r.sticks) w *= limit / size;
  r.force = -w;
  r.rate.deflection = (w - elastic) / damping;
  r.rate.energy = elastic.dot(r.rate.deflection);
  r.dissipated = w.dot(slip.velocity) - r.rate.energy;
  if (torsional_stiffness <= 0) return r;
  // (2)
  const double torsion = torsional_stiffness * memory.twist;
  const double m = std::clamp(torsion + torsional_damping * slip.spin, -limit * radius, limit * radius);
  r.moment = -m;
  r.rate.twist = (m - torsion) / torsional_damping;
  r.rate.energy += torsion * r.rate.twist;
  r.dissipated += m * slip.spin - torsion * r.rate.twist;
  return r;
}

}  // namespace stiction
