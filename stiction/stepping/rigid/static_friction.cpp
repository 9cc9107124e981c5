#include "stiction/stepping/rigid/static_friction.h"

#include <algorithm>
#include <cmath>

namespace stiction {

double calc_friction(const RigidLaw& law, const ContactMemory* before, double slip, double sticking, bool is_start) {
  double dwell = 0;
  if (before && before->active) {
    dwell = std::max(0.0, before->dwell);
  } else if (slip <= sticking) {
    dwell = law.dwell_time == 0 ? 1 : is_start ? law.initial_dwell : 0;
  }
  return law.friction + (law.static_friction - law.friction) * dwell;
}

double calc_dwell(const RigidLaw& law, double mu, bool sticks, double h) {
  if (!sticks || !law.has_static_friction()) return not_sticking;
  if (law.dwell_time == 0) return 1;
  const double start = (mu - law.friction) / (law.static_friction - law.friction);
  return 1 - (1 - start) * std::exp(-h / law.dwell_time);
}

}  // namespace stiction
