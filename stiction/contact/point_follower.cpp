#include "stiction/contact/point_follower.h"

#include "stiction/geometry/closest/contact_kinematics.h"
#include "stiction/geometry/shape/shape_features.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {

bool can_be_followed(const Shape& shape) {
  return calc_features(shape).followed;
}

ContactSite calc_followed_site(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                               const FollowedPoints& points) {
  ContactSite site;
  site.point_a = a.X_WS * points.p_A;
  site.point_b = b.X_WS * points.p_B;
  // The normal of the plane, where one is a plane, is exact; else that of A.
  site.normal = find_half_space(B) ? Vec3(-(b.X_WS.R * calc_implicit_gradient(B, points.p_B).normalized()))
                                   : Vec3(a.X_WS.R * calc_implicit_gradient(A, points.p_A).normalized());
  site.gap = site.normal.dot(site.point_b - site.point_a);
  site.point = calc_action_point(A, B, site.point_a, site.point_b);
  return site;
}

FollowedPoints calc_followed_rates(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                                   const ContactSite& site) {
  ClosestPoints closest;
  closest.gap = site.gap;
  closest.point_a = site.point_a;
  closest.point_b = site.point_b;
  closest.normal = site.normal;
  const ContactRates rates = calc_contact_rates(A, a.X_WS, {a.w, a.v}, B, b.X_WS, {b.w, b.v}, closest);
  return {a.X_WS.R.transpose() * rates.surface_velocity_a, b.X_WS.R.transpose() * rates.surface_velocity_b};
}

FollowedPoints find_followed_points(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b) {
  const ContactSite site = find_contact_site(A, a, B, b);
  return {a.X_WS.inverse() * site.point_a, b.X_WS.inverse() * site.point_b};
}

}  // namespace stiction
