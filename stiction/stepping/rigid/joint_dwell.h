#pragma once

#include "stiction/stepping/rigid/rigid_model.h"

namespace stiction {

/// Dwell state s_dw of the static friction of joints in rigid formulations, in z (NamedJoint::dwell_entry). With u the
/// velocity of the coordinate at the end of a step of length h and s = exp(-(u / v_S)^2),
///     s >= s_dw: s_dw <- s + (s_dw - s) exp(-h / tau_dw),   s < s_dw: s_dw <- s                                (1)
/// the exact flow of (3.36) of gonthier-thesis-2007 while u is constant. DEPARTURE: bristles, with whose time the bonds
/// of sliding joints let go there, are rigid here: at once.
/// `kinematics`: at the end of the step.
void update_joint_dwell(const RigidModel& model, const Kinematics& kinematics, double h, State& end);

}  // namespace stiction
