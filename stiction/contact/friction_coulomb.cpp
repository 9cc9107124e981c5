#include "stiction/contact/friction_coulomb.h"

#include <cmath>

#include "stiction/contact/contensou_polygon.h"

namespace stiction {

FrictionOutput<NoMemory> FrictionCoulomb::respond_patch(const Slip& slip) const {
  FrictionOutput<Memory> r;
  const double speed = slip.velocity.norm(), u = slip.gyration * slip.spin;
  if (slip.plate != nullptr) return respond_plate(slip);
  const double m = patch.rule == ContensouRule::elliptic ? 0 : calc_pressure_exponent(slip.area, slip.gyration);
  const ContensouFactors c = calc_contensou_factors(patch.rule, speed, std::abs(u), tolerance, m);
  // (2); the factor of a vanishing speed vanishes with it.
  const double slide = (speed > 0 ? kinetic * c.slide / speed : 0) + viscous;
  const double spin = (u != 0 ? kinetic * c.spin / std::abs(u) : 0) + viscous;
  r.force = (-slip.load * slide) * slip.velocity;
  r.moment = -patch.spin_factor * slip.load * slip.gyration * spin * u;
  r.dissipated = -r.force.dot(slip.velocity) - r.moment * slip.spin;
  r.sticks = speed * speed + u * u < tolerance * tolerance;
  return r;
}

FrictionOutput<NoMemory> FrictionCoulomb::respond_plate(const Slip& slip) const {
  FrictionOutput<Memory> r;
  const double u = slip.gyration * slip.spin, average = std::sqrt(slip.velocity.squaredNorm() + u * u);
  const PolygonFriction sliding =
      average > 0 ? calc_polygon_friction(*slip.plate, slip.velocity, slip.spin) : PolygonFriction{};
  const double coefficient = kinetic * std::min(average / tolerance, 1.0);
  r.force = -slip.load * (coefficient * sliding.slide + viscous * slip.velocity);
  r.moment = -patch.spin_factor * slip.load * slip.gyration * (coefficient * sliding.spin + viscous * u);
  r.dissipated = -r.force.dot(slip.velocity) - r.moment * slip.spin;
  r.sticks = average < tolerance;
  return r;
}

}  // namespace stiction
