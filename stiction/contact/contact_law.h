#pragma once

#include <string>

#include "stiction/contact/restitution.h"
#include "stiction/math/vector.h"

namespace stiction {

/// How the speed after an impact follows from that before.
enum class RestitutionHypothesis {
  newton,   ///< u_n+ = -e u_n-: the speeds (Newton 1687)
  poisson,  ///< p_restitution = e p_compression: the impulses (Poisson 1817; Glocker and Pfeiffer 1995)
  stronge,  ///< W_restitution = e^2 W_compression: the work of the normal impulses (Stronge 1990)
};

/// The law of a rigid contact: no penetration, Coulomb friction, restitution. With u = velocity of B against A at the
/// contact and r the impulse on B, normal component first:
///     0 <= r_n  orthogonal to  gap >= 0                                                                       (1)
///     (r_t / e_t)^2 + (r_o / e_o)^2 + (r_s / e_r)^2 <= (mu r_n)^2,  dissipating as much as possible           (2)
/// (2) is eq. (5) of compliant-implicit-2007: t and o are two directions of the tangent plane, s is the spin about the
/// normal. e_t = e_o = 1 and e_r = 0 give Coulomb's isotropic law, which bears no moment.
struct RigidLaw {
  double friction = 0;           ///< mu [-]
  double static_friction = 0;    ///< mu_S [-]; below mu: there is none
  double dwell_time = 0;         ///< tau_dw with which it builds up [s]; 0: at once (stepping/rigid/static_friction.h)
  double initial_dwell = 0;      ///< s_dw of contacts that touch at the start [-]
  double restitution = 0;        ///< e [-], 0 <= e <= 1
  double restitution_slope = 0;  ///< alpha [s/m]; > 0: e = 1 - alpha v instead (restitution.h)
  RestitutionHypothesis hypothesis = RestitutionHypothesis::newton;
  double along = 1, across = 1;   ///< e_t, e_o [-]
  double spin_radius = 0;         ///< e_r [m]
  Vec3 direction = Vec3::Zero();  ///< of e_t, in the frame of the first body of the pair; zero: any

  bool has_static_friction() const { return static_friction > friction; }
  bool may_rebound() const { return restitution > 0 || restitution_slope > 0; }
  /// e of an impact that closes at that speed.
  double calc_restitution(double approach) const {
    return stiction::calc_restitution(restitution, restitution_slope, approach);
  }
};

}  // namespace stiction
