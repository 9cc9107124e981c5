#include "stiction/contact/friction_user.h"

#include <cmath>

namespace stiction {

[[gnu::noinline]] FrictionOutput<NoMemory> FrictionUser::respond(const Slip& slip, const Memory&) const {
  FrictionOutput<Memory> r;
  const double speed = slip.velocity.norm();
  r.force = -slip.load * coefficient(speed, slip.load) * calc_smooth_direction(slip.velocity, tolerance);
  r.dissipated = -r.force.dot(slip.velocity);
  r.sticks = speed < tolerance;
  return r;
}

UserLawFault check_user_law(const FrictionUser& law) {
  using Kind = UserLawFault::Kind;
  // Places that are no round numbers lie between: a law may change its sign there.
  for (int i = -1; i <= 100; ++i) {
    const double speed = i < 0 ? 0 : 1e-4 * std::pow(10, 0.05 * i);
    for (double load = 1e-3; load < 2e6; load *= 10) {
      const double mu = law.coefficient(speed, load);
      if (!std::isfinite(mu)) return {Kind::not_finite, speed, load, mu};
      if (mu < 0) return {Kind::feeds_energy, speed, load, mu};
    }
  }
  return {};
}

}  // namespace stiction
