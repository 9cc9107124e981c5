#pragma once

#include "stiction/math/transform.h"

namespace stiction {

/// The solid f(x) <= 0 of
///     f(x) = x'A x + 2 b'x + c,   A symmetric                                          (1)
/// A half-space where A = 0 (then 2b is the outward normal), convex where A is positive semidefinite; the negative of a
/// convex quadric is its complement: a groove, a bore, a cavity.
struct Quadric {
  Mat3 A = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0;

  double value(const Vec3& x) const { return x.dot(A * x) + 2 * b.dot(x) + c; }
  Vec3 gradient(const Vec3& x) const { return 2 * (A * x + b); }
  Mat3 hessian() const { return 2 * A; }
  bool is_flat() const { return A.isZero(0); }
};

/// n'x <= offset, |n| = 1.
inline Quadric make_plane_quadric(const Vec3& normal, double offset) {
  return {Mat3::Zero(), 0.5 * normal, -offset};
}
inline Quadric calc_complement(const Quadric& f) {
  return {-f.A, -f.b, -f.c};
}
/// The same solid seen from frame A, given in frame B: f_A(x) = f_B(X_AB^-1 x).
Quadric calc_transformed(const Quadric& f_B, const Transform& X_AB);
/// A = axes diag(eigenvalues) axes', eigenvalues ascending, those below 1e-12 of the largest set to 0; the centre is
/// the point where the gradient vanishes or is smallest, and the value that of f there.
struct QuadricForm {
  Vec3 eigenvalues = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  Vec3 centre = Vec3::Zero();
  double value = 0;
};
QuadricForm calc_form(const Quadric& f);

/// f scaled so that its gradient has length 1 on the surface as far as one number can do it: a plane, a sphere and a
/// cylinder exactly; an ellipsoid where it is narrowest; a paraboloid at its tip. Then f is a length near the surface.
/// A scaled quadric (to 1e-12) is returned as it is.
Quadric calc_scaled(const Quadric& f);
/// No eigenvalue of A is negative.
bool is_convex(const Quadric& f);

}  // namespace stiction
