#include "stiction/stepping/rigid/rigid_step.h"

namespace stiction {
namespace {

/// geometric_implicit: dynamics and contact geometry solved together at the end of the step (compliant-implicit-2007,
/// eqs 4-6, 9). With W, M, f and the closest points a_1, a_2 at q+:
///     M v+ = M v + h f + W_n p_n + W_t p_t + W_o p_o + W_r p_r,   q+ = q + h v+                                (4)
///     p in the friction ellipsoid, largest dissipation with the velocities v+                                 (5)
///     0 <= p_n  orthogonal to  gap(a_1, a_2) >= 0,   a_1, a_2 the closest points of the bodies at q+        (6), (9)
/// No gap is linearised, no contact is sought at the start of the step.
///
/// DEPARTURES: the closest points are eliminated: at each iterate of q+ they are the certified solution of (9)
/// (geometry/closest), and (4)-(6) are solved for v+ and p with the gap's derivative there (Josephy-Newton in the gap,
/// fixed point in W and M), until the velocities change by less than method.nonlinear_tolerance: the solutions are
/// those of the paper's problem. Where the iteration is slow, Newton's method goes on with (4)-(6) as one mixed
/// complementarity problem (end_newton.h), or it has Anderson acceleration (rigid_step.cpp). (5) is posed on the cone
/// itself (solvers/cone/cone.h), which is regular at p_n = 0 where (5) as printed is not. Rotations are composed, q + h
/// G v would leave the unit quaternions; free bodies turn as free_flight.h says. Chains of joints, which the paper does
/// not have, take M and f at the midpoint (free_step.h). A step that is not solved is halved and taken again, up to ten
/// times (a thousandth of the step), and counted as rejected. The falling rod needs none up to h = 50 ms; ten only
/// bounds the work. Restitution, which the paper does not have, acts at located times of impact as in the other
/// formulations. Compliant layers (eqs 10-15): layer_step.h.
class FormulationGeometricImplicit final : public Formulation {
 public:
  explicit FormulationGeometricImplicit(int iterations) : iterations_(iterations) {}
  FrictionForm friction() const override { return FrictionForm::cone; }
  TimeScheme scheme(bool) const override { return {.theta = 1, .geometry = 1, .implicit = true}; }

  void take(RigidStep& parts, const StepTask& task, IslandState& to) const override {
    parts.find_free_velocity(task);      // v + h M^-1 f, f at the start for the first iterate
    parts.solve_predicted(task);         // the first iterate: q+ = q + h v
    parts.iterate_s(task, iterations_);  // (4)-(6), (9) at q+
    parts.move(task, to);                // q+ = q + h v+
  }

  /// gap(q+) + h (u_n+ - u_n(v_linear)) >= 0: (6) where v_linear is v+.
  double calc_bound(const ContactAtS& contact) const override { return -contact.gap / contact.h + contact.speed; }

  bool is_located(const RigidLaw& law) const override { return law.may_rebound(); }
  AllowedOverlap allowed_overlap(double slack) const override { return leave_overlaps(slack); }
  int halvings() const override { return 10; }

 private:
  int iterations_ = 0;  ///< at most
};

}  // namespace

std::unique_ptr<Formulation> make_geometric_implicit(const MethodSettings& settings, const RigidTolerances&) {
  return std::make_unique<FormulationGeometricImplicit>(settings.nonlinear_iterations);
}

}  // namespace stiction
