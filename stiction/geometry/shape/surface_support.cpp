#include <cmath>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/cell_support.h"
#include "stiction/geometry/shape/nested_norm.h"
#include "stiction/geometry/shape/parametric.h"
#include "stiction/geometry/shape/radial.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

double sign_of(double x) {
  return x < 0 ? -1 : 1;
}
Vec3 support(const Sphere& s, const Vec3& d) {
  return s.radius / d.norm() * d;
}
Vec3 support(const Box& s, const Vec3& d) {
  return 0.5 * Vec3(sign_of(d.x()) * s.size.x(), sign_of(d.y()) * s.size.y(), sign_of(d.z()) * s.size.z());
}
Vec3 support(const Cylinder& s, const Vec3& d) {
  return 0.5 * s.length * sign_of(d.dot(s.axis)) * s.axis + s.radius * calc_radial_unit(d, s.axis);
}
Vec3 support(const Capsule& s, const Vec3& d) {
  return 0.5 * s.length * sign_of(d.dot(s.axis)) * s.axis + s.radius / d.norm() * d;
}
Vec3 support(const Cone& s, const Vec3& d) {
  const Vec3 r = calc_radial_unit(d, s.axis);
  const Vec3 base = s.radius * r, top = s.height * s.axis + s.top_radius * r;
  return d.dot(base) > d.dot(top) ? base : top;
}
Vec3 support(const Ellipsoid& s, const Vec3& d) {
  const Vec3 ad = s.semi_axes.cwiseProduct(d);
  return s.semi_axes.cwiseProduct(ad) / ad.norm();
}
/// Of its convex hull.
Vec3 support(const Torus& s, const Vec3& d) {
  return s.radius * calc_radial_unit(d, s.axis) + s.tube_radius / d.norm() * d;
}
NestedNorm dual_norm(const Superquadric& s) {
  return {s.semi_axes, 2 / (2 - s.e1), 2 / (2 - s.e2)};
}
Vec3 support(const Superquadric& s, const Vec3& d) {
  return dual_norm(s).gradient(d);
}
Vec3 support(const Polytope& s, const Vec3& d) {
  // Few vertices: look at all. Many: climb from neighbour to neighbour, which on a convex body ends at the top.
  std::size_t best = 0;
  double height = d.dot(s.vertices[0]);
  if (s.vertices.size() <= 32) {
    for (std::size_t i = 1; i < s.vertices.size(); ++i) {
      const double h = d.dot(s.vertices[i]);
      if (h > height) height = h, best = i;
    }
    return s.vertices[best];
  }
  for (bool climbed = true; climbed;) {
    climbed = false;
    for (int neighbour : s.neighbours[best]) {
      const double h = d.dot(s.vertices[static_cast<std::size_t>(neighbour)]);
      if (h > height) height = h, best = static_cast<std::size_t>(neighbour), climbed = true;
    }
  }
  return s.vertices[best];
}
Vec3 support(const Cell& s, const Vec3& d) {
  return calc_cell_support(s, d);
}
Vec3 support(const Parametric& s, const Vec3& d) {
  return calc_parametric_point(*s.surface, d.normalized()).patch.point;
}
template <class Unbounded>
Vec3 support(const Unbounded&, const Vec3&) {
  STICTION_CHECK(!"an unbounded shape has no support map");
  return {};
}

std::optional<Mat3> hessian(const Sphere& s, const Vec3& n) {
  return s.radius * (Mat3::Identity() - n * n.transpose());
}
std::optional<Mat3> hessian(const Ellipsoid& s, const Vec3& n) {
  const Vec3 Q = s.semi_axes.cwiseAbs2(), Qn = Q.cwiseProduct(n);
  const double h = std::sqrt(n.dot(Qn));
  Mat3 H = -Qn * Qn.transpose() / (h * h * h);
  H.diagonal() += Q / h;
  return H;
}
std::optional<Mat3> hessian(const Superquadric& s, const Vec3& n) {
  const Mat3 H = dual_norm(s).hessian(n);
  if (!H.allFinite()) return {};
  return H;
}
std::optional<Mat3> hessian(const Parametric& s, const Vec3& n) {
  return calc_tangent_inverse(calc_curvature(calc_parametric_point(*s.surface, n).patch, n), n);
}
template <class Other>
std::optional<Mat3> hessian(const Other&, const Vec3&) {
  return {};
}

}  // namespace

Vec3 calc_support(const Shape& shape, const Vec3& direction) {
  return std::visit([&](const auto& s) { return support(s, direction); }, shape);
}

std::optional<Mat3> calc_support_hessian(const Shape& shape, const Vec3& unit_normal) {
  return std::visit([&](const auto& s) { return hessian(s, unit_normal); }, shape);
}

}  // namespace stiction
