#include "stiction/geometry/closest/closest_residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/closest/closest_feature.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/math/least_norm.h"

namespace stiction {
namespace {

/// How far x is from the surface.
template <class S>
double calc_surface_distance(const S&, const Shape& shape, const Vec3& x) {
  if (count_constraints(shape) > 0) return std::abs(find_active_constraints(shape, x, 1e300).items[0].distance);
  const double slope = calc_implicit_gradient(shape, x).norm();
  return std::abs(calc_implicit(shape, x)) / (slope > 0 ? slope : 1);
}
double calc_surface_distance(const Sphere& s, const Shape&, const Vec3& x) {
  return std::abs(x.norm() - s.radius);  // also of a point, where the implicit function has no scale
}
double calc_surface_distance(const Box& s, const Shape&, const Vec3& x) {
  return std::abs((x.cwiseAbs() - 0.5 * s.size).maxCoeff());
}
double calc_surface_distance(const Polytope& s, const Shape&, const Vec3& x) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const PolytopeFace& face : s.faces) highest = std::max(highest, face.normal.dot(x) - face.offset);
  return std::abs(highest);
}

/// Distance of a unit vector from the cone of non-negative combinations of up to three unit vectors: the least over all
/// subsets whose combination is non-negative.
double calc_cone_distance(const Vec3& n, const Vec3* g, int count) {
  double best = 1;
  for (unsigned subset = 1; subset < (1u << count); ++subset) {
    SmallMat G(3, 0);
    for (int i = 0; i < count; ++i)
      if (subset >> i & 1u) {
        G.conservativeResize(3, G.cols() + 1);
        G.col(G.cols() - 1) = g[i];
      }
    const SmallVec l = solve_least_norm(G, n).x;
    if (l.minCoeff() >= 0) best = std::min(best, (G * l - n).norm());
  }
  return best;
}

/// For intersections of quadrics: angle of n to the cone of the gradients of the constraints active to 1e-9 of the
/// scale.
double calc_constraint_angle(const Shape& shape, const Vec3& x, const Vec3& n, double scale) {
  const ActiveList active = find_active_constraints(shape, x, 1e-9 * scale);
  Vec3 g[3];
  const int count = std::min(active.count, 3);
  for (int i = 0; i < count; ++i) g[i] = calc_constraint(shape, active.items[i].id).gradient(x).normalized();
  return calc_cone_distance(n, g, count);
}

/// How far the point with normal n is from x, along n or as an angle times the shape's size; times the scale of the
/// pair for a half-space, which has none.
template <class S>
double calc_normal_error(const S&, const Shape& shape, const Vec3& x, const Vec3& n, double) {
  return std::abs(n.dot(calc_support(shape, n) - x));
}
double calc_normal_error(const HalfSpace& s, const Shape&, const Vec3&, const Vec3& n, double scale) {
  return (n - s.normal).norm() * scale;
}
double calc_normal_error(const Torus&, const Shape& shape, const Vec3& x, const Vec3& n, double) {
  return (n - calc_implicit_gradient(shape, x).normalized()).norm() * calc_size(shape);
}
double calc_normal_error(const HollowSphere& s, const Shape& shape, const Vec3& x, const Vec3& n, double scale) {
  return calc_constraint_angle(shape, x, n, scale) * s.radius;
}
double calc_normal_error(const HollowCylinder& s, const Shape& shape, const Vec3& x, const Vec3& n, double scale) {
  return calc_constraint_angle(shape, x, n, scale) * s.radius;
}
double calc_normal_error(const Cell& s, const Shape& shape, const Vec3& x, const Vec3& n, double scale) {
  if (s.convex) return std::abs(n.dot(calc_support(shape, n) - x));
  return calc_constraint_angle(shape, x, n, scale) * calc_size(shape);
}

}  // namespace

double calc_side_residual(const Shape& shape, const Transform& X_WS, const Vec3& point, const Vec3& normal,
                          double scale) {
  const Transform X_SW = X_WS.inverse();
  const Vec3 x = X_SW * point, n = X_SW.R * normal;
  return std::visit(
      [&](const auto& s) {
        return std::max(calc_surface_distance(s, shape, x), calc_normal_error(s, shape, x, n, scale));
      },
      shape);
}

double calc_certificate_scale(double sizes, const ClosestPoints& result) {
  const double length = std::max(sizes, std::abs(result.gap));
  if (sizes > 0) return length;
  return std::max({length, result.point_b.norm(), std::numeric_limits<double>::min()});
}

double calc_closest_residual(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                             const ClosestPoints& result) {
  const double scale = calc_certificate_scale(calc_size(A) + calc_size(B), result);
  const double misfit = (result.point_b - result.point_a - result.gap * result.normal).norm();
  return std::max({misfit, calc_side_residual(A, X_WA, result.point_a, result.normal, scale),
                   calc_side_residual(B, X_WB, result.point_b, -result.normal, scale)}) /
         scale;
}

void update_certificate(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                        ClosestPoints& result) {
  result.residual = calc_closest_residual(A, X_WA, B, X_WB, result);
  result.certified = result.residual <= kClosestCertificate;
}

}  // namespace stiction
