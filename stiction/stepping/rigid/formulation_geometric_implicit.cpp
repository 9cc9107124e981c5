#include <limits>

#include "stiction/stepping/rigid/formulation.h"

namespace stiction {
namespace {

/// gap(q+) + h (u_n+ - u_n(v_linear)) >= 0: gap(q+) >= 0 where v_linear is v+.
double calc_end_bound(const Formulation&, const ContactAtS& contact) {
  return -contact.gap / contact.h + contact.speed;
}

}  // namespace

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
/// those of the paper's problem. The iteration has Anderson acceleration where it is slow (rigid_step.cpp). (5) is posed
/// on the cone itself (solvers/cone/cone.h), which is regular at p_n = 0 where (5) as printed is not. Rotations are
/// composed, q + h G v would leave the unit quaternions; free bodies turn as free_flight.h says. A step that is not
/// solved is halved and taken again, up to ten times (a thousandth of the step), and counted as rejected. The falling
/// rod needs none up to h = 50 ms; ten only bounds the work. Restitution, which the paper does not have, acts at located
/// times of impact as in the other formulations. Compliant layers (eqs 10-15): layer_step.h.
Formulation make_geometric_implicit(const MethodSettings& settings, const RigidTolerances&) {
  Formulation formulation;
  formulation.friction = FrictionForm::cone;
  formulation.theta = 1;
  formulation.geometry = 1;
  formulation.own_speed = 1;
  formulation.s_iterations = settings.nonlinear_iterations;
  formulation.halvings = 10;
  formulation.allowed_overlap = std::numeric_limits<double>::infinity();
  formulation.calc_bound = calc_end_bound;
  formulation.is_located = locates_restitution;
  return formulation;
}

}  // namespace stiction
