#include "stiction/stepping/rigid/rigid_step.h"

namespace stiction {
namespace {

/// cone: Coulomb's law on the exact cone, non-smooth contact dynamics (Moreau 1988; Jean 1999; theta-method of
/// Acary and Brogliato 2008, section 10.1). With s = q + (1 - theta) h v:
///     v+ = v + h M(s)^-1 f(s) + M(s)^-1 (G' lambda + J' r)
///     0 <= r_n  orthogonal to  u_n+ + gap(s)/h >= 0,   r in the cone, u_t+ against r_t
///     q+ = q + h ((1 - theta) v + theta v+)
/// theta = 1/2 is of second order in smooth phases: forces that depend on velocities, and the rotation of free bodies,
/// are taken at v + (1 - theta) (v_free - v) first and, where impulses act, once more with the velocities that came
/// out. A gap that is left over is closed within two steps whatever theta is: at theta = 1/2 the gap at the next
/// midpoint is exactly 0 in linear terms. Contacts that run smoothly are asked for the velocities that they have at the
/// end of the step instead of at s: (3) of step_problem.h.
///
/// Every time of impact is located, with e = 0 too: contacts that are open at the start of a step have no part in (2)
/// until they touch.
///
/// DEPARTURES: theta = 1 takes f at the midpoint. Overlaps beyond 1e-4 of the size that are left at the end of a step
/// are corrected without friction, velocities untouched: gaps are linearised, and bodies that turn fast leave them.
/// Such bodies take a step in parts of RigidTolerances::linear_turn.
/// With high friction rigid bodies can wedge: no finite impulse closes the gaps of rounding that are left of an impact.
/// Gaps of up to 1e-6 of the size are tolerated at contacts that were loaded before if the problem is not solved, or
/// only by impulses beyond twice the last and ten times what stops the bodies (rigid_step.cpp).
class FormulationCone final : public Formulation {
 public:
  FormulationCone(double theta, const RigidTolerances& tolerances)
      : theta_(theta), overlap_{.overlap = tolerances.deep_overlap, .part = tolerances.deep_overlap_part} {}
  FrictionForm friction() const override { return FrictionForm::cone; }
  TimeScheme scheme(bool locating) const override {
    if (!locating) return {.theta = 1, .geometry = 0, .force_ahead = 0.5, .mean_flight = true};
    return {.theta = theta_, .geometry = 1 - theta_, .force_ahead = theta_ < 1 ? 1 - theta_ : 0.5};
  }

  void take(RigidStep& parts, const StepTask& task, IslandState& to) const override {
    parts.find_free_velocity(task);  // v + h M(s)^-1 f(s)
    parts.solve_predicted(task);     // s = q + (1 - theta) h v: r, lambda, v+
    parts.correct_forces(task);      // f at the velocities that came out
    parts.move(task, to);            // q+ = q + h ((1 - theta) v + theta v+)
  }

  double calc_bound(const ContactAtS& contact) const override { return calc_position_bound(contact, 0); }

  bool is_located(const RigidLaw&) const override { return true; }
  AllowedOverlap allowed_overlap(double slack) const override { return slack > 0 ? leave_overlaps(slack) : overlap_; }
  double most_turn(const RigidTolerances& tolerances) const override { return tolerances.linear_turn; }

 private:
  double theta_ = 0.5;
  AllowedOverlap overlap_;
};

}  // namespace

std::unique_ptr<Formulation> make_cone(const MethodSettings& settings, const RigidTolerances& tolerances) {
  return std::make_unique<FormulationCone>(settings.theta, tolerances);
}

}  // namespace stiction
