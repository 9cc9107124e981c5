#include <algorithm>
#include <cmath>

#include "stiction/geometry/cell.h"
#include "stiction/geometry/closest_smooth.h"
#include "stiction/geometry/nested_norm.h"
#include "stiction/geometry/surface.h"

namespace stiction {
namespace {

struct Implicit {
  double value;
  Vec3 gradient;
};

/// Distance from a core (a segment, a circle) less the radius about it: an exact signed distance.
Implicit about_core(const Vec3& from_core, double radius) {
  const double distance = from_core.norm();
  return {distance - radius, distance > 0 ? Vec3(from_core / distance) : Vec3::UnitX()};
}

Implicit implicit(const Capsule& s, const Vec3& x) {
  const double along = std::clamp(x.dot(s.axis), -0.5 * s.length, 0.5 * s.length);
  return about_core(x - along * s.axis, s.radius);
}
Implicit implicit(const Torus& s, const Vec3& x) {
  const Vec3 r = x - x.dot(s.axis) * s.axis;
  const double distance = r.norm();
  const Vec3 outward = distance > 0 ? Vec3(r / distance) : s.axis.unitOrthogonal();
  return about_core(x - s.radius * outward, s.tube_radius);
}
Implicit implicit(const Superquadric& s, const Vec3& x) {
  const NestedNorm gauge{s.semi_axes.cwiseInverse(), 2 / s.e1, 2 / s.e2};
  const double scale = s.semi_axes.minCoeff();
  return {scale * (gauge.value(x) - 1), scale * gauge.gradient(x)};
}
/// The signed distance: the closest-point problem of a point.
Implicit implicit(const Parametric& s, const Vec3& x) {
  const Shape shape = s;
  const NormalSolution nearest = solve_smooth(make_body(shape, {}), make_point_body(x), Vec3::Zero());
  return {nearest.phi, nearest.n};
}
template <class Intersection>
Implicit implicit(const Intersection& s, const Vec3& x) {
  Implicit largest{-HUGE_VAL, Vec3::Zero()};
  for (const Quadric& f : calc_constraints(s)) {
    const double value = f.value(x);
    if (value > largest.value) largest = {value, f.gradient(x)};
  }
  return largest;
}

}  // namespace

double calc_implicit(const Shape& shape, const Vec3& x) {
  return std::visit([&](const auto& s) { return implicit(s, x).value; }, shape);
}

Vec3 calc_implicit_gradient(const Shape& shape, const Vec3& x) {
  return std::visit([&](const auto& s) { return implicit(s, x).gradient; }, shape);
}

}  // namespace stiction
