#include "stiction/contact/friction_spring.h"

#include <algorithm>
#include <cmath>

namespace stiction {

FrictionResponse FrictionSpring::respond(const Slip& slip, const FrictionMemory& memory) const {
  FrictionResponse r;
  const double limit = kinetic * slip.load;
  // (1)
  const Vec3 elastic = stiffness * memory.deflection;
  Vec3 w = elastic + damping * slip.velocity;
  const double size = w.norm();
  r.sticks = size <= limit;
  if (!r.sticks) w *= limit / size;
  r.force = -w;
  r.deflection_rate = (w - elastic) / damping;
  r.energy_rate = elastic.dot(r.deflection_rate);
  r.dissipated = w.dot(slip.velocity) - r.energy_rate;
  if (torsional_stiffness <= 0) return r;
  // (2)
  const double torsion = torsional_stiffness * memory.twist;
  const double m = std::clamp(torsion + torsional_damping * slip.spin, -limit * radius, limit * radius);
  r.moment = -m;
  r.twist_rate = (m - torsion) / torsional_damping;
  r.energy_rate += torsion * r.twist_rate;
  r.dissipated += m * slip.spin - torsion * r.twist_rate;
  return r;
}

}  // namespace stiction
