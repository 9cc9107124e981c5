#pragma once

#include <algorithm>
#include <cmath>

namespace stiction {

/// A bracket [a, b] of a sign change.
struct RootBracket {
  double a = 0, b = 0;
  int evaluations = 0;
  bool converged = false;  ///< b - a <= tolerance
};

/// Narrow the sign change of a continuous f in [a, b] to a bracket no wider than `tolerance`, given fa = f(a), fb =
/// f(b) of opposite signs (a zero counts as having the sign of fb). The ITP method (Oliveira and Takahashi, ACM TOMS
/// 47(1), 2020): interpolate (regula falsi), truncate towards the middle by kappa1 |b - a|^2, project onto the minmax
/// interval: never more than n0 = 1 evaluation above bisection, superlinear for smooth f. Departures: a bracket is
/// returned instead of its middle, so that the caller knows on which side f has changed its sign; the truncation is at
/// least a quarter of the tolerance, so that both ends close in. Never allocates.
template <class Function>
RootBracket find_root_bracket(Function&& f, double a, double b, double fa, double fb, double tolerance) {
  const double sign = fa < fb ? 1 : -1;
  const double kappa1 = 0.2 / (b - a);
  const int n_half = static_cast<int>(std::ceil(std::log2(std::max((b - a) / tolerance, 1.0))));
  RootBracket result{a, b, 0, b - a <= tolerance};
  const int limit = n_half + 2;
  while (!result.converged && result.evaluations < limit) {
    const double middle = 0.5 * (a + b), width = b - a;
    // Interpolate.
    const double x_falsi = (fb * a - fa * b) / (fb - fa);
    // Truncate.
    const double direction = std::copysign(1.0, middle - x_falsi);
    const double delta = std::max(kappa1 * width * width, 0.25 * tolerance);
    const double x_truncated = delta <= std::abs(middle - x_falsi) ? x_falsi + direction * delta : middle;
    // Project onto [middle - r, middle + r].
    const double r = 0.5 * tolerance * std::ldexp(1.0, n_half + 1 - result.evaluations) - 0.5 * width;
    double x = std::abs(x_truncated - middle) <= r ? x_truncated : middle - direction * std::max(r, 0.0);
    if (!(x > a && x < b)) x = middle;
    // Precision is exhausted: no number lies between a and b.
    if (!(x > a && x < b)) break;
    const double fx = f(x);
    ++result.evaluations;
    if (sign * fx >= 0) {
      b = x, fb = fx;
    } else {
      a = x, fa = fx;
    }
    result.a = a, result.b = b, result.converged = b - a <= tolerance;
  }
  return result;
}

}  // namespace stiction
