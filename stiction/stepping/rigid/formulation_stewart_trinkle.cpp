#include "stiction/stepping/rigid/rigid_step.h"

namespace stiction {
namespace {

/// stewart_trinkle: the linear complementarity problem of stewart-trinkle-2000, eqs (13)-(20). The gap is linearised at
/// the configuration that the velocities at the start lead to, s = q + h v (eq. 15):
///     v+ = v + h M^-1 f(start) + M^-1 (G' lambda + J' r)
///     0 <= c_n  orthogonal to  gap(s) + h (u_n+ - u_n(v)) >= 0,   friction on a pyramid (eqs 16-18)
///     q+ = q + h v+
/// Section 3.4 (method.nonlinear): s becomes the configuration the last solution leads to, and n, D, M and k are taken
/// there, until the velocities change no more.
///
/// DEPARTURES: impacts with restitution are located and rebound there; those with e = 0 are left to (15), as in the
/// paper. Bodies that may rebound fly by the mean of their velocities: q + h v+ would take off h v for every flight.
/// Where a fast body would be through another at s, the faces that were nearest at q stand in (15). Free bodies turn as
/// they would by themselves (free_flight.h).
class FormulationStewartTrinkle final : public Formulation {
 public:
  explicit FormulationStewartTrinkle(int iterations) : iterations_(iterations) {}
  FrictionForm friction() const override { return FrictionForm::polyhedral; }
  TimeScheme scheme(bool) const override { return {.theta = 1, .geometry = 1, .implicit = iterations_ > 0}; }

  void take(RigidStep& parts, const StepTask& task, IslandState& to) const override {
    parts.find_free_velocity(task);  // v + h M^-1 f(start)
    parts.solve_predicted(task);     // s = q + h v: (15)-(18)
    if (iterations_ > 0) {
      parts.iterate_s(task, iterations_);  // section 3.4
    } else {
      parts.correct_forces(task);  // of joints
    }
    parts.move(task, to);  // q+ = q + h v+
  }

  /// (15): gap(s) + h (u_n+ - u_n(v)) >= 0
  double calc_bound(const ContactAtS& contact) const override { return calc_position_bound(contact, contact.speed); }

  bool is_located(const RigidLaw& law) const override { return law.may_rebound(); }
  AllowedOverlap allowed_overlap(double slack) const override { return leave_overlaps(slack); }

 private:
  int iterations_ = 0;  ///< of s, at most; 0: s is predicted
};

}  // namespace

std::unique_ptr<Formulation> make_stewart_trinkle(const MethodSettings& settings, const RigidTolerances&) {
  return std::make_unique<FormulationStewartTrinkle>(settings.nonlinear ? settings.nonlinear_iterations : 0);
}

}  // namespace stiction
