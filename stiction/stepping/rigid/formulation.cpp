#include "stiction/stepping/rigid/formulation.h"

#include <algorithm>

#include "stiction/base/check.h"

namespace stiction {

double calc_closing_bound(double gap, double gap_start, double speed, double h, double step) {
  const double overlap = std::min(0.0, gap_start);
  return -(gap - overlap) / h - overlap / std::max(h, step) + speed;
}

double calc_position_bound(const ContactAtS& contact, double speed) {
  const auto& [gap, gap_start, own_speed, closed_gap, h, step, slack, touching] = contact;
  if (slack == 0) return calc_closing_bound(gap, gap_start, speed, h, step);
  return gap_start > touching ? -(gap_start - slack) / h : 0;
}

AllowedOverlap leave_overlaps(double slack) {
  return slack > 0 ? AllowedOverlap{.overlap = slack} : AllowedOverlap{};
}

std::unique_ptr<Formulation> make_formulation(const MethodSettings& settings, const RigidTolerances& tolerances) {
  using Make = std::unique_ptr<Formulation>(const MethodSettings&, const RigidTolerances&);
  const std::pair<const char*, Make*> table[] = {
      {"cone", make_cone},
      {"stewart_trinkle", make_stewart_trinkle},
      {"berard", make_berard},
      {"anitescu_potra", make_anitescu_potra},
      {"geometric_implicit", make_geometric_implicit},
  };
  for (const auto& [name, make] : table)
    if (settings.type == name) return make(settings, tolerances);
  STICTION_CHECK(false);
}

}  // namespace stiction
