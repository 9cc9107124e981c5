#include "stiction/contact/hertz_stiffness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/math/roots.h"

namespace stiction {
namespace {

constexpr double smallest_ratio = 1e-6;      ///< [-]
constexpr double smallest_curvature = 1e-3;  ///< [1/m]

/// By the arithmetic-geometric mean of 1 and b/a (Abramowitz and Stegun 17.6): K, and K - E without cancellation.
struct EllipticIntegrals {
  double K = 0, K_minus_E = 0, E = 0;
};
EllipticIntegrals calc_elliptic_integrals(double b_over_a) {
  double a = 1, b = b_over_a, sum = 0.5 * (1 - b * b), weight = 0.5;
  // Converges quadratically: 8 rounds serve b/a down to 1e-6.
  for (int i = 0; i < 8; ++i) {
    const double c = 0.5 * (a - b), mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
    weight *= 2;
    sum += weight * c * c;
  }
  EllipticIntegrals result;
  result.K = std::numbers::pi / (2 * a);
  result.K_minus_E = result.K * sum;
  result.E = result.K - result.K_minus_E;
  return result;
}

/// (3): R''/R' for an ellipse of b/a; 1 at 1, falling with b/a.
double calc_radius_ratio(double b_over_a) {
  const EllipticIntegrals integrals = calc_elliptic_integrals(b_over_a);
  return integrals.K_minus_E / (integrals.E / (b_over_a * b_over_a) - integrals.K);
}

/// F of (4).
double calc_ellipse_factor(double b_over_a) {
  const EllipticIntegrals integrals = calc_elliptic_integrals(b_over_a);
  const double e2 = 1 - b_over_a * b_over_a;
  const double product = (integrals.E / (b_over_a * b_over_a) - integrals.K) * integrals.K_minus_E;
  const double F1 = std::cbrt(4 / (std::numbers::pi * e2) * b_over_a * std::sqrt(b_over_a) * std::sqrt(product));
  return 2 / std::numbers::pi * std::sqrt(b_over_a) * integrals.K / F1;
}

}  // namespace

double calc_effective_modulus(const Elasticity& a, const Elasticity& b) {
  return 1 / ((1 - a.poisson * a.poisson) / a.modulus + (1 - b.poisson * b.poisson) / b.modulus);
}

double calc_hertz_stiffness(double effective_modulus, double small_curvature, double large_curvature) {
  const double large = std::max(large_curvature, smallest_curvature);
  const double ratio = std::clamp(small_curvature / large, smallest_ratio, 1.0);
  const double R_e = 1 / (large * std::sqrt(ratio));
  const double circular = 4.0 / 3 * effective_modulus * std::sqrt(R_e);
  // Near a circle F = 1 to the square of 1 - ratio, and (3), (4) are 0/0.
  if (ratio > 1 - 1e-6) return circular;
  const auto f = [&](double x) { return calc_radius_ratio(x) - ratio; };
  const double low = 1e-5, high = 1 - 1e-9;
  const RootBracket root = find_root_bracket(f, low, high, f(low), f(high), 1e-15);
  const double F = calc_ellipse_factor(0.5 * (root.a + root.b));
  return circular / (F * std::sqrt(F));
}

}  // namespace stiction
