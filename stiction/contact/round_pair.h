#pragma once

#include <cmath>

#include "stiction/contact/contact_core.h"

namespace stiction {

/// Closed forms for a sphere with a plane, a sphere, a hollow sphere or a hollow cylinder (gonthier-thesis-2007,
/// Appendix A.2): the pairs of most point contacts. With d the vector to the sphere's centre from the plane, centre or
/// axis:
///     n = +-d/|d|,   dn/dt = w x n + (d'_t - (w x d)_t) / (+-|d|)                                            (1)
/// w of the body that the plane, centre or axis belongs to. The same as calc_closest and calc_contact_rates give, in a
/// tenth of their time: those measure their own residual.

/// Where a sphere meets its base, the other shape.
struct RoundMeeting {
  Vec3 normal;       ///< from the base to the sphere, at the sphere's lowest point
  double gap = 0;    ///< [m]
  double share = 0;  ///< of the gap between the sphere and the average tangent plane
};
/// False for other bases than these.
inline bool meet_sphere(const Shape& base, const Transform& X_WS, double radius, const Vec3& centre,
                        RoundMeeting& meeting) {
  Vec3 d = centre - X_WS.p;
  if (const auto* plane = std::get_if<HalfSpace>(&base)) {
    meeting.normal = X_WS.R * plane->normal;
    meeting.gap = meeting.normal.dot(d) - plane->offset - radius;
    return true;
  }
  double surface = 0, sign = -1;
  if (const auto* sphere = std::get_if<Sphere>(&base)) {
    surface = sphere->radius, sign = 1;
    meeting.share = 0.5;
  } else if (const auto* hollow = std::get_if<HollowSphere>(&base)) {
    surface = hollow->radius;
  } else if (const auto* cylinder = std::get_if<HollowCylinder>(&base)) {
    surface = cylinder->radius;
    const Vec3 axis = X_WS.R * cylinder->axis;
    d -= axis.dot(d) * axis;
  } else {
    return false;
  }
  const double square = d.squaredNorm(), length = std::sqrt(square);
  // In the middle there is no direction: leave it to the general solver.
  if (!(length > 1e-100)) return false;
  // 1 / length: the division does not wait for the root.
  meeting.normal = d * (sign * length * (1 / square));
  meeting.gap = sign * (length - surface) - radius;
  return true;
}

/// The site of such a pair; false for others.
inline bool find_round_site(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                            ContactSite& site) {
  RoundMeeting meeting;
  if (const auto* sphere = std::get_if<Sphere>(&B)) {
    if (!meet_sphere(A, a.X_WS, sphere->radius, b.X_WS.p, meeting)) return false;
    site.normal = meeting.normal;
    site.point = b.X_WS.p - (sphere->radius + meeting.share * meeting.gap) * meeting.normal;
    site.point_b = b.X_WS.p - sphere->radius * meeting.normal;
    site.point_a = site.point_b - meeting.gap * meeting.normal;
  } else if (const auto* ball = std::get_if<Sphere>(&A)) {
    if (!meet_sphere(B, b.X_WS, ball->radius, a.X_WS.p, meeting)) return false;
    site.normal = -meeting.normal;
    site.point = a.X_WS.p - (ball->radius + meeting.share * meeting.gap) * meeting.normal;
    site.point_a = a.X_WS.p - ball->radius * meeting.normal;
    site.point_b = site.point_a - meeting.gap * meeting.normal;
  } else {
    return false;
  }
  site.gap = meeting.gap;
  return true;
}

/// Its gap alone.
inline bool find_round_gap(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b, double& gap) {
  RoundMeeting meeting;
  bool found = false;
  if (const auto* sphere = std::get_if<Sphere>(&B)) {
    found = meet_sphere(A, a.X_WS, sphere->radius, b.X_WS.p, meeting);
  } else if (const auto* ball = std::get_if<Sphere>(&A)) {
    found = meet_sphere(B, b.X_WS, ball->radius, a.X_WS.p, meeting);
  }
  gap = meeting.gap;
  return found;
}

/// The turn of the contact frame (contact_core.h, eq. 1) at such a site, `spin` = n . (w_b - w_a); false for other
/// pairs. With (1) and n x (w x n) = w - n (n . w) it is, w of the base, + where A is the base:
///     turn = w +- n spin / 2 + n x (d' - w x d) / (n . d)                                                    (2)
/// of a plane without the last term; of a cylinder d' - w x d without its part along the axis.
inline bool find_round_turn(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b, const Vec3& n,
                            double spin, Vec3& turn) {
  if (std::holds_alternative<HalfSpace>(A)) {
    turn = a.w + (0.5 * spin) * n;
    return true;
  }
  if (std::holds_alternative<HalfSpace>(B)) {
    turn = b.w - (0.5 * spin) * n;
    return true;
  }
  const bool sphere_is_b = std::holds_alternative<Sphere>(B);
  if (!sphere_is_b && !std::holds_alternative<Sphere>(A)) return false;
  const Shape& other = sphere_is_b ? A : B;
  const ContactBody &base = sphere_is_b ? a : b, &sphere = sphere_is_b ? b : a;
  const Vec3 d = sphere.X_WS.p - base.X_WS.p;
  Vec3 rate = sphere.v - base.v - base.w.cross(d);
  if (const auto* cylinder = std::get_if<HollowCylinder>(&other)) {
    const Vec3 axis = base.X_WS.R * cylinder->axis;
    rate -= axis.dot(rate) * axis;
  } else if (!std::holds_alternative<Sphere>(other) && !std::holds_alternative<HollowSphere>(other)) {
    return false;
  }
  // n.d is +-|d|, with the sign that takes n from A to B.
  turn = base.w + (sphere_is_b ? 0.5 * spin : -0.5 * spin) * n + n.cross(rate) / n.dot(d);
  return true;
}

}  // namespace stiction
