#include "stiction/stepping/rigid/rigid_step.h"

namespace stiction {
namespace {

/// berard: the semi-implicit scheme of cooking-complementarity-2006, eqs (25)-(35). Everything is taken at the start of
/// the step, the Jacobians W_b, W_n, W_f, the violations Phi of joints and the gaps Psi_n:
///     M v+ = M v + h f + W_b p_b + W_n p_n + W_f p_f                                        (25)
///     0 = Phi/h + W_b' v+ + dPhi/dt                                                         (26), (34)
///     0 <= p_n  orthogonal to  Psi_n/h + W_n' v+ + dPsi_n/dt >= 0                           (31)
///     0 <= p_f  orthogonal to  E sigma + W_f' v+ + dPsi_f/dt >= 0                           (32)
///     0 <= sigma  orthogonal to  U p_n - E' p_f >= 0                                        (33)
///     q+ = q + h v+                                                                         (27)
/// What is left of Phi and Psi_n at the end of a step, (h w)^2 r/2 where a point at distance r turns with w, is taken
/// away in the next one. stewart_trinkle takes the same matrices at q + h v: from rest the first steps of both agree,
/// but its joints damp the motion in proportion to h, and those of (26) hardly do.
///
/// DEPARTURES: the rows of a joint stand in axes that turn with its first body, the paper's in those of the world: 0.4
/// um apart after 2 s in example 4.2. With joints in generalized coordinates there is no (26), and their Coriolis
/// forces are those of the midpoint (free_step.h). f is that of the start, of functions of time too. Impacts with
/// restitution are located and rebound there, and bodies that may rebound fly by the mean of their velocities. Free
/// bodies turn as they would by themselves (free_flight.h).
class FormulationBerard final : public Formulation {
 public:
  FrictionForm friction() const override { return FrictionForm::polyhedral; }
  TimeScheme scheme(bool) const override { return {.theta = 1, .geometry = 0}; }

  void take(RigidStep& parts, const StepTask& task, IslandState& to) const override {
    parts.find_free_velocity(task);  // v + h M^-1 f
    parts.solve_predicted(task);     // (25), (26), (31)-(33) with the matrices at q
    parts.correct_forces(task);      // of joints in generalized coordinates
    parts.move(task, to);            // (27)
  }

  double calc_bound(const ContactAtS& contact) const override { return calc_position_bound(contact, 0); }  // (31)

  bool is_located(const RigidLaw& law) const override { return law.may_rebound(); }
  AllowedOverlap allowed_overlap(double slack) const override { return leave_overlaps(slack); }
};

}  // namespace

std::unique_ptr<Formulation> make_berard(const MethodSettings&, const RigidTolerances&) {
  return std::make_unique<FormulationBerard>();
}

}  // namespace stiction
