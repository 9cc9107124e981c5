#pragma once

#include "stiction/multibody/system.h"

namespace stiction::test {

/// Small systems, built by hand: the world, then `add_body` for each body.
System make_world(const Vec3& gravity);
/// Adds a body with its inboard joint (also as a named joint) at q = 0, v = 0, and returns its index.
int add_body(System& system, const std::string& name, const MassProperties& mass, const Joint& joint);
/// A free joint in the world.
Joint make_free_joint();
/// 2 kg with principal moments 1, 2, 2.5 kg m^2.
MassProperties make_asymmetric_mass();
MassProperties make_point_mass(double mass);

/// One free body that tumbles, no gravity.
System make_free_body();
/// 2 kg on a slider along x with a spring of 50 N/m and a damper of 0.4 N s/m; starts at x = 0.1 m.
System make_spring_mass();
/// 1 kg, 1 m below the hook as a rope goes, starts at the hook: falls 1 m, then the rope of 400 N/m is taut.
System make_rope();
/// A free body with its centre of mass 1 m from a hinge in the world, the hinge as a constraint; starts horizontal.
System make_constraint_pendulum();
/// Six revolute joints, alternately about z and y, links of 0.4 m, falling under gravity.
System make_arm();
/// A slider along x that follows the function, and a mass on a spring of 30 N/m on it along x.
System make_driven_mass(const TimeFunction& motion);

}  // namespace stiction::test
