#include "stiction/stepping/rigid/formulation.h"

#include <algorithm>

namespace stiction {

double calc_closing_bound(const Formulation& formulation, double gap, double speed, double h, double step) {
  const double gap_start = gap - formulation.geometry * h * speed;
  const double overlap = std::min(0.0, gap_start);
  return -(gap - overlap) / h - overlap / std::max(h, step) + formulation.own_speed * speed;
}

double calc_position_bound(const Formulation& formulation, const ContactAtS& contact) {
  if (contact.slack == 0) return calc_closing_bound(formulation, contact.gap, contact.speed, contact.h, contact.step);
  const double gap_start = contact.gap - formulation.geometry * contact.h * contact.speed;
  return gap_start > contact.touching ? -(gap_start - contact.slack) / contact.h : 0;
}

Formulation make_formulation(const MethodSettings& settings, const RigidTolerances& tolerances) {
  if (settings.type == "cone") return make_cone(settings, tolerances);
  if (settings.type == "stewart_trinkle") return make_stewart_trinkle(settings, tolerances);
  if (settings.type == "berard") return make_berard(settings, tolerances);
  if (settings.type == "geometric_implicit") return make_geometric_implicit(settings, tolerances);
  return make_anitescu_potra(settings, tolerances);
}

Formulation make_first_order(const Formulation& formulation) {
  Formulation rest = formulation;
  rest.omits_located = false;
  if (formulation.friction == FrictionForm::cone && formulation.s_iterations == 0) {
    rest.theta = 1;
    rest.geometry = 0;
    rest.force_ahead = 0.5;
    rest.mean_flight = true;
  }
  return rest;
}

}  // namespace stiction
