#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/closest/closest_concave.h"
#include "stiction/geometry/closest/closest_convex.h"
#include "stiction/geometry/closest/closest_cylinder.h"
#include "stiction/geometry/closest/closest_hollow.h"
#include "stiction/geometry/closest/closest_hull.h"
#include "stiction/geometry/closest/closest_patch.h"
#include "stiction/geometry/closest/closest_point.h"
#include "stiction/geometry/closest/hull.h"
#include "stiction/geometry/shape/radial.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

constexpr double kAlong = 0.99;  ///< cosine between the contact's normal and a face's to clip against that face
constexpr double kSteep = 0.14;  ///< sine of the same angle: between lines and the plane across the normal

struct Contacts {
  double margin;
  double same;  ///< points nearer than this are one [m]
  std::vector<ContactPoint>& points;
  std::size_t first = points.size();
  double lowest = 1e300;

  void add(const ContactPoint& point) {
    if (!(point.gap <= margin)) return;
    for (std::size_t i = first; i < points.size(); ++i)
      if ((points[i].point_b - point.point_b).norm() <= same) return;
    points.push_back(point);
    lowest = std::min(lowest, point.gap);
  }
};

ContactPoint calc_swapped(const ContactPoint& p) {
  return {p.point_b, p.point_a, -p.normal, p.gap, p.id, p.certified};
}

/// Sutherland and Hodgman's clipping of a polygon or segment by the sides of a convex polygon. A corner that clipping
/// makes is named by the side that cut it and the corner after which it stands. Corners within `same` of a side lie on
/// it: edges that lie along each other do not cross, and rounding names no corner anew.
SupportPatch calc_clipped(const SupportPatch& subject, const SupportPatch& clip, double same) {
  SupportPatch one = subject, other;
  SupportPatch *before = &one, *result = &other;
  std::array<double, SupportPatch::kMostCorners> heights;
  for (int side = 0; side < clip.count && before->count > 0; ++side) {
    const Vec3& from = clip.corners[side];
    const Vec3 out = (clip.corners[(side + 1) % clip.count] - from).cross(clip.normal).normalized();
    for (int i = 0; i < before->count; ++i) {
      const double height = out.dot(before->corners[i] - from);
      heights[i] = std::abs(height) <= same ? 0.0 : height;
    }
    result->count = 0;
    // A point has no way, a segment one along it, a polygon goes round.
    const int sides = before->count > 2 ? before->count : before->count - 1;
    for (int i = 0; i < before->count; ++i) {
      if (heights[i] <= 0) result->add(before->corners[i], before->ids[i]);
      const int j = (i + 1) % before->count;
      if (i < sides && ((heights[i] < 0 && heights[j] > 0) || (heights[i] > 0 && heights[j] < 0)))
        result->add(
            before->corners[i] + heights[i] / (heights[i] - heights[j]) * (before->corners[j] - before->corners[i]),
            1000 * (side + 1) + before->ids[i] % 1000);
    }
    std::swap(before, result);
  }
  return *before;
}

/// Corners of B's patch over A's face, each with its own height above the face.
void add_clipped(const SupportPatch& face, const SupportPatch& other, bool swapped, Contacts& contacts) {
  const SupportPatch common = calc_clipped(other, face, contacts.same);
  for (int i = 0; i < common.count; ++i) {
    const double gap = face.normal.dot(common.corners[i] - face.corners[0]);
    const ContactPoint p{common.corners[i] - gap * face.normal, common.corners[i], face.normal, gap, common.ids[i]};
    contacts.add(swapped ? calc_swapped(p) : p);
  }
}

/// Two lines along each other: the ends of their common part.
void add_parallel(const SupportPatch& a, const SupportPatch& b, const Vec3& n, Contacts& contacts) {
  const Vec3 d = (a.corners[1] - a.corners[0]).normalized();
  const Vec3 e = (b.corners[1] - b.corners[0]).normalized();
  if (std::abs(d.dot(e)) < kAlong || std::max(std::abs(d.dot(n)), std::abs(e.dot(n))) > kSteep) return;
  const auto along = [&](const Vec3& x) { return d.dot(x - a.corners[0]); };
  const double b0 = along(b.corners[0]), b1 = along(b.corners[1]);
  const double low = std::max(0.0, std::min(b0, b1)), high = std::min(along(a.corners[1]), std::max(b0, b1));
  if (!(low < high)) return;
  for (int end = 0; end < 2; ++end) {
    const double t = end == 0 ? low : high;
    const Vec3 p = a.corners[0] + t * d, q = b.corners[0] + (t - b0) / (b1 - b0) * (b.corners[1] - b.corners[0]);
    const double gap = n.dot(q - p);
    contacts.add({p, p + gap * n, n, gap, end});
  }
}

/// A half-space: every corner of the patch that faces it, and the other corners, which a turn may bring down.
void add_on_plane(const HalfSpace& plane, const Transform& X_WA, const Shape& B, const Transform& X_WB, bool swapped,
                  Contacts& contacts) {
  const Vec3 n = X_WA.R * plane.normal;
  const SupportPatch patch = calc_support_patch(B, X_WB, -n, 4);
  const auto add = [&](const Vec3& corner, int id) {
    const double gap = n.dot(corner - X_WA.p) - plane.offset;
    const ContactPoint p{corner - gap * n, corner, n, gap, id};
    contacts.add(swapped ? calc_swapped(p) : p);
  };
  for (int i = 0; i < patch.count; ++i) add(patch.corners[i], patch.ids[i]);
  if (const auto* box = std::get_if<Box>(&B)) {
    for (int i = 0; i < 8; ++i) add(X_WB * vertex_of(*box, i), i);
  } else if (const auto* polytope = std::get_if<Polytope>(&B)) {
    for (std::size_t i = 0; i < polytope->vertices.size(); ++i) add(X_WB * polytope->vertices[i], static_cast<int>(i));
  }
}

/// A hollow sphere or cylinder around a body: the body's extreme points, each against the wall nearest to it.
template <class Hollow>
void add_inside(const Hollow& hollow, const Transform& X_WA, const Shape& B, const Transform& X_WB, bool swapped,
                Contacts& contacts) {
  const Transform X_AW = X_WA.inverse();
  const auto add = [&](const Vec3& core, double radius, int id) {
    const PointProjection wall = project_point(hollow, X_AW * core);
    const Vec3 n = X_WA.R * wall.normal;
    const ContactPoint p{X_WA * wall.point, core - radius * n, n, wall.distance - radius, id};
    contacts.add(swapped ? calc_swapped(p) : p);
  };
  if (const auto* box = std::get_if<Box>(&B)) {
    for (int i = 0; i < 8; ++i) add(X_WB * vertex_of(*box, i), 0, i);
  } else if (const auto* polytope = std::get_if<Polytope>(&B)) {
    for (std::size_t i = 0; i < polytope->vertices.size(); ++i)
      add(X_WB * polytope->vertices[i], 0, static_cast<int>(i));
  } else if (const auto* capsule = std::get_if<Capsule>(&B)) {
    for (int i = 0; i < 2; ++i) add(X_WB * Vec3((i - 0.5) * capsule->length * capsule->axis), capsule->radius, i);
  } else if (const auto* cylinder = std::get_if<Cylinder>(&B)) {
    // The farthest points of each rim from the centre or axis: b <- support(outward at b), from both sides; the nearer
    // to the wall of the two has the rim's first name.
    const Vec3 axis = X_WB.R * cylinder->axis;
    const auto inward = [&](const Vec3& x) { return Vec3(X_WA.R * project_point(hollow, X_AW * x).normal); };
    for (int rim = 0; rim < 2; ++rim) {
      const Vec3 centre = X_WB.p + (rim - 0.5) * cylinder->length * axis;
      std::array<Vec3, 2> b;
      for (int start = 0; start < 2; ++start) {
        Vec3 radial = (start == 0 ? -1 : 1) * calc_any_radial_unit(inward(centre), axis);
        for (int pass = 0; pass < 100; ++pass) {
          const Vec3 next = calc_any_radial_unit(-inward(centre + cylinder->radius * radial), axis);
          const double turn = (next - radial).norm();
          radial = next;
          if (turn < 1e-15) break;
        }
        b[start] = centre + cylinder->radius * radial;
      }
      const auto gap = [&](const Vec3& x) { return project_point(hollow, X_AW * x).distance; };
      if (gap(b[1]) < gap(b[0])) std::swap(b[0], b[1]);
      add(b[0], 0, rim);
      add(b[1], 0, rim + 2);
    }
  }
}

/// A sphere against a sphere or a half-space, which heaps are made of: one point, in closed form. False: they are not,
/// or have no direction.
bool add_of_sphere(const Shape& A, const Transform& X_WA, const Sphere& b, const Vec3& centre, double margin,
                   std::vector<ContactPoint>& points) {
  ContactPoint point;
  if (const auto* a = std::get_if<Sphere>(&A)) {
    const Vec3 line = centre - X_WA.p;
    const double distance = line.norm();
    if (!(distance > 0)) return false;
    point.normal = line / distance;
    point.gap = distance - a->radius - b.radius;
    point.point_a = X_WA.p + a->radius * point.normal;
  } else if (const auto* plane = std::get_if<HalfSpace>(&A)) {
    point.normal = X_WA.R * plane->normal;
    const double height = point.normal.dot(centre - X_WA.p) - plane->offset;
    point.gap = height - b.radius;
    point.point_a = centre - height * point.normal;
  } else {
    return false;
  }
  point.point_b = centre - b.radius * point.normal;
  point.id = -1;
  if (point.gap <= margin) points.push_back(point);
  return true;
}

/// A cell with complements: a peg in a bore, or all solutions of the general search, the closest first. The cell is A.
bool add_of_concave(const Cell& cell, const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                    bool swapped, double margin, std::vector<ContactPoint>& points) {
  const std::size_t first = points.size();
  bool known = true;
  if (!add_bore_contacts(cell, X_WA, B, X_WB, margin, points)) {
    const CoreBody body_a = make_body(A, {}), body_b = make_body(B, X_WA.inverse() * X_WB);
    Contacts contacts{margin, 1e-3 * std::min(calc_size(A), calc_size(B)), points};
    int id = -1;
    const std::vector<ClosestPoints> solutions = solve_concave_all(body_a, body_b);
    const ClosestPoints& closest = solutions.front();
    known = closest.certified || calc_gap_between_planes(A, X_WA, B, X_WB, X_WA.R * closest.normal) > margin;
    for (const ClosestPoints& s : solutions) {
      contacts.add({X_WA * s.point_a, X_WA * s.point_b, X_WA.R * s.normal, s.gap, id, s.certified});
      ++id;
    }
  }
  for (std::size_t i = first; swapped && i < points.size(); ++i) points[i] = calc_swapped(points[i]);
  return known;
}

/// A gap above the margin may be a lower bound of it.
ClosestPoints find_closest(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                           double margin) {
  if (is_hull(B)) {
    if (is_hull(A)) return solve_hulls(A, X_WA, B, X_WB, margin);
    if (std::holds_alternative<Cylinder>(A)) return solve_cylinder_hull(A, X_WA, B, X_WB, margin);
  }
  if (is_hull(A) && std::holds_alternative<Cylinder>(B))
    return calc_swapped(solve_cylinder_hull(B, X_WB, A, X_WA, margin));
  return calc_closest(A, X_WA, B, X_WB);
}

}  // namespace

double calc_gap_between_planes(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                               const Vec3& nhat) {
  if (!is_bounded(A) || !is_bounded(B)) return -std::numeric_limits<double>::infinity();
  const Vec3 a = X_WA * calc_support(A, X_WA.R.transpose() * nhat);
  const Vec3 b = X_WB * calc_support(B, X_WB.R.transpose() * -nhat);
  return nhat.dot(b - a);
}

bool calc_contact_points(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB, double margin,
                         std::vector<ContactPoint>& points) {
  const auto* sphere = std::get_if<Sphere>(&B);
  if (sphere && add_of_sphere(A, X_WA, *sphere, X_WB.p, margin, points)) return true;
  const auto* cell_a = std::get_if<Cell>(&A);
  const auto* cell_b = std::get_if<Cell>(&B);
  if (cell_a && !cell_a->convex && is_bounded(B))
    return add_of_concave(*cell_a, A, X_WA, B, X_WB, false, margin, points);
  if (cell_b && !cell_b->convex && is_bounded(A))
    return add_of_concave(*cell_b, B, X_WB, A, X_WA, true, margin, points);
  const ClosestPoints closest = find_closest(A, X_WA, B, X_WB, margin);
  if (!(closest.gap <= margin))
    return closest.certified || calc_gap_between_planes(A, X_WA, B, X_WB, closest.normal) > margin;
  const double size = calc_size(A) + calc_size(B);
  Contacts contacts{margin, 1e-7 * size, points};
  if (const auto* plane = std::get_if<HalfSpace>(&A))
    add_on_plane(*plane, X_WA, B, X_WB, false, contacts);
  else if (const auto* other = std::get_if<HalfSpace>(&B))
    add_on_plane(*other, X_WB, A, X_WA, true, contacts);
  else if (const auto* ball = std::get_if<HollowSphere>(&A))
    add_inside(*ball, X_WA, B, X_WB, false, contacts);
  else if (const auto* ball_b = std::get_if<HollowSphere>(&B))
    add_inside(*ball_b, X_WB, A, X_WA, true, contacts);
  else if (const auto* bore = std::get_if<HollowCylinder>(&A))
    add_inside(*bore, X_WA, B, X_WB, false, contacts);
  else if (const auto* bore_b = std::get_if<HollowCylinder>(&B))
    add_inside(*bore_b, X_WB, A, X_WA, true, contacts);
  else {
    // A's face is the reference unless B's is clearly better aligned with the normal: no change back and forth between
    // faces that lie along each other. A cap is then a polygon of many corners.
    const SupportPatch face_a = calc_support_patch(A, X_WA, closest.normal, 16);
    const SupportPatch face_b = calc_support_patch(B, X_WB, -closest.normal, 16);
    const double along_a = face_a.count > 2 ? face_a.normal.dot(closest.normal) : 0;
    const double along_b = face_b.count > 2 ? -face_b.normal.dot(closest.normal) : 0;
    if (along_a > kAlong && along_a >= along_b - 1e-4)
      add_clipped(face_a, calc_support_patch(B, X_WB, -face_a.normal, 4), false, contacts);
    else if (along_b > kAlong)
      add_clipped(face_b, calc_support_patch(A, X_WA, -face_b.normal, 4), true, contacts);
    else if (face_a.count == 2 && face_b.count == 2)
      add_parallel(face_a, face_b, closest.normal, contacts);
  }
  // The closest points themselves, unless a corner is as close.
  if (contacts.lowest > closest.gap + 1e-9 * size)
    points.push_back({closest.point_a, closest.point_b, closest.normal, closest.gap, -1});
  for (std::size_t i = contacts.first; i < points.size(); ++i) points[i].certified = closest.certified;
  return closest.certified;
}

}  // namespace stiction
