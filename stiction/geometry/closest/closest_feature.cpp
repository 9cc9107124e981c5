#include "stiction/geometry/closest/closest_feature.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/least_norm.h"

namespace stiction {
namespace {

void add(ActiveList& list, int id, double distance, double reach) {
  if (!(distance > -reach)) return;
  // Keep the list sorted, the most violated first.
  int place = list.count;
  while (place > 0 && list.items[place - 1].distance < distance) --place;
  if (place == static_cast<int>(list.items.size())) return;
  list.count = std::min(list.count + 1, static_cast<int>(list.items.size()));
  for (int i = list.count - 1; i > place; --i) list.items[i] = list.items[i - 1];
  list.items[place] = {id, distance};
}
double calc_distance(const Quadric& f, const Vec3& x) {
  const double slope = f.gradient(x).norm();
  return slope > 0 ? f.value(x) / slope : std::copysign(1e300, f.value(x));
}

/// |x|^2 - (a'x)^2 - (r0 + r1 a'x)^2: a cylinder (r1 = 0) or cone about the axis a, scaled by 1/(2 r0).
Quadric make_round_quadric(const Vec3& a, double r0, double r1) {
  const double scale = 1 / (2 * r0);
  return {scale * (Mat3::Identity() - (1 + r1 * r1) * a * a.transpose()), scale * (-r0 * r1 * a), -scale * r0 * r0};
}

int count_of(const HalfSpace&) {
  return 1;
}
int count_of(const Box&) {
  return 6;
}
int count_of(const Cylinder&) {
  return 3;
}
int count_of(const Cone&) {
  return 3;
}
int count_of(const Ellipsoid&) {
  return 1;
}
int count_of(const Polytope& s) {
  return static_cast<int>(s.faces.size());
}
int count_of(const Cell& s) {
  return static_cast<int>(s.constraints.size());
}
int count_of(const HollowSphere&) {
  return 1;
}
int count_of(const HollowCylinder&) {
  return 1;
}
template <class Other>
int count_of(const Other&) {
  return 0;
}

Quadric constraint_of(const HalfSpace& s, int) {
  return make_plane_quadric(s.normal, s.offset);
}
Quadric constraint_of(const Box& s, int id) {
  const int axis = id / 2;
  return make_plane_quadric(id % 2 == 0 ? Vec3(Vec3::Unit(axis)) : Vec3(-Vec3::Unit(axis)), 0.5 * s.size[axis]);
}
Quadric constraint_of(const Cylinder& s, int id) {
  if (id == 0) return make_round_quadric(s.axis, s.radius, 0);
  return make_plane_quadric(id == 1 ? s.axis : Vec3(-s.axis), 0.5 * s.length);
}
Quadric constraint_of(const Cone& s, int id) {
  if (id == 0) return make_round_quadric(s.axis, s.radius, (s.top_radius - s.radius) / s.height);
  return id == 1 ? make_plane_quadric(s.axis, s.height) : make_plane_quadric(-s.axis, 0);
}
Quadric constraint_of(const Ellipsoid& s, int) {
  return {Mat3(s.semi_axes.cwiseAbs2().cwiseInverse().asDiagonal()), Vec3::Zero(), -1};
}
Quadric constraint_of(const Polytope& s, int id) {
  const PolytopeFace& face = s.faces[id];
  return make_plane_quadric(face.normal, face.offset);
}
Quadric constraint_of(const Cell& s, int id) {
  return s.constraints[id];
}
Quadric constraint_of(const HollowSphere& s, int) {
  return {-Mat3::Identity() / (2 * s.radius), Vec3::Zero(), 0.5 * s.radius};
}
Quadric constraint_of(const HollowCylinder& s, int) {
  return calc_complement(make_round_quadric(s.axis, s.radius, 0));
}
template <class Other>
Quadric constraint_of(const Other&, int) {
  return {};
}

template <class S>
void collect(const S& s, const Vec3& x, double reach, ActiveList& list) {
  const int count = count_of(s);
  for (int id = 0; id < count; ++id) add(list, id, calc_distance(constraint_of(s, id), x), reach);
}
void collect(const Polytope& s, const Vec3& x, double reach, ActiveList& list) {
  for (std::size_t id = 0; id < s.faces.size(); ++id)
    add(list, static_cast<int>(id), s.faces[id].normal.dot(x) - s.faces[id].offset, reach);
}

/// Round sides by their distance in the half-plane through the axis, which stays exact at the apex of a cone.
void collect_round(const Vec3& axis, const Vec3& x, double r0, double r1, double bottom, double top, double reach,
                   ActiveList& list) {
  const double height = x.dot(axis), distance = (x - height * axis).norm();
  add(list, 0, (distance - r0 - r1 * height) / std::sqrt(1 + r1 * r1), reach);
  add(list, 1, height - top, reach);
  add(list, 2, bottom - height, reach);
}
void collect(const Cylinder& s, const Vec3& x, double reach, ActiveList& list) {
  collect_round(s.axis, x, s.radius, 0, -0.5 * s.length, 0.5 * s.length, reach, list);
}
void collect(const Cone& s, const Vec3& x, double reach, ActiveList& list) {
  collect_round(s.axis, x, s.radius, (s.top_radius - s.radius) / s.height, 0, s.height, reach, list);
}

void collect(const HollowCylinder& s, const Vec3& x, double reach, ActiveList& list) {
  add(list, 0, s.radius - (x - x.dot(s.axis) * s.axis).norm(), reach);
}

/// A corner where planes meet, and the apex of a cone: a point known beforehand.
bool find_corner(const Box& s, const Vec3& x, const int*, int count, Vec3& corner) {
  for (int i = 0; i < 3; ++i) corner[i] = std::copysign(0.5 * s.size[i], x[i]);
  return count >= 3;
}
bool find_corner(const Polytope& s, const Vec3& x, const int*, int count, Vec3& corner) {
  corner = s.vertices[0];
  for (const Vec3& v : s.vertices)
    if ((v - x).squaredNorm() < (corner - x).squaredNorm()) corner = v;
  return count >= 3;
}
bool find_corner(const Cone& s, const Vec3&, const int* ids, int count, Vec3& corner) {
  corner = s.height * s.axis;
  return s.top_radius == 0 && std::find(ids, ids + count, 1) != ids + count;
}
template <class Other>
bool find_corner(const Other&, const Vec3&, const int*, int, Vec3&) {
  return false;
}

void add(FeatureList& list, const Feature& feature) {
  if (list.count < static_cast<int>(list.items.size())) list.items[list.count++] = feature;
}
Feature make_point(const CoreBody& body, const Vec3& point) {
  Feature f;
  f.body = &body;
  f.point = point;
  return f;
}

/// A hollow cylinder is endless: its frame is put beside x, where the quadric's terms do not cancel.
void move_along_bore(const Vec3& x_S, Feature& f) {
  if (const auto* bore = std::get_if<HollowCylinder>(f.body->shape))
    f.X.p += f.X.R * (x_S.dot(bore->axis) * bore->axis);
}

void find_segment_features(const CoreBody& body, const Vec3& x, FeatureList& list) {
  const double t = (x - body.X.p).dot(body.half) / body.half.squaredNorm();
  const Feature end = make_point(body, t < 0 ? Vec3(body.X.p - body.half) : Vec3(body.X.p + body.half));
  // The line as two planes that meet in it.
  Feature line;
  line.kind = Feature::Kind::surfaces;
  line.body = &body;
  line.two_sided = true;
  line.count = 2;
  line.ids = {-1, -1, -1};
  const Vec3 u = body.half.unitOrthogonal(), v = body.half.normalized().cross(u);
  line.X.p = body.X.p;
  line.surfaces[0] = make_plane_quadric(u, 0);
  line.surfaces[1] = make_plane_quadric(v, 0);
  const bool at_end = std::abs(t) > 1 - 1e-6;
  add(list, at_end ? end : line);
  add(list, at_end ? line : end);
}

}  // namespace

int count_constraints(const Shape& shape) {
  return std::visit([](const auto& s) { return count_of(s); }, shape);
}
Quadric calc_constraint(const Shape& shape, int id) {
  return std::visit([&](const auto& s) { return constraint_of(s, id); }, shape);
}
ActiveList find_active_constraints(const Shape& shape, const Vec3& x, double reach) {
  ActiveList list;
  std::visit([&](const auto& s) { collect(s, x, reach, list); }, shape);
  return list;
}

Feature make_constraint_feature(const Shape& shape, const Transform& X_FS, const int* ids, int count) {
  Feature f;
  f.kind = Feature::Kind::surfaces;
  f.X = X_FS;
  f.count = std::min(count, 3);
  for (int i = 0; i < f.count; ++i) {
    f.ids[i] = ids[i];
    f.surfaces[i] = calc_constraint(shape, ids[i]);
  }
  const auto* cone = std::get_if<Cone>(&shape);
  if (cone && cone->top_radius < 0.5 * cone->radius) {
    // About the apex, near which the quadric's terms would cancel if taken about the base.
    const double slope = (cone->radius - cone->top_radius) / cone->height;
    const Vec3 apex = cone->radius / slope * cone->axis;
    f.X.p += X_FS.R * apex;
    for (int i = 0; i < f.count; ++i) {
      Quadric& q = f.surfaces[i];
      if (ids[i] == 0) {
        q.A = (Mat3::Identity() - (1 + slope * slope) * cone->axis * cone->axis.transpose()) / (2 * cone->radius);
        q.b.setZero();
        q.c = 0;
      } else {
        q.c += 2 * q.b.dot(apex);
      }
    }
  }
  return f;
}

Feature make_circle_feature(const Vec3& centre, const Vec3& axis, double radius) {
  Feature f;
  f.kind = Feature::Kind::surfaces;
  f.two_sided = true;
  f.count = 2;
  f.ids = {-1, -1, -1};
  f.X.p = centre;
  f.surfaces[0] = make_plane_quadric(axis, 0);
  f.surfaces[1] = make_round_quadric(axis, radius, 0);
  return f;
}

FeatureList find_features(const CoreBody& body, const Vec3& x) {
  FeatureList list;
  if (body.core == CoreBody::Core::point) {
    add(list, make_point(body, body.X.p));
    return list;
  }
  if (body.core == CoreBody::Core::segment) {
    find_segment_features(body, x, list);
    return list;
  }
  if (body.core == CoreBody::Core::circle) {
    Feature f = make_circle_feature(body.X.p, body.half, body.circle);
    f.body = &body;
    add(list, f);
    return list;
  }
  if (count_constraints(*body.shape) > 0) {
    // Everything that is active to within a reach, for several reaches: the solver's point is not exact.
    const Vec3 x_S = body.X.inverse() * x;
    int last = 0;
    for (double reach : {1e-11, 1e-8, 1e-5, 1e-3}) {
      const ActiveList active = find_active_constraints(*body.shape, x_S, reach * body.size);
      if (active.count == last) continue;
      last = active.count;
      std::array<int, 8> ids{};
      for (int i = 0; i < active.count; ++i) ids[i] = active.items[i].id;
      Vec3 corner;
      const bool at_corner =
          std::visit([&](const auto& s) { return find_corner(s, x_S, ids.data(), active.count, corner); }, *body.shape);
      Feature f = at_corner ? make_point(body, body.X * corner)
                            : make_constraint_feature(*body.shape, body.X, ids.data(), active.count);
      f.body = &body;
      move_along_bore(x_S, f);
      add(list, f);
    }
    if (list.count == 0) {
      const ActiveList nearest = find_active_constraints(*body.shape, x_S, 1e300);
      if (nearest.count > 0) {
        Feature f = make_constraint_feature(*body.shape, body.X, &nearest.items[0].id, 1);
        f.body = &body;
        move_along_bore(x_S, f);
        add(list, f);
      }
    }
  }
  const bool smooth = std::holds_alternative<Ellipsoid>(*body.shape) ||
                      std::holds_alternative<Superquadric>(*body.shape) ||
                      std::holds_alternative<Parametric>(*body.shape);
  if (smooth) {
    Feature f;
    f.kind = Feature::Kind::smooth;
    f.body = &body;
    add(list, f);
    if (std::holds_alternative<Superquadric>(*body.shape)) {
      f.kind = Feature::Kind::gauge;
      f.X = body.X;
      f.count = 1;
      f.ids = {-1, -1, -1};
      add(list, f);
    }
  }
  return list;
}

FeatureList find_features_by_normal(const CoreBody& body, const Vec3& x, const Vec3& normal, double reach) {
  if (body.core != CoreBody::Core::shape || count_constraints(*body.shape) < 2) return find_features(body, x);
  const Vec3 x_S = body.X.inverse() * x, n_S = body.X.R.transpose() * normal;
  const ActiveList active = find_active_constraints(*body.shape, x_S, reach);
  struct Set {
    std::array<int, 3> ids{};
    int count = 0;
    double angle = 0;
  };
  std::array<Set, 92> sets;
  int set_count = 0;
  std::array<Vec3, 8> g;
  for (int i = 0; i < active.count; ++i)
    g[i] = calc_constraint(*body.shape, active.items[i].id).gradient(x_S).normalized();
  for (unsigned subset = 1; subset < (1u << active.count); ++subset) {
    Set set;
    Mat3 G = Mat3::Zero();
    for (int i = 0; i < active.count && set.count <= 3; ++i)
      if (subset >> i & 1u) {
        if (set.count < 3) set.ids[set.count] = active.items[i].id, G.col(set.count) = g[i];
        ++set.count;
      }
    if (set.count > 3) continue;
    // The part of the normal outside the cone, to first order: clipped weights.
    const Vec3 l = solve_least_norm(G, n_S).x.cwiseMax(0);
    set.angle = (G * l - n_S).norm();
    sets[set_count++] = set;
  }
  std::sort(sets.begin(), sets.begin() + set_count,
            [](const Set& a, const Set& b) { return a.angle + 1e-9 * a.count < b.angle + 1e-9 * b.count; });
  FeatureList list;
  for (int i = 0; i < set_count && list.count < static_cast<int>(list.items.size()); ++i) {
    Feature f = make_constraint_feature(*body.shape, body.X, sets[i].ids.data(), sets[i].count);
    f.body = &body;
    add(list, f);
  }
  return list;
}

}  // namespace stiction
