#include <limits>

#include "stiction/stepping/rigid/formulation.h"

namespace stiction {

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
Formulation make_stewart_trinkle(const MethodSettings& settings, const RigidTolerances&) {
  Formulation formulation;
  formulation.friction = FrictionForm::polyhedral;
  formulation.theta = 1;
  formulation.geometry = 1;
  formulation.own_speed = 1;
  formulation.s_iterations = settings.nonlinear ? settings.nonlinear_iterations : 0;
  formulation.allowed_overlap = std::numeric_limits<double>::infinity();
  formulation.calc_bound = calc_position_bound;
  formulation.is_located = locates_restitution;
  return formulation;
}

}  // namespace stiction
