#pragma once

#include "stiction/contact/contact_core.h"

namespace stiction {

/// The closest points of two smooth convex bodies as states of their own (contact-kinematics-2003): p_A and p_B in the
/// frames of the shapes move by the kinematic equations (8), and the distance is
///     gap = n . (X_WB p_B - X_WA p_A),   n the normal of A at p_A                                     (7)
/// What integration lets drift, the exact solver corrects after every step. For shapes with a normal everywhere:
/// spheres, ellipsoids, superquadrics; half-spaces on either side.
struct FollowedPoints {
  Vec3 p_A = Vec3::Zero(), p_B = Vec3::Zero();  ///< [m]
};

/// Can pairs of this shape be followed?
bool can_be_followed(const Shape& shape);

ContactSite calc_followed_site(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                               const FollowedPoints& points);
/// Their velocities over the surfaces, in the shapes' frames [m/s].
FollowedPoints calc_followed_rates(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                                   const ContactSite& site);
/// The points as the exact solver sees them.
FollowedPoints find_followed_points(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b);

}  // namespace stiction
