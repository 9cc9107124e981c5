#pragma once

#include "stiction/contact/contact_law.h"
#include "stiction/stepping/rigid/contact_memory.h"

namespace stiction {

/// Static above kinetic friction of a rigid contact. Its coefficient has a state, s_dw, that steps do not change while
/// they are solved: the problem of a step has one mu for each contact,
///     mu = mu_C + (mu_S - mu_C) s_dw   where it stuck in the step before,   mu = mu_C   where it slipped         (1)
/// and afterwards, h the length of the step,
///     sticks: s_dw <- 1 - (1 - s_dw) exp(-h / tau_dw),   slips or opens: s_dw <- 0                               (2)
/// (2) is the exact flow of ds/dt = (1 - s) / tau_dw, (3.36) of gonthier-thesis-2007 at rest; tau_dw = 0: s_dw = 1 at
/// once. A contact without a step before it sticks where its surfaces have the same velocity: with tau_dw = 0 it has
/// mu_S, else s_dw is 0, and `initial_dwell` at the start of a run.
/// By (1) every step is Coulomb's problem: what is known of its solutions holds, and friction only takes energy.
/// DEPARTURES from a law at every instant: the step in which a contact breaks away has mu_S to its end, an impulse of
/// (mu_S - mu_C) f_n h at most. mu does not follow the speed of slip (no Stribeck curve). Friction during an impact has
/// the coefficient of the instant before it.
/// LIMIT: of several contacts that mu_C would let slip and mu_S holds, (1) finds that they stick; whether they slipped
/// before decides, as hysteresis does in nature.
double calc_friction(const RigidLaw& law, const ContactMemory* before, double slip, double sticking, bool is_start);

/// s_dw after a (sub)step of length h that had the coefficient mu, by (2); below 0: it does not stick.
double calc_dwell(const RigidLaw& law, double mu, bool sticks, double h);

}  // namespace stiction
