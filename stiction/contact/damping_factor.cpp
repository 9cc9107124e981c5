#include "stiction/contact/damping_factor.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"

namespace stiction {
namespace {

/// ln(1 + x) - x. For small x by ln(1 + x) = 2 atanh(s), s = x / (2 + x): 2 s - x = -x s, so that
///     phi = -x s + 2 (s^3/3 + s^5/5 + ...)
double calc_phi(double x) {
  if (std::abs(x) > 0.5) return std::log1p(x) - x;
  const double s = x / (2 + x), s2 = s * s;
  double sum = 0, power = s * s2;
  for (int n = 3; n < 60 && std::abs(power) > 1e-18 * std::abs(sum) * n; n += 2, power *= s2) sum += power / n;
  return 2 * sum - x * s;
}

/// Where 1 - d is small, (3.23) is a fixed point that contracts by (1 - d)(1 + 1/e).
double solve_nearly_plastic(double e) {
  double rest = 0;
  for (int i = 0; i < 20; ++i) rest = (1 + (1 - rest) / e) * std::exp(-(1 - rest) * (1 + 1 / e));
  return 1 - rest;
}

double solve_exact(double e) {
  if (e == 1) return 0;
  if (e < 0.1) return solve_nearly_plastic(e);
  // g(d) = phi(d/e) - phi(-d) is negative below the root and positive above it: Newton's method inside a bracket.
  double low = 0, high = 1, d = 1 - e * e;
  for (int i = 0; i < 100; ++i) {
    const double g = calc_phi(d / e) - calc_phi(-d);
    (g < 0 ? low : high) = d;
    // phi'(x) = -x / (1 + x)
    const double slope = -d / (e * (e + d)) + d / (1 - d);
    double next = d - g / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double change = std::abs(next - d);
    d = next;
    if (change <= 1e-16 * d) break;
  }
  return d;
}

}  // namespace

double calc_damping_factor(double restitution, DampingRule rule) {
  const double e = restitution;
  STICTION_CHECK(e > 0 && e <= 1);
  switch (rule) {
    case DampingRule::exact:
      return solve_exact(e);
    case DampingRule::hunt_crossley:
      return 1.5 * e * (1 - e);
    case DampingRule::lankarani_nikravesh:
      return 0.75 * e * (1 - e * e);
  }
  STICTION_CHECK(false);
}

}  // namespace stiction
