#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/constraint_visit.h"
#include "stiction/geometry/shape/nested_norm.h"
#include "stiction/geometry/shape/parametric.h"
#include "stiction/geometry/shape/radial.h"
#include "stiction/geometry/shape/surface.h"

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
  return about_core(x - s.radius * calc_any_radial_unit(x, s.axis), s.tube_radius);
}
Implicit implicit(const Superquadric& s, const Vec3& x) {
  const NestedNorm gauge{s.semi_axes.cwiseInverse(), 2 / s.e1, 2 / s.e2};
  const double scale = s.semi_axes.minCoeff();
  return {scale * (gauge.value(x) - 1), scale * gauge.gradient(x)};
}
/// The signed distance: max over unit n of n'x - h(n), by Newton's method on the sphere of directions,
///     (H + value I) dn = the part of x - s(n) across n,
/// shifted to be positive definite, with a line search.
Implicit implicit(const Parametric& s, const Vec3& x) {
  const double size = s.surface->bounding_radius();
  const auto evaluate = [&](const Vec3& n) {
    const ParametricPoint p = calc_parametric_point(*s.surface, n);
    return std::pair(p, Vec3(x - p.patch.point));
  };
  Vec3 n = x.norm() > 0 ? Vec3(x.normalized()) : Vec3::UnitZ();
  auto [p, d] = evaluate(n);
  for (int pass = 0; pass < 100; ++pass) {
    const double value = n.dot(d);
    const Vec3 across = d - value * n;
    if (across.norm() < 1e-15 * size) break;
    const Mat3 H = calc_tangent_inverse(calc_curvature(p.patch, n), n);
    // The smaller radius of curvature, from trace and determinant of the tangential part.
    const double half_trace = 0.5 * H.trace(), determinant = (H + n * n.transpose()).determinant();
    const double smaller = half_trace - std::sqrt(std::max(half_trace * half_trace - determinant, 0.0));
    const double shift = std::max(value, -0.9 * smaller);
    const Vec3 step =
        (H + shift * Mat3::Identity() + n * n.transpose() * (half_trace + std::abs(shift))).ldlt().solve(across);
    bool better = false;
    for (double damping = 1; damping > 1e-6 && !better; damping *= 0.5) {
      const Vec3 trial = (n + damping * step).normalized();
      const auto [p_trial, d_trial] = evaluate(trial);
      const double gained = trial.dot(d_trial) - value;
      const double slack = 1e-15 * size;  // rounding: then the condition itself must improve
      better = gained > slack || (gained > -slack && (d_trial - trial.dot(d_trial) * trial).norm() < across.norm());
      if (better) n = trial, p = p_trial, d = d_trial;
    }
    if (!better) break;
  }
  return {n.dot(d), n};
}
template <class Intersection>
Implicit implicit(const Intersection& s, const Vec3& x) {
  Implicit largest{-HUGE_VAL, Vec3::Zero()};
  visit_constraints(s, [&](const Quadric& f) {
    const double value = f.value(x);
    if (value > largest.value) largest = {value, f.gradient(x)};
  });
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
