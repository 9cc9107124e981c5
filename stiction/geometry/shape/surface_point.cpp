#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/shape/constraint_visit.h"
#include "stiction/geometry/shape/nested_norm.h"
#include "stiction/geometry/shape/parametric.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/math/least_norm.h"

namespace stiction {
namespace {

/// Tangential part of a tensor.
Mat3 tangential(const Mat3& tensor, const Vec3& n) {
  const Mat3 P = Mat3::Identity() - n * n.transpose();
  return P * tensor * P;
}
/// A quadric's Gauss map: g_* = P hess P / |grad|.
Mat3 curvature_of(const Quadric& f, const Vec3& x) {
  const Vec3 g = f.gradient(x);
  return tangential(f.hessian(), g.normalized()) / g.norm();
}

SurfacePoint surface_point(const Capsule& s, const Vec3& x) {
  const double z = x.dot(s.axis), along = std::clamp(z, -0.5 * s.length, 0.5 * s.length);
  const Vec3 n = (x - along * s.axis).normalized();
  Mat3 curvature = (Mat3::Identity() - n * n.transpose()) / s.radius;
  if (along == z) curvature -= s.axis * s.axis.transpose() / s.radius;
  return {along * s.axis + s.radius * n, n, curvature};
}
SurfacePoint surface_point(const Torus& s, const Vec3& x) {
  const Vec3 r = x - x.dot(s.axis) * s.axis, outward = r.norm() > 0 ? Vec3(r.normalized()) : s.axis.unitOrthogonal();
  const Vec3 n = (x - s.radius * outward).normalized(), around = s.axis.cross(outward);
  // Around the tube 1/tube_radius; around the ring cos/(radius + tube_radius cos).
  const double c = n.dot(outward);
  const Vec3 t = around.cross(n);
  return {s.radius * outward + s.tube_radius * n, n,
          t * t.transpose() / s.tube_radius + c / (s.radius + s.tube_radius * c) * around * around.transpose()};
}
SurfacePoint surface_point(const Superquadric& s, const Vec3& x) {
  const NestedNorm gauge{s.semi_axes.cwiseInverse(), 2 / s.e1, 2 / s.e2};
  const Vec3 point = x / gauge.value(x), g = gauge.gradient(point), n = g.normalized();
  const Mat3 H = gauge.hessian(point);
  if (!H.allFinite()) return {point, n, Mat3::Zero(), false};
  return {point, n, tangential(H, n) / g.norm()};
}
SurfacePoint surface_point(const Parametric& s, const Vec3& normal) {
  const ParametricPoint p = calc_parametric_point(*s.surface, normal);
  return {p.patch.point, normal, calc_curvature(p.patch, normal)};
}
SurfacePoint of_constraints(const Shape& shape, const Vec3& x, const Vec3& normal) {
  const double near = 1e-7 * std::max(calc_size(shape), 1e-300);
  // Of the surfaces through x the one whose normal fits best; a shape of one surface has no choice.
  Quadric best, only;
  double alignment = -2, only_cosine = -1;
  int count = 0;
  visit_constraints(shape, [&](const Quadric& f) {
    const Vec3 g = f.gradient(x);
    const double length = g.norm(), cosine = length > 0 ? g.dot(normal) / length : -1;
    if (++count == 1) only = f, only_cosine = cosine;
    if (std::abs(f.value(x)) > near * std::max(length, 1.0)) return;
    if (cosine > alignment) alignment = cosine, best = f;
  });
  if (count == 1) alignment = only_cosine, best = only;
  if (alignment < -1.5) return {x, normal, Mat3::Zero(), false};
  // One Newton step along the gradient puts x on the surface; a second one to rounding.
  Vec3 point = x;
  for (int pass = 0; pass < 3; ++pass) {
    const Vec3 g = best.gradient(point);
    if (g.squaredNorm() > 0) point -= best.value(point) / g.squaredNorm() * g;
  }
  const Vec3 g = best.gradient(point);
  if (!(g.norm() > 0)) return {x, normal, Mat3::Zero(), false};
  return {point, g.normalized(), curvature_of(best, point), 1 - alignment < 1e-10};
}

bool is_at_apex(const Cone& s, const Vec3& x) {
  return s.top_radius == 0 && (x - s.height * s.axis).norm() < 1e-7 * s.height;
}
SurfacePoint make_apex_point(const Cone& s, const Vec3& normal) {
  return {s.height * s.axis, normal, Mat3::Zero(), false};
}

/// Nonnegative weights with sum weight_k gradient_k nearest to the normal, for one to three gradients.
double fit_weights(SurfaceFeature& feature, const Vec3& normal) {
  SmallMat G(3, feature.count);
  for (int k = 0; k < feature.count; ++k) G.col(k) = feature.gradient[k];
  const SmallVec weights = solve_least_norm(G, normal).x;
  for (int k = 0; k < feature.count; ++k) {
    feature.weight[k] = weights[k];
    if (weights[k] < -1e-9) return HUGE_VAL;
  }
  return (G * weights - normal).norm();
}

void set(SurfaceFeature& feature, int k, const Vec3& gradient, const Mat3& hessian) {
  feature.gradient[k] = gradient;
  feature.hessian[k] = hessian;
  feature.weight[k] = 0;
}

/// More surfaces than these meet in sharp corners only.
constexpr int most_surfaces = 12;

SurfaceFeature make_corner(const Vec3& normal) {
  SurfaceFeature corner;
  corner.count = 3;
  const Vec3 t = normal.unitOrthogonal();
  set(corner, 0, normal, Mat3::Zero());
  set(corner, 1, t, Mat3::Zero());
  set(corner, 2, normal.cross(t), Mat3::Zero());
  corner.weight[0] = 1;
  return corner;
}

}  // namespace

SurfacePoint calc_surface_point(const Shape& shape, const Vec3& x, const Vec3& normal) {
  if (const auto* s = std::get_if<Capsule>(&shape)) return surface_point(*s, x);
  if (const auto* s = std::get_if<Torus>(&shape)) return surface_point(*s, x);
  if (const auto* s = std::get_if<Superquadric>(&shape)) return surface_point(*s, x);
  if (const auto* s = std::get_if<Parametric>(&shape)) return surface_point(*s, normal);
  if (const auto* s = std::get_if<Cone>(&shape); s && is_at_apex(*s, x)) return make_apex_point(*s, normal);
  return of_constraints(shape, x, normal);
}

SurfaceFeature calc_surface_feature(const Shape& shape, const Vec3& x, const Vec3& normal) {
  const SurfacePoint smooth = calc_surface_point(shape, x, normal);
  SurfaceFeature best;
  best.count = 1;
  set(best, 0, smooth.normal, smooth.curvature);
  best.weight[0] = 1;
  if (smooth.smooth) return best;
  const Cone* cone = std::get_if<Cone>(&shape);
  if (cone && cone->top_radius == 0 && smooth.point == Vec3(cone->height * cone->axis)) return make_corner(normal);
  // The surfaces through x, then the fewest of them between whose normals the normal lies.
  const double near = 1e-7 * calc_size(shape);
  std::array<Quadric, most_surfaces> through;
  int n = 0;
  visit_constraints(shape, [&](const Quadric& f) {
    if (std::abs(f.value(x)) > near * f.gradient(x).norm()) return;
    if (n < most_surfaces) through[static_cast<std::size_t>(n)] = f;
    ++n;
  });
  if (n > most_surfaces) return make_corner(normal);
  const auto fill = [&](std::array<int, 3> chosen, int count) {
    SurfaceFeature feature;
    feature.count = count;
    for (int k = 0; k < count; ++k) {
      const Quadric& f = through[static_cast<std::size_t>(chosen[static_cast<std::size_t>(k)])];
      const double length = f.gradient(x).norm();
      set(feature, k, f.gradient(x) / length, f.hessian() / length);
    }
    return feature;
  };
  double best_misfit = HUGE_VAL;
  for (int count = 2; count <= 3 && best_misfit > 1e-9; ++count) {
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) {
        for (int k = count == 3 ? j + 1 : n - 1; k < n; ++k) {
          SurfaceFeature feature = fill({i, j, k}, count);
          const double misfit = fit_weights(feature, normal);
          if (misfit < best_misfit) best_misfit = misfit, best = feature;
        }
      }
    }
  }
  if (best_misfit > 1e-6) return make_corner(normal);
  return best;
}

}  // namespace stiction
