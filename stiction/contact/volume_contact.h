#pragma once

#include "stiction/contact/contact_core.h"

namespace stiction {

/// Volumetric contact: patch, law, wrench (gonthier-thesis-2007, chapter 4). At the point of action, v and w of B
/// against A, w_n = n . w, w_t = w - w_n n, the approach v_cn = -n . v:
///     f_n = k_v (V - V_ro) (1 + a v_cn) >= 0                                          (4.62), (4.178), (3.44)
///     tau_r = -k_v a K w_t                                                            (4.67), (4.183)
///     f_t, tau_s = friction of a patch of radius r_gyr under the load f_n             (friction_bristle.h)
///     on B: the force f_n n + f_t at the point, the moment tau_r + tau_s n
/// k_v = 1/(1/k_A + 1/k_B) (4.132); a from the restitution and the speed of touch-down, as for points (normal_power.h).
/// DEPARTURES: K for J_s, see volume_patch.h. Where a w_t is large the pressure k_v f_s (1 + a v_n) of (4.59) would be
/// tension at the rear of a rolling patch, and the resultant outside of it. tau_r is bounded: with rho = n x tau_r /
/// f_n the shift of the resultant and S_t the second moments of the patch,
///     V rho . S_t^-1 . rho = V tau_r . K^-1 . tau_r / f_n^2 <= 4                                                 (2)
/// the ellipse of a patch under uniform pressure. Where the bodies part faster than 1/a nothing acts.
/// ENERGY: the elastic force k_v (V - V_ro) n is the gradient of
///     E = k_v/2 int f_s^2 dS                                                                                    (1)
/// where n does not depend on the place: half-spaces with PatchNormal::area, round pairs. In general it is no gradient,
/// and E is the work that it has taken, integrated along with the motion (ContactState::elastic); what is left of it
/// when the bodies part is booked then. A force that is no gradient, or whose offset V_ro fades (3.45), may give more
/// than it has taken. That is fed, and booked as such when it happens: with P = k_v (V - V_ro) v_cn what it takes,
///     dE/dt = P,   but where E <= 0 and P < 0:  dE/dt = 0, -f_n v_cn is fed                                      (3)
/// so that E >= 0 never exceeds what can be given back. An energy of the offset, as points have it, would need the way
/// (V - V_ro) / A_c, which has no bound: A_c is the size of a vector sum and vanishes where a patch goes around a body.
/// Damping takes k_v a (V v_cn^2 + w_t . K w_t) >= 0.
/// LIMITS: one flat plate. Surfaces that wrap around each other are to be cut into cells, each with a patch.

/// All but `turn`; depth is the mean depth h_v.
ContactMotion calc_patch_motion(const VolumePatch& patch, const ContactBody& a, const ContactBody& b);

/// Motion, with its turn where the law keeps a deflection, and response at a patch with volume. law.volume is set, the
/// normal law a NormalPower of exponent 1.
void evaluate_patch(const VolumePatch& patch, const ContactSides& sides, const CompliantLaw& law,
                    const ContactStateView& state, const ContactRateView& rate, ContactEvaluation& to);

/// E of (1): exact where one body is a half-space, V times the depth of the centroid under its plane; for others
/// 2/3 V^2 / A_c, which is exact for paraboloids and wedges, and 4/3 of it for bodies of constant section [J].
double calc_elastic_energy(const VolumePatch& patch, const ContactSides& sides, double stiffness);

}  // namespace stiction
