#pragma once

#include <optional>
#include <utility>

#include "stiction/contact/contact_core.h"

namespace stiction {

/// Closed forms for a sphere with a plane, a sphere, a hollow sphere or a hollow cylinder (gonthier-thesis-2007,
/// Appendix A.2): the pairs of most point contacts. With d the vector to the sphere's centre from the plane, centre or
/// axis:
///     n = +-d/|d|,   dn/dt = w x n + (d'_t - (w x d)_t) / (+-|d|)                                            (1)
/// w of the body that the plane, centre or axis belongs to. The same as calc_closest and calc_contact_rates give, in a
/// tenth of their time: those measure their own residual.

/// The site of a sphere as B; `base` is the other.
inline std::optional<ContactSite> find_sphere_site(const Shape& base, const ContactBody& a, double radius,
                                                   const Vec3& centre) {
  ContactSite site;
  site.share = 1;
  if (const auto* plane = std::get_if<HalfSpace>(&base)) {
    site.normal = a.X_WS.R * plane->normal;
    const double height = site.normal.dot(centre - a.X_WS.p) - plane->offset;
    site.gap = height - radius;
    site.point_a = centre - height * site.normal;
    site.point_b = centre - radius * site.normal;
    return site;
  }
  Vec3 d = centre - a.X_WS.p;
  double surface = 0, sign = -1;
  if (const auto* sphere = std::get_if<Sphere>(&base)) {
    surface = sphere->radius, sign = 1;
    site.share = 0.5;
  } else if (const auto* hollow = std::get_if<HollowSphere>(&base)) {
    surface = hollow->radius;
  } else if (const auto* cylinder = std::get_if<HollowCylinder>(&base)) {
    surface = cylinder->radius;
    const Vec3 axis = a.X_WS.R * cylinder->axis;
    d -= axis.dot(d) * axis;
  } else {
    return std::nullopt;
  }
  const double length = d.norm();
  // In the middle there is no direction: leave it to the general solver.
  if (!(length > 0)) return std::nullopt;
  site.normal = d / (sign * length);
  site.gap = sign * (length - surface) - radius;
  site.point_b = centre - radius * site.normal;
  site.point_a = site.point_b - site.gap * site.normal;
  return site;
}

/// Empty for other pairs.
inline std::optional<ContactSite> find_round_site(const Shape& A, const ContactBody& a, const Shape& B,
                                                  const ContactBody& b) {
  if (const auto* sphere = std::get_if<Sphere>(&B)) return find_sphere_site(A, a, sphere->radius, b.X_WS.p);
  const auto* sphere = std::get_if<Sphere>(&A);
  if (!sphere) return std::nullopt;
  std::optional<ContactSite> site = find_sphere_site(B, b, sphere->radius, a.X_WS.p);
  if (!site) return site;
  std::swap(site->point_a, site->point_b);
  site->normal = -site->normal;
  site->share = 1 - site->share;
  return site;
}

/// dn/dt at such a site; empty for other pairs.
inline std::optional<Vec3> find_round_normal_rate(const Shape& A, const ContactBody& a, const Shape& B,
                                                  const ContactBody& b, const Vec3& n) {
  // The normal of a plane turns with it.
  if (std::holds_alternative<HalfSpace>(A)) return a.w.cross(n);
  if (std::holds_alternative<HalfSpace>(B)) return b.w.cross(n);
  const bool sphere_is_b = std::holds_alternative<Sphere>(B);
  if (!sphere_is_b && !std::holds_alternative<Sphere>(A)) return std::nullopt;
  const Shape& other = sphere_is_b ? A : B;
  const ContactBody &base = sphere_is_b ? a : b, &sphere = sphere_is_b ? b : a;
  const Vec3 d = sphere.X_WS.p - base.X_WS.p;
  Vec3 rate = sphere.v - base.v - base.w.cross(d);
  rate -= n.dot(rate) * n;
  if (const auto* cylinder = std::get_if<HollowCylinder>(&other)) {
    const Vec3 axis = base.X_WS.R * cylinder->axis;
    rate -= axis.dot(rate) * axis;
  } else if (!std::holds_alternative<Sphere>(other) && !std::holds_alternative<HollowSphere>(other)) {
    return std::nullopt;
  }
  // n.d is +-|d|, with the sign that takes n from A to B.
  return base.w.cross(n) + rate / n.dot(d);
}

}  // namespace stiction
