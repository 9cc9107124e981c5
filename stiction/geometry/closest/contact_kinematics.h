#pragma once

#include "stiction/geometry/closest/closest.h"

namespace stiction {

/// Velocities of the closest points of two moving bodies (contact-kinematics-2003, eqs 5 and 8, corrected: the printed
/// (8) has its two unknowns swapped).
struct ContactRates {
  double gap_rate = 0;                     ///< d phi / dt [m/s]
  Vec3 point_a_velocity = Vec3::Zero();    ///< d a_A / dt in W [m/s]
  Vec3 point_b_velocity = Vec3::Zero();    ///< d a_B / dt in W
  Vec3 surface_velocity_a = Vec3::Zero();  ///< of a_A over the surface of A, as seen from A, in the axes of W
  Vec3 surface_velocity_b = Vec3::Zero();
  Vec3 normal_rate = Vec3::Zero();  ///< d nhat / dt in W [1/s]
  bool regular = true;  ///< false: flats lie along each other or phi <= phi_min: the points' velocities are not unique,
                        ///< the solution of smallest norm is given
};

/// Twist of a body: angular velocity, and velocity of the point at the origin of its shape frame, axes of W.
struct BodyTwist {
  Vec3 w = Vec3::Zero();  ///< [rad/s]
  Vec3 v = Vec3::Zero();  ///< [m/s]
};

ContactRates calc_contact_rates(const Shape& A, const Transform& X_WA, const BodyTwist& V_WA, const Shape& B,
                                const Transform& X_WB, const BodyTwist& V_WB, const ClosestPoints& closest);

}  // namespace stiction
