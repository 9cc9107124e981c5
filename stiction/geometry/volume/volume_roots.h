#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {

/// Real roots of a polynomial of degree at most 4 with coefficients c[0] + c[1] t + ..., ascending, in [low, high].
/// Between the roots of the derivative (found the same way) it is monotone: each sign change is one root. A double root
/// that rounding hides is reported where the derivative vanishes and the value is below 1e-10 of the coefficients.
/// Roots of degree 3 and 4 are narrowed to `tolerance`.
struct PolynomialRoots {
  std::array<double, 8> t;
  int count = 0;
  void add(double root) {
    if (count < 8) t[count++] = root;
  }
};

template <int degree>
PolynomialRoots find_polynomial_roots(const std::array<double, degree + 1>& c, double low, double high,
                                      double tolerance) {
  PolynomialRoots roots;
  double size = 0;
  for (double coefficient : c) size = std::max(size, std::abs(coefficient));
  if (size == 0) return roots;
  const double nothing = 1e-10 * size;
  if constexpr (degree == 1) {
    const double t = -c[0] / c[1];
    if (t >= low && t <= high) roots.add(t);
  } else if constexpr (degree == 2) {
    // c2 t^2 + 2 h t + c0
    const double h = 0.5 * c[1], discriminant = h * h - c[2] * c[0];
    if (discriminant < -nothing * size) return roots;
    const double q = -(h + std::copysign(std::sqrt(std::max(discriminant, 0.0)), h));
    double t0 = q / c[2], t1 = q == 0 ? t0 : c[0] / q;
    if (t1 < t0) std::swap(t0, t1);
    if (t0 >= low && t0 <= high) roots.add(t0);
    if (t1 >= low && t1 <= high && t1 != t0) roots.add(t1);
  } else {
    std::array<double, degree> derivative;
    for (int i = 0; i < degree; ++i) derivative[i] = (i + 1) * c[i + 1];
    const PolynomialRoots turns = find_polynomial_roots<degree - 1>(derivative, low, high, tolerance);
    const auto value = [&](double t) {
      double sum = c[degree];
      for (int i = degree - 1; i >= 0; --i) sum = sum * t + c[i];
      return sum;
    };
    const auto slope = [&](double t) {
      double sum = derivative[degree - 1];
      for (int i = degree - 2; i >= 0; --i) sum = sum * t + derivative[i];
      return sum;
    };
    double a = low, fa = value(low);
    for (int k = 0; k <= turns.count; ++k) {
      const double b = k < turns.count ? turns.t[k] : high, fb = value(b);
      if (b > a && fa != 0 && (fa < 0) != (fb < 0)) {
        // Newton's method, held in the bracket by halving.
        double left = a, right = b, t = a + (b - a) * fa / (fa - fb);
        for (int step = 0; step < 100; ++step) {
          const double ft = value(t);
          ((ft < 0) == (fa < 0) ? left : right) = t;
          double next = t - ft / slope(t);
          if (!(next > left && next < right)) next = 0.5 * (left + right);
          const bool done = std::abs(next - t) <= tolerance;
          t = next;
          if (done) break;
        }
        roots.add(t);
      } else if (k < turns.count && std::abs(fb) < nothing) {
        roots.add(b);
      } else if (k == 0 && fa == 0) {
        roots.add(a);
      }
      a = b, fa = fb;
    }
  }
  return roots;
}

}  // namespace stiction
