#include "stiction/stepping/rigid/formulation.h"

namespace stiction {
namespace {

/// What touches does not close, what is open may close.
double calc_velocity_bound(const Formulation&, const ContactAtS& contact) {
  return contact.gap > contact.closed_gap ? -contact.gap / contact.h : 0;
}

}  // namespace

/// anitescu_potra: the same problem at the velocity level (stewart-trinkle-2000, section 3.3; Anitescu and Potra 1997).
/// Contacts at q alone:
///     v+ = v + h M(q)^-1 f(start) + M(q)^-1 (G' lambda + J' r)
///     0 <= c_n  orthogonal to  u_n+ >= 0  where it touches, u_n+ >= -gap/h where it is open
///     q+ = q + h v+
/// Positions that overlap are then corrected by the smallest motion in the kinetic metric, velocities untouched; what
/// that takes against gravity is in the ledger as stabilisation.
///
/// DEPARTURES: impacts with restitution are located and rebound there. Bodies that may rebound fly by the mean of their
/// velocities. Free bodies turn as they would by themselves (free_flight.h).
Formulation make_anitescu_potra(const MethodSettings&, const RigidTolerances& tolerances) {
  Formulation formulation;
  formulation.friction = FrictionForm::polyhedral;
  formulation.theta = 1;
  formulation.allowed_overlap = tolerances.rounding_overlap;
  formulation.has_slack = false;
  formulation.calc_bound = calc_velocity_bound;
  formulation.is_located = locates_restitution;
  return formulation;
}

}  // namespace stiction
