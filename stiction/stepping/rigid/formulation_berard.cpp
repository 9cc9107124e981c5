#include <limits>

#include "stiction/stepping/rigid/formulation.h"

namespace stiction {

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
Formulation make_berard(const MethodSettings&, const RigidTolerances&) {
  Formulation formulation;
  formulation.friction = FrictionForm::polyhedral;
  formulation.theta = 1;
  formulation.geometry = 0;
  formulation.own_speed = 0;
  formulation.allowed_overlap = std::numeric_limits<double>::infinity();
  formulation.calc_bound = calc_position_bound;
  formulation.is_located = locates_restitution;
  return formulation;
}

}  // namespace stiction
