#pragma once

#include <cmath>

namespace stiction {

/// Coulomb friction of a patch that slides and spins at once (the Contensou effect; gonthier-thesis-2007,
/// section 4.4.2). With v the slip at the centroid, u = r_gyr w_n the speed of spin at the radius of gyration:
///     |f_t| = mu f_n C_v,   |tau_s| = mu f_n r_gyr C_w                                       (4.205), (4.208)
struct ContensouFactors {
  double slide = 1;  ///< C_v [-]
  double spin = 1;   ///< C_w [-]
};

enum class ContensouRule {
  /// C_v = v / v_avg, C_w = u / v_avg, v_avg^2 = v^2 + u^2: C_v^2 + C_w^2 = 1                          (4.211), (4.212)
  elliptic,
  /// The integral over a circular patch (calc_disc_factors).
  disc,
  /// The integral over a patch of flat faces (contensou_polygon.h); of other patches: disc.
  polygon,
};

/// (4.224), (4.236): made smooth below v_eps > 0; v, u >= 0.
inline ContensouFactors calc_elliptic_factors(double v, double u, double tolerance) {
  const double average = std::sqrt(v * v + u * u), scale = 1 / (average > tolerance ? average : tolerance);
  return {v * scale, u * scale};
}

/// The exact factors of a disc of radius R under the pressure p(rho) proportional to (1 - (rho/R)^2)^m: m = 0 a flat
/// punch, m = 1 the cap of a sphere or paraboloid. r_gyr^2 = R^2 / (m + 2). With lambda = u / v:
///     C_v = <(v + w rho sin phi) / |v + w x rho|>,   r_gyr C_w = <rho (w rho + v sin phi) / |v + w x rho|>        (1)
/// < > the mean over the disc weighted with p; the integrals over phi are complete elliptic ones, that over rho is by
/// Gauss-Legendre panels on both sides of the centre of rotation rho = v/w, where the integrand has a logarithm.
/// Relative accuracy 1e-6 or better (tests compare with closed forms). Limits, against the elliptic rule:
///     sliding only:         C_v = 1,      dC_w/dlambda = 1/2                     (elliptic: 1)
///     spinning only, m = 0: C_w = 0.943,  dC_v/d(1/lambda) = 0.707               (elliptic: 1, 1)
///     spinning only, m = 1: C_w = 0.924,  dC_v/d(1/lambda) = 0.770
/// so that the thesis' relation doubles the torque of a patch that mainly slides, and gives 6 to 8 % more to one that
/// only spins. v, u >= 0, not both 0.
ContensouFactors calc_disc_factors(double v, double u, double pressure_exponent);

/// m of the disc with the area A_c and the radius of gyration of a patch, between 0 and 4; elongated patches: 0.
double calc_pressure_exponent(double area, double gyration);

/// Factors of a patch; below `tolerance` they fall to zero with the speed as (4.224) does.
inline ContensouFactors calc_contensou_factors(ContensouRule rule, double v, double u, double tolerance,
                                               double pressure_exponent) {
  const ContensouFactors elliptic = calc_elliptic_factors(v, u, tolerance);
  if (rule == ContensouRule::elliptic || (v == 0 && u == 0)) return elliptic;
  const double average = std::sqrt(v * v + u * u), scale = average < tolerance ? average / tolerance : 1;
  const ContensouFactors exact = calc_disc_factors(v, u, pressure_exponent);
  return {scale * exact.slide, scale * exact.spin};
}

}  // namespace stiction
