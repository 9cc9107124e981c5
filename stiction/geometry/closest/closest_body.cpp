#include "stiction/geometry/closest/closest_body.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/closest/closest_epa.h"
#include "stiction/geometry/closest/closest_feature.h"
#include "stiction/geometry/closest/closest_point.h"
#include "stiction/geometry/closest/closest_smooth.h"
#include "stiction/geometry/shape/radial.h"

namespace stiction {

Vec3 CoreBody::support(const Vec3& d) const {
  switch (core) {
    case Core::point:
      return X.p;
    case Core::segment:
      return d.dot(half) < 0 ? Vec3(X.p - half) : Vec3(X.p + half);
    case Core::circle:
      return X.p + circle * calc_any_radial_unit(d, half);
    case Core::shape:
      break;
  }
  return X * calc_support(*shape, X.R.transpose() * d);
}

Vec3 CoreBody::circle_point(double angle) const {
  const Vec3 u = half.unitOrthogonal();
  return X.p + circle * (std::cos(angle) * u + std::sin(angle) * half.cross(u));
}
Vec3 CoreBody::circle_tangent(double angle) const {
  const Vec3 u = half.unitOrthogonal();
  return -std::sin(angle) * u + std::cos(angle) * half.cross(u);
}

CoreBody make_body(const Shape& shape, const Transform& X_FS) {
  CoreBody body;
  body.shape = &shape;
  body.X = X_FS;
  body.size = calc_size(shape);
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    body.core = CoreBody::Core::point;
    body.radius = sphere->radius;
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    body.core = CoreBody::Core::segment;
    body.half = X_FS.R * (0.5 * capsule->length * capsule->axis);
    body.radius = capsule->radius;
  } else if (const auto* torus = std::get_if<Torus>(&shape)) {
    body.core = CoreBody::Core::circle;
    body.half = X_FS.R * torus->axis;
    body.circle = torus->radius;
    body.radius = torus->tube_radius;
  }
  return body;
}

CoreBody make_point_body(const Vec3& point) {
  CoreBody body;
  body.X.p = point;
  body.core = CoreBody::Core::point;
  return body;
}

namespace {

/// From a point of a core that is thin: a normal across it if x is on it.
CoreProjection project_from(const Vec3& y, const Vec3& x, const Vec3& fallback) {
  const Vec3 d = x - y;
  const double distance = d.norm();
  return {y, distance > 0 ? Vec3(d / distance) : fallback, distance};
}

/// Convex, known by its support map: GJK outside, the expanding polytope inside.
CoreProjection project_by_search(const CoreBody& body, const Vec3& x) {
  const CoreBody point = make_point_body(x);
  GlobalSolution s = solve_gjk(point, body, body.X.p - x, 1e-9 * body.size);
  if (s.overlap || s.normal.isZero(0)) s = PolytopeExpansion(point, body).expand(1e-6 * body.size);
  return {s.y, -s.normal, s.gap};
}

template <class S>
CoreProjection project(const S& s, const CoreBody& body, const Vec3& x) {
  if constexpr (Projectable<S>) {
    const PointProjection p = project_point(s, body.X.inverse() * x);
    return {body.X * p.point, body.X.R * p.normal, p.distance};
  } else {
    const NormalSolution n = solve_smooth(make_point_body(x), body, Vec3::Zero());
    if (n.maximum && n.misfit < 1e-7 * body.size) return {n.y, -n.n, n.phi};
    return project_by_search(body, x);
  }
}
CoreProjection project(const Polytope&, const CoreBody& body, const Vec3& x) {
  return project_by_search(body, x);
}
CoreProjection project(const Cell& s, const CoreBody& body, const Vec3& x) {
  if (s.convex) return project_by_search(body, x);
  const Vec3 x_S = body.X.inverse() * x;
  const ActiveConstraint nearest = find_active_constraints(*body.shape, x_S, 1e300).items[0];
  const Vec3 n = body.X.R * calc_constraint(*body.shape, nearest.id).gradient(x_S).normalized();
  return {x - nearest.distance * n, n, nearest.distance};
}

}  // namespace

CoreProjection project_on_core(const CoreBody& body, const Vec3& x) {
  switch (body.core) {
    case CoreBody::Core::point:
      return project_from(body.X.p, x, Vec3::UnitZ());
    case CoreBody::Core::segment: {
      const double t = std::clamp((x - body.X.p).dot(body.half) / body.half.squaredNorm(), -1.0, 1.0);
      return project_from(body.X.p + t * body.half, x, body.half.unitOrthogonal());
    }
    case CoreBody::Core::circle:
      return project_from(body.support(x - body.X.p), x, body.half);
    case CoreBody::Core::shape:
      break;
  }
  return std::visit([&](const auto& s) { return project(s, body, x); }, *body.shape);
}

}  // namespace stiction
