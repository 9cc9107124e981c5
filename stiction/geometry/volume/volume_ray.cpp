#include "stiction/geometry/volume/volume_ray.h"

#include <cmath>
#include <tuple>
#include <utility>

#include "stiction/geometry/shape/nested_norm.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_roots.h"

namespace stiction {
namespace {

/// {t: f(t) <= 0} of a convex f given with its slope.
template <class Function>
RayChords find_convex_chord(Function&& f, double t0, double t1) {
  RayChords chords;
  auto [f0, g0] = f(t0);
  auto [f1, g1] = f(t1);
  if ((f0 > 0 && g0 >= 0) || (f1 > 0 && g1 <= 0)) return chords;
  const double tolerance = 1e-15 * (t1 - t0);
  double a = t0, b = t1, inside = f0 <= 0 ? t0 : t1, fa = f0, fb = f1, ga = g0, gb = g1;
  // Both ends outside: a point inside lies where f falls to; close in by both tangents and by halving.
  if (f0 > 0 && f1 > 0) {
    bool found = false;
    for (int i = 0; i < 100 && b - a > tolerance; ++i) {
      // The tangents meet below the minimum: if not below zero, nothing is inside.
      const double t_meet = (fa - fb + gb * b - ga * a) / (gb - ga);
      if (!(fa + ga * (t_meet - a) < 0)) return chords;
      const double t = i % 2 == 0 && t_meet > a && t_meet < b ? t_meet : 0.5 * (a + b);
      const auto [ft, gt] = f(t);
      if (ft <= 0) {
        inside = t, found = true;
        break;
      }
      if (gt > 0)
        b = t, fb = ft, gb = gt;
      else
        a = t, fa = ft, ga = gt;
    }
    if (!found) return chords;
  }
  // From outside Newton's method closes in on a root of a convex function without passing it.
  const auto close_in = [&](double t, double ft, double gt, double limit) {
    for (int step = 0; step < 60 && ft > 0; ++step) {
      const double next = t - ft / gt;
      if (!(std::abs(next - t) > tolerance) || !((next - t) * (limit - t) > 0)) break;
      if (!(std::abs(next - t) < std::abs(limit - t))) return limit;
      t = next;
      std::tie(ft, gt) = f(t);
    }
    return t;
  };
  const double left = f0 > 0 ? close_in(a, fa, ga, inside) : t0, right = f1 > 0 ? close_in(b, fb, gb, inside) : t1;
  chords.t[0][0] = left, chords.t[0][1] = right, chords.count = 1;
  return chords;
}

RayChords calc_torus_chords(const Torus& s, const Vec3& p, const Vec3& d, double t0, double t1) {
  // (x'x + R^2 - r^2)^2 - 4 R^2 (x'x - (axis'x)^2) = 0 along x = p + t d, t = middle + half u
  const double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0), RR = s.radius * s.radius;
  const Vec3 q = p + middle * d, e = half * d;
  const double z = s.axis.dot(q), w = s.axis.dot(e);
  const double c0 = q.squaredNorm(), c1 = 2 * q.dot(e), c2 = e.squaredNorm();
  const double k = c0 + RR - s.tube_radius * s.tube_radius;
  // k^2 - 4 R^2 rho^2 = (k - 2 R rho)(k + 2 R rho), k - 2 R rho = (rho - R)^2 + z^2 - r^2: no cancellation at the
  // surface.
  const double rho = (q - z * s.axis).norm(), distance = std::hypot(rho - s.radius, z);
  const double constant = (distance - s.tube_radius) * (distance + s.tube_radius) * (k + 2 * s.radius * rho);
  const std::array<double, 5> c = {constant, 2 * k * c1 - 4 * RR * (c1 - 2 * z * w),
                                   c1 * c1 + 2 * k * c2 - 4 * RR * (c2 - w * w), 2 * c1 * c2, c2 * c2};
  const PolynomialRoots roots = find_polynomial_roots<4>(c, -1, 1, 1e-15);
  RayChords chords;
  double a = -1;
  for (int i = 0; i <= roots.count; ++i) {
    const double b = i < roots.count ? roots.t[i] : 1, u = 0.5 * (a + b);
    const bool inside = b > a && (((c[4] * u + c[3]) * u + c[2]) * u + c[1]) * u + c[0] < 0;
    if (inside && chords.count > 0 && chords.t[chords.count - 1][1] == middle + half * a) {
      chords.t[chords.count - 1][1] = middle + half * b;
    } else if (inside && chords.count < 2) {
      chords.t[chords.count][0] = middle + half * a, chords.t[chords.count++][1] = middle + half * b;
    }
    a = b;
  }
  return chords;
}

}  // namespace

bool needs_ray_roots(const Shape& shape) {
  return std::holds_alternative<Torus>(shape) || std::holds_alternative<Superquadric>(shape) ||
         std::holds_alternative<Parametric>(shape);
}

RayChords calc_ray_chords(const Shape& shape, const Vec3& p, const Vec3& d, double t0, double t1) {
  if (const auto* torus = std::get_if<Torus>(&shape)) return calc_torus_chords(*torus, p, d, t0, t1);
  if (const auto* super = std::get_if<Superquadric>(&shape)) {
    const NestedNorm gauge{super->semi_axes.cwiseInverse(), 2 / super->e1, 2 / super->e2};
    return find_convex_chord(
        [&](double t) {
          // The gauge is 1-homogeneous: its value is gradient'x.
          const Vec3 x = p + t * d, g = gauge.gradient(x);
          return std::pair(g.dot(x) - 1, g.dot(d));
        },
        t0, t1);
  }
  return find_convex_chord(
      [&](double t) {
        const Vec3 x = p + t * d;
        return std::pair(calc_implicit(shape, x), calc_implicit_gradient(shape, x).dot(d));
      },
      t0, t1);
}

}  // namespace stiction
