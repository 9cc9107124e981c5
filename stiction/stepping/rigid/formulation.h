#pragma once

#include <string>

#include "stiction/contact/contact_law.h"
#include "stiction/stepping/method.h"
#include "stiction/stepping/rigid/tolerances.h"

namespace stiction {

/// How friction is posed.
enum class FrictionForm {
  cone,        ///< the exact cone (solvers/cone/cone.h)
  polyhedral,  ///< a pyramid of `directions` edges (stewart-trinkle-2000, eqs 13-20)
};

/// One contact as (2) sees it.
struct ContactAtS {
  double gap = 0;          ///< at s [m]
  double speed = 0;        ///< of the gap on the way to s, and at which it is linearised there [m/s]
  double closed_gap = 0;   ///< gaps below it touch [m]
  double h = 0, step = 0;  ///< this (sub)step, a whole step [s]
  double slack = 0;        ///< jammed islands: gaps at the start up to this count as 0; else 0 [m]
  double touching = 0;     ///< likewise, of this contact: more where it was loaded before [m]
};

/// A rigid formulation: one step of length h from (q, v), impulses and velocities its unknowns, with s the
/// configuration at which contacts, M and constraints G are evaluated:
///     v+ = v_free + M^-1 (G' lambda + J' r),   q+ = q + h ((1 - theta) v + theta v+)                           (1)
///     0 <= r_n  orthogonal to  u_n+ >= bound,   friction by r_t and u_t+,   G v+ = -phi(s)/h + b_G             (2)
/// so that impacts, sticking and jamming need no case distinction. v_free: free_motion.h, free_flight.h.
/// What differs between formulations stands in a value of this type; formulation_NAME.cpp makes it.
///
/// JAMMED ISLANDS (more than FailurePolicy::located_contacts are loaded): gaps there can neither be opened nor closed
/// to first order against friction, and impulses would grow from sweep to sweep in the attempt. Gaps up to a slack
/// therefore count as 0 in (2), and overlaps are left to the position correction.
struct Formulation {
  FrictionForm friction = FrictionForm::cone;
  double theta = 1;            ///< weight of the end velocity in positions
  double geometry = 0;         ///< s = q + geometry h v
  double force_ahead = 0;      ///< forces are taken at q + force_ahead h v, velocities likewise; 0: at the start
  double own_speed = 0;        ///< b_G = own_speed G v, and the same of gaps: 1 where the gap is linearised at s
  int s_iterations = 0;        ///< s follows the solution, so often at most; 0: s is predicted
  int halvings = 0;            ///< an unsolved (sub)step is halved and taken again, so often at most
  double allowed_overlap = 0;  ///< overlaps beyond it are corrected after the step [m]
  double allowed_part = 0;     ///< likewise, as part of the size of a pair: the larger of both counts
  bool has_slack = true;       ///< jammed islands: positions are corrected beyond the slack
  bool omits_located = true;   ///< contacts whose time of impact is sought have no part in (2)
  bool mean_flight = false;    ///< clusters without impulses move by the mean of their velocities whatever theta
  double (*calc_bound)(const Formulation&, const ContactAtS&) = nullptr;  ///< of u_n+ in (2) [m/s]
  bool (*is_located)(const RigidLaw&) = nullptr;  ///< is the time of impact of such contacts sought?
};

Formulation make_cone(const MethodSettings& settings, const RigidTolerances& tolerances);
Formulation make_stewart_trinkle(const MethodSettings& settings, const RigidTolerances& tolerances);
Formulation make_berard(const MethodSettings& settings, const RigidTolerances& tolerances);
Formulation make_anitescu_potra(const MethodSettings& settings, const RigidTolerances& tolerances);
Formulation make_geometric_implicit(const MethodSettings& settings, const RigidTolerances& tolerances);
/// By settings.type.
Formulation make_formulation(const MethodSettings& settings, const RigidTolerances& tolerances);
/// The rest of a step whose impacts are not located: every contact is in (2), restitution acts where the gap closes in
/// free motion (calc_rebound): of first order.
Formulation make_first_order(const Formulation& formulation);

/// -gap/h + own_speed speed, where overlaps from the start are opened at the pace of whole steps: in a short rest of a
/// step 1/h would make a blow of rounding. In jammed islands by the slack.
double calc_position_bound(const Formulation& formulation, const ContactAtS& contact);
/// The same without slack: of joint limits.
double calc_closing_bound(const Formulation& formulation, double gap, double speed, double h, double step);

inline bool locates_all(const RigidLaw&) {
  return true;
}
inline bool locates_restitution(const RigidLaw& law) {
  return law.restitution > 0;
}

}  // namespace stiction
