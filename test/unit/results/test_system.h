#pragma once

#include "stiction/multibody/system.h"

namespace stiction {

/// Small systems put together by hand, and states of them.

/// One body `ball` in free fall, gravity along -z, and a body `floor` that is fixed.
System make_falling_ball();
/// At time t of a throw from p0 with v0, turning with w about its z axis; exact.
struct Throw {
  Vec3 p0 = Vec3(1, 2, 3), v0 = Vec3(4, 5, 6);
  double w = 0.5;
};
State make_throw_state(const System& system, const Throw& start, double t);

/// A rod that hangs from `hinge` (revolute about z, at the world's origin), gravity along -y, in either form.
/// Mass 2 kg, centre of mass 0.4 m from the hinge, inertia about z at the centre of mass 0.05 kg m^2; the body's origin
/// lies 0.25 m from the hinge.
inline constexpr double rod_mass = 2, rod_arm = 0.4, rod_inertia = 0.05, rod_gravity = 9.81;
System make_pendulum(JointForm form);
/// Angle from hanging down, and its rate.
State make_pendulum_state(const System& system, double angle, double rate);

}  // namespace stiction
