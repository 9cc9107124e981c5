#include "stiction/geometry/closest/closest.h"

#include <cmath>
#include <limits>

#include "stiction/geometry/closest/closest_concave.h"
#include "stiction/geometry/closest/closest_convex.h"
#include "stiction/geometry/closest/closest_cylinder.h"
#include "stiction/geometry/closest/closest_hollow.h"
#include "stiction/geometry/closest/closest_hull.h"
#include "stiction/geometry/closest/closest_point.h"
#include "stiction/geometry/closest/closest_residual.h"
#include "stiction/geometry/closest/closest_smooth.h"
#include "stiction/geometry/closest/closest_torus.h"

namespace stiction {
namespace {

template <class S, class... Options>
constexpr bool is_one_of = (std::is_same_v<S, Options> || ...);
template <class S>
constexpr bool is_unbounded = is_one_of<S, HalfSpace, HollowSphere, HollowCylinder>;
template <class S>
constexpr bool is_hollow = is_one_of<S, HollowSphere, HollowCylinder>;
/// Strictly convex with a smooth support map, or a point.
template <class S>
constexpr bool is_smooth = is_one_of<S, Sphere, Ellipsoid, Superquadric, Parametric>;
template <class S>
constexpr bool is_plain_convex =
    is_one_of<S, Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid, Superquadric, Polytope, Parametric>;

struct Pair {
  const Shape& A;
  const Transform& X_WA;
  const Shape& B;
  const Transform& X_WB;
  ClosestCache* cache;

  Transform X_AB() const { return X_WA.inverse() * X_WB; }
  Vec3 warm_normal() const { return cache ? cache->normal_A : Vec3(Vec3::Zero()); }
};

/// Two unbounded shapes always overlap without end, but for two half-spaces back to back.
ClosestPoints solve_unbounded(const Pair& p) {
  ClosestPoints r;
  r.gap = -std::numeric_limits<double>::infinity();
  r.residual = std::numeric_limits<double>::infinity();
  const auto *a = std::get_if<HalfSpace>(&p.A), *b = std::get_if<HalfSpace>(&p.B);
  if (!a || !b) return r;
  const Vec3 n_a = p.X_WA.R * a->normal, n_b = p.X_WB.R * b->normal;
  const double tilt = (n_a + n_b).norm();
  if (tilt > kClosestCertificate) return r;
  r.normal = n_a;
  r.point_a = p.X_WA.p + a->offset * n_a;
  const double height_b = n_b.dot(p.X_WB.p) + b->offset;
  r.gap = -height_b - n_a.dot(r.point_a);
  r.point_b = r.point_a + r.gap * n_a;
  r.residual = tilt;
  r.certified = true;
  return r;
}

/// The plane's normal is the normal, the other's lowest point the point.
ClosestPoints solve_half_space(const HalfSpace& a, const Pair& p) {
  const CoreBody B = make_body(p.B, p.X_WB);
  ClosestPoints r;
  r.normal = p.X_WA.R * a.normal;
  r.point_b = B.support(-r.normal) - B.radius * r.normal;
  r.gap = r.normal.dot(r.point_b - p.X_WA.p) - a.offset;
  r.point_a = r.point_b - r.gap * r.normal;
  update_certificate(p.A, p.X_WA, p.B, p.X_WB, r);
  return r;
}
ClosestPoints solve_half_space_sphere(const HalfSpace& a, const Sphere& b, const Pair& p) {
  ClosestPoints r;
  r.normal = p.X_WA.R * a.normal;
  const double height = r.normal.dot(p.X_WB.p - p.X_WA.p) - a.offset;
  r.gap = height - b.radius;
  r.point_b = p.X_WB.p - b.radius * r.normal;
  r.point_a = p.X_WB.p - height * r.normal;
  // By the measure of calc_closest_residual: the only error is that of the points' distance along the normal.
  r.residual =
      std::abs(r.normal.dot(r.point_b - r.point_a) - r.gap) / calc_certificate_scale(std::sqrt(3.0) * b.radius, r);
  r.certified = r.residual <= kClosestCertificate;
  return r;
}

/// A sphere's centre against the other's surface.
template <Projectable S>
ClosestPoints solve_sphere(const S& a, const Sphere& b, const Pair& p) {
  const PointProjection f = project_point(a, p.X_WA.R.transpose() * (p.X_WB.p - p.X_WA.p));
  ClosestPoints r;
  r.normal = p.X_WA.R * f.normal;
  r.gap = f.distance - b.radius;
  r.point_a = p.X_WA * f.point;
  r.point_b = p.X_WB.p - b.radius * r.normal;
  update_certificate(p.A, p.X_WA, p.B, p.X_WB, r);
  return r;
}

/// Two segments: the nearest of each end to the other segment, and where the lines cross inside both, that.
ClosestPoints solve_capsules(const Pair& p) {
  const CoreBody A = make_body(p.A, {}), B = make_body(p.B, p.X_AB());
  const Vec3 &a = A.half, &b = B.half, d = B.X.p - A.X.p, across = a.cross(b);
  KktPoint best;
  best.phi = std::numeric_limits<double>::infinity();
  const auto attempt = [&](const Vec3& x, const Vec3& y) {
    const double distance = (y - x).norm();
    if (!(distance < best.phi)) return;
    // Segments that meet: out across both.
    if (distance <= 1e-14 * (a.norm() + b.norm())) {
      const bool parallel = across.norm() <= 1e-12 * a.norm() * b.norm();
      best.x = best.y = 0.5 * (x + y);
      best.phi = 0;
      best.n = parallel ? (a.isZero(0) ? b : a).unitOrthogonal() : across.normalized();
      return;
    }
    best.x = x;
    best.y = y;
    best.phi = distance;
    best.n = (y - x) / distance;
  };
  for (double end : {-1.0, 1.0}) {
    const Vec3 x = A.X.p + end * A.half, y = B.X.p + end * B.half;
    attempt(x, project_on_core(B, x).y);
    attempt(project_on_core(A, y).y, y);
  }
  // x = p_A + s a, y = p_B + t b with y - x across both.
  const double det = across.squaredNorm();
  if (det > 0) {
    const double s = d.cross(b).dot(across) / det, t = d.cross(a).dot(across) / det;
    if (std::abs(s) < 1 && std::abs(t) < 1) attempt(A.X.p + s * a, B.X.p + t * b);
  }
  const ClosestPoints r = make_certified(A, B, best);
  return calc_in_world(r.certified ? r : solve_convex(A, B, p.cache), p.X_WA);
}

/// Boxes, polytopes and a cylinder with one of these: no start is needed, none changes the result.
template <class Solver>
ClosestPoints solve_closed_form(Solver solver, const Pair& p) {
  const ClosestPoints r = solver(p.A, p.X_WA, p.B, p.X_WB, std::numeric_limits<double>::infinity());
  if (p.cache) p.cache->normal_A = p.X_WA.R.transpose() * r.normal;
  return r;
}

ClosestPoints solve_general(const Pair& p) {
  const CoreBody A = make_body(p.A, {}), B = make_body(p.B, p.X_AB());
  return calc_in_world(solve_convex(A, B, p.cache), p.X_WA);
}

ClosestPoints finish_smooth(const NormalSolution& s, const CoreBody& A, const CoreBody& B, const Pair& p) {
  KktPoint cores;
  cores.n = s.n;
  cores.x = s.x;
  cores.y = s.y;
  cores.phi = s.phi;
  cores.iterations = s.iterations;
  ClosestPoints r = make_certified(A, B, cores);
  if (!s.maximum || !r.certified) r = solve_convex(A, B, p.cache);
  if (p.cache) p.cache->normal_A = r.normal;
  return calc_in_world(r, p.X_WA);
}
ClosestPoints solve_smooth_pair(const Pair& p) {
  const CoreBody A = make_body(p.A, {}), B = make_body(p.B, p.X_AB());
  const ClosestPoints r = finish_smooth(solve_smooth(A, B, p.warm_normal()), A, B, p);
  // Deep inside each other phi has many maxima: the shallowest is then sought by the expanding polytope, too.
  if (!(r.gap < -0.1 * std::min(A.size, B.size))) return r;
  const ClosestPoints other = calc_in_world(solve_convex(A, B, nullptr), p.X_WA);
  return other.certified && other.gap > r.gap ? other : r;
}
ClosestPoints solve_ellipsoid_pair(const Ellipsoid& a, const Ellipsoid& b, const Pair& p) {
  const CoreBody A = make_body(p.A, {}), B = make_body(p.B, p.X_AB());
  return finish_smooth(solve_ellipsoids(a.semi_axes, b.semi_axes, B.X, p.warm_normal()), A, B, p);
}

/// A solver of two bodies that keeps no memory.
ClosestPoints solve_bodies(ClosestPoints (*solver)(const CoreBody&, const CoreBody&), const Pair& p) {
  return calc_in_world(solver(make_body(p.A, {}), make_body(p.B, p.X_AB())), p.X_WA);
}

/// Every pair, in either order: a pair that no rule names does not compile.
template <class SA, class SB>
ClosestPoints solve_pair(const SA& a, const SB& b, const Pair& p) {
  const auto swapped = [&] { return calc_swapped(solve_pair(b, a, Pair{p.B, p.X_WB, p.A, p.X_WA, p.cache})); };
  if constexpr (is_unbounded<SA> && is_unbounded<SB>) {
    return solve_unbounded(p);
  } else if constexpr (is_one_of<SA, HalfSpace> && is_one_of<SB, Sphere>) {
    return solve_half_space_sphere(a, b, p);
  } else if constexpr (is_one_of<SB, Sphere> && Projectable<SA>) {
    return solve_sphere(a, b, p);
  } else if constexpr (is_one_of<SA, Sphere> && Projectable<SB>) {
    return swapped();
  } else if constexpr (is_one_of<SA, Cell> && !is_one_of<SB, Cell>) {
    if (!a.convex) return solve_bodies(solve_concave, p);
    if constexpr (is_one_of<SB, HalfSpace>)
      return swapped();
    else if constexpr (is_hollow<SB> || is_one_of<SB, Torus>)
      return swapped();
    else
      return solve_general(p);
  } else if constexpr (is_one_of<SB, Cell> && !is_one_of<SA, Cell>) {
    if (!b.convex) return swapped();
    if constexpr (is_one_of<SA, HalfSpace>)
      return solve_half_space(a, p);
    else if constexpr (is_hollow<SA>)
      return solve_bodies(solve_hollow, p);
    else if constexpr (is_one_of<SA, Torus>)
      return solve_bodies(solve_torus, p);
    else
      return solve_general(p);
  } else if constexpr (is_one_of<SA, Cell> && is_one_of<SB, Cell>) {
    if (!a.convex) return solve_bodies(solve_concave, p);
    if (!b.convex) return swapped();
    return solve_general(p);
  } else if constexpr (is_one_of<SA, HalfSpace>) {
    return solve_half_space(a, p);
  } else if constexpr (is_one_of<SA, Torus>) {
    return solve_bodies(solve_torus, p);
  } else if constexpr (is_hollow<SA> && !is_one_of<SB, Torus>) {
    return solve_bodies(solve_hollow, p);
  } else if constexpr (is_one_of<SB, HalfSpace, Torus> || is_hollow<SB>) {
    return swapped();
  } else if constexpr (is_one_of<SA, Capsule> && is_one_of<SB, Capsule>) {
    return solve_capsules(p);
  } else if constexpr (is_one_of<SA, Ellipsoid> && is_one_of<SB, Ellipsoid>) {
    return solve_ellipsoid_pair(a, b, p);
  } else if constexpr (is_smooth<SA> && is_smooth<SB>) {
    return solve_smooth_pair(p);
  } else if constexpr (is_one_of<SA, Box, Polytope> && is_one_of<SB, Box, Polytope>) {
    return solve_closed_form(solve_hulls, p);
  } else if constexpr (is_one_of<SA, Cylinder> && is_one_of<SB, Box, Polytope>) {
    return solve_closed_form(solve_cylinder_hull, p);
  } else if constexpr (is_one_of<SA, Box, Polytope> && is_one_of<SB, Cylinder>) {
    return swapped();
  } else {
    static_assert(is_plain_convex<SA> && is_plain_convex<SB>, "a pair of shapes without a solver");
    return solve_general(p);
  }
}

}  // namespace

ClosestPoints calc_closest(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                           ClosestCache* cache) {
  const Pair pair{A, X_WA, B, X_WB, cache};
  // The pair of most scenes, ahead of the table of all pairs.
  const auto* half_space = std::get_if<HalfSpace>(&A);
  const auto* sphere = std::get_if<Sphere>(&B);
  if (half_space && sphere) return solve_half_space_sphere(*half_space, *sphere, pair);
  return std::visit([&](const auto& a, const auto& b) { return solve_pair(a, b, pair); }, A, B);
}

}  // namespace stiction
