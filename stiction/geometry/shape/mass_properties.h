#pragma once

#include "stiction/math/transform.h"

namespace stiction {

/// Mass, centre of mass and inertia of a body, resolved in the body's frame B.
struct MassProperties {
  double mass = 0;              ///< [kg]
  Vec3 com = Vec3::Zero();      ///< p_BBcm [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, axes of B [kg m^2]
};

/// The same matter seen from frame A, where the properties are given in frame B.
MassProperties calc_transformed(const MassProperties& of_B, const Transform& X_AB);
/// Two pieces of matter, both given in the same frame, as one (parallel-axis theorem).
MassProperties calc_sum(const MassProperties& a, const MassProperties& b);

/// What is physically wrong with an inertia tensor; `none` if some distribution of mass has it.
enum class InertiaFault { none, not_finite, not_symmetric, not_positive, triangle_inequality };
/// The triangle inequality J1 + J2 >= J3 of the principal moments holds with a relative slack of 1e-9, so that a
/// plate or a rod, where it is an equality, passes.
InertiaFault find_inertia_fault(const Mat3& inertia);

}  // namespace stiction
