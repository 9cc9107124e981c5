#pragma once

namespace stiction {

/// An elastic material: Young's modulus and Poisson's ratio.
struct Elasticity {
  double modulus = 0;  ///< E [Pa]
  double poisson = 0;  ///< nu [-]
};

/// Hertz' stiffness k of f = k x^(3/2) (gonthier-thesis-2007, eqs 2.1-2.4; elliptic contacts: Johnson, Contact
/// Mechanics, 1985, section 4.2):
///     1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b                                                     (1)
///     k = 4/3 E* sqrt(R_e) F^(-3/2),   R_e = sqrt(R' R'')                                            (2)
/// R' >= R'' are the relative principal radii of curvature, the inverses of the eigenvalues of the sum of both
/// surfaces' curvatures; F = 1 for a circular contact. With the contact ellipse's axes a >= b, eccentricity e and the
/// complete elliptic integrals K(e), E(e):
///     R'/R'' = ((a/b)^2 E - K) / (K - E)                                                             (3)
///     F = (2/pi) sqrt(b/a) K / F1,   F1^3 = 4/(pi e^2) (b/a)^(3/2) sqrt(((a/b)^2 E - K)(K - E))      (4)
double calc_effective_modulus(const Elasticity& a, const Elasticity& b);

/// Relative curvatures small <= large [1/m]. DEPARTURE: a contact along a line (small <= 0) or of faces and conforming
/// surfaces (large <= 0) has no k. The ratio is bounded by 1e-6 and the large one by 1e-3 1/m, which stands for
/// slightly crowned ones: a finite number of no accuracy. Scenes refuse pairs that may touch face to face.
double calc_hertz_stiffness(double effective_modulus, double small_curvature, double large_curvature);

}  // namespace stiction
