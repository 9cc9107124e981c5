#include "stiction/geometry/shape/quadric.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/symmetric_eigen.h"

namespace stiction {

Quadric calc_transformed(const Quadric& f_B, const Transform& X_AB) {
  // x_B = R'(x_A - p):  A_A = R A R',  b_A = R b - A_A p,  c_A = c - 2 (R b)'p + p'A_A p
  const Mat3 A = X_AB.R * f_B.A * X_AB.R.transpose();
  const Vec3 b = X_AB.R * f_B.b;
  const Vec3 Ap = A * X_AB.p;
  return {A, b - Ap, f_B.c - 2 * b.dot(X_AB.p) + X_AB.p.dot(Ap)};
}

QuadricForm calc_form(const Quadric& f) {
  QuadricForm form;
  if (f.is_flat()) return form;
  const SymmetricEigen eigen = calc_symmetric_eigen(SmallMat(f.A));
  form.eigenvalues = eigen.values;
  form.axes = eigen.vectors;
  const double largest = form.eigenvalues.cwiseAbs().maxCoeff();
  // The centre -A^+ b; what of b is left over, in the null space of A, makes a paraboloid.
  Vec3 b = form.axes.transpose() * f.b, centre = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (std::abs(form.eigenvalues[i]) <= 1e-12 * largest) {
      form.eigenvalues[i] = 0;
    } else {
      centre[i] = -b[i] / form.eigenvalues[i];
    }
  }
  form.centre = form.axes * centre;
  form.value = f.value(form.centre);
  return form;
}

Quadric calc_scaled(const Quadric& f) {
  double scale = 2 * f.b.norm();
  if (!f.is_flat()) {
    const QuadricForm form = calc_form(f);
    const double largest = form.eigenvalues.cwiseAbs().maxCoeff(), at_centre = f.gradient(form.centre).norm();
    // On a sphere of radius r = sqrt(|value| / largest) the gradient has the length 2 largest r.
    const bool paraboloid = at_centre > 1e-9 * 2 * f.b.norm() && form.eigenvalues.cwiseAbs().minCoeff() == 0;
    scale = paraboloid ? at_centre : 2 * std::sqrt(std::abs(form.value) * largest);
  }
  // What is scaled already stays, bit by bit.
  if (std::abs(scale - 1) < 1e-12) return f;
  return {f.A / scale, f.b / scale, f.c / scale};
}

bool is_convex(const Quadric& f) {
  return f.is_flat() || calc_form(f).eigenvalues.minCoeff() >= 0;
}

}  // namespace stiction
