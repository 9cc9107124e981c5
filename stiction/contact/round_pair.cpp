#include "stiction/contact/round_pair.h"

#include <cmath>

namespace stiction {
namespace {

/// The pair with the sphere as B; `base` is the other.
std::optional<RoundPair> find_with_sphere(const Shape& base, const ContactBody& a, double radius, const Vec3& centre) {
  RoundPair pair;
  ContactSite& site = pair.site;
  site.share = 1;
  if (const auto* plane = std::get_if<HalfSpace>(&base)) {
    site.normal = a.X_WS.R * plane->normal;
    const double height = site.normal.dot(centre - a.X_WS.p) - plane->offset;
    site.gap = height - radius;
    site.point_a = centre - height * site.normal;
    site.point_b = centre - radius * site.normal;
    return pair;
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
    pair.axis = a.X_WS.R * cylinder->axis;
    d -= pair.axis.dot(d) * pair.axis;
  } else {
    return std::nullopt;
  }
  const double length = d.norm();
  // In the middle there is no direction: leave it to the general solver.
  if (!(length > 0)) return std::nullopt;
  pair.distance = sign * length;
  site.normal = d / pair.distance;
  site.gap = sign * (length - surface) - radius;
  site.point_b = centre - radius * site.normal;
  site.point_a = site.point_b - site.gap * site.normal;
  return pair;
}

}  // namespace

std::optional<RoundPair> find_round_pair(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b) {
  if (const auto* sphere = std::get_if<Sphere>(&B)) return find_with_sphere(A, a, sphere->radius, b.X_WS.p);
  const auto* sphere = std::get_if<Sphere>(&A);
  if (!sphere) return std::nullopt;
  std::optional<RoundPair> pair = find_with_sphere(B, b, sphere->radius, a.X_WS.p);
  if (!pair) return pair;
  pair->sphere_is_b = false;
  ContactSite& site = pair->site;
  std::swap(site.point_a, site.point_b);
  site.normal = -site.normal;
  site.share = 1 - site.share;
  return pair;
}

Vec3 calc_normal_rate(const RoundPair& pair, const ContactBody& a, const ContactBody& b) {
  const ContactBody &base = pair.sphere_is_b ? a : b, &sphere = pair.sphere_is_b ? b : a;
  const Vec3& n = pair.site.normal;
  Vec3 turned = base.w.cross(n);
  if (pair.distance == 0) return turned;
  Vec3 rate = sphere.v - base.v - base.w.cross(sphere.X_WS.p - base.X_WS.p);
  rate -= n.dot(rate) * n + pair.axis.dot(rate) * pair.axis;
  return turned + rate / (pair.sphere_is_b ? pair.distance : -pair.distance);
}

}  // namespace stiction
