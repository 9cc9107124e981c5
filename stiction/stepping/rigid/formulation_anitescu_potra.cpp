#include "stiction/stepping/rigid/rigid_step.h"

namespace stiction {
namespace {

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
class FormulationAnitescuPotra final : public Formulation {
 public:
  explicit FormulationAnitescuPotra(const RigidTolerances& tolerances) : rounding_(tolerances.rounding_overlap) {}
  FrictionForm friction() const override { return FrictionForm::polyhedral; }
  TimeScheme scheme(bool) const override { return {.theta = 1, .geometry = 0}; }

  void take(RigidStep& parts, const StepTask& task, IslandState& to) const override {
    parts.find_free_velocity(task);  // v + h M^-1 f(start)
    parts.solve_predicted(task);     // s = q: c_n, friction, lambda, v+
    parts.correct_forces(task);      // of joints
    parts.move(task, to);            // q+ = q + h v+
  }

  double calc_bound(const ContactAtS& contact) const override {
    return contact.gap > contact.closed_gap ? -contact.gap / contact.h : 0;
  }

  bool is_located(const RigidLaw& law) const override { return law.may_rebound(); }
  AllowedOverlap allowed_overlap(double) const override { return {.overlap = rounding_, .roughly = false}; }

 private:
  double rounding_ = 0;  ///< [m]
};

}  // namespace

std::unique_ptr<Formulation> make_anitescu_potra(const MethodSettings&, const RigidTolerances& tolerances) {
  return std::make_unique<FormulationAnitescuPotra>(tolerances);
}

}  // namespace stiction
