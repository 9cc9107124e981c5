#include "stiction/contact/slot_site.h"

#include "stiction/geometry/volume/volume_wall.h"

namespace stiction {
namespace {

/// A ball fixed in one shape against the half-space that the other is.
ContactSite find_ball_site(const HalfSpace& plane, const Transform& X_WP, const Vec3& centre, double radius,
                           bool plane_is_a) {
  const Vec3 up = X_WP.R * plane.normal;
  ContactSite site;
  site.gap = up.dot(centre - X_WP.p) - plane.offset - radius;
  const Vec3 lowest = centre - radius * up, below = lowest - site.gap * up;
  site.point_a = plane_is_a ? below : lowest;
  site.point_b = plane_is_a ? lowest : below;
  site.normal = plane_is_a ? up : Vec3(-up);
  site.point = lowest;
  return site;
}

/// Where a peg begins to touch the wall of a bore.
std::optional<ContactSite> find_wall_site(const ContactSides& sides) {
  const auto& [A, a, B, b] = sides;
  std::optional<WallReach> reach = find_wall_reach(A, B, a.X_WS.inverse() * b.X_WS);
  const bool wall_is_a = reach.has_value();
  if (!reach) reach = find_wall_reach(B, A, b.X_WS.inverse() * a.X_WS);
  if (!reach) return {};
  const Transform& X_WS = wall_is_a ? a.X_WS : b.X_WS;
  ContactSite site;
  site.gap = -reach->depth;
  site.normal = X_WS.R * (wall_is_a ? reach->normal : Vec3(-reach->normal));
  site.point = site.point_a = site.point_b = X_WS * reach->point;
  return site;
}

}  // namespace

ContactSite find_slot_site(const CompliantSlot& slot, const ContactSides& sides) {
  const auto& [A, a, B, b] = sides;
  if (slot.kind != CompliantSlot::Kind::closest) {
    const bool plane_is_a = slot.kind == CompliantSlot::Kind::ball_of_b;
    const ContactBody &plane = plane_is_a ? a : b, &other = plane_is_a ? b : a;
    return find_ball_site(*std::get_if<HalfSpace>(plane_is_a ? &A : &B), plane.X_WS, other.X_WS * slot.centre,
                          slot.radius, plane_is_a);
  }
  if (slot.volume) {
    if (const std::optional<ContactSite> wall = find_wall_site(sides)) return *wall;
  }
  return find_contact_site(A, a, B, b);
}

}  // namespace stiction
