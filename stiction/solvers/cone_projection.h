#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// Nearest point to z of the ellipsoidal friction cone K = { |E^-1 r_t| <= mu r_n }, E = diag(axes), mu >= 0, axes >=
/// 0. With equal axes the closed form; otherwise r_t = E^2 (E^2 + kappa)^-1 z_t, where kappa is the only root of the
/// decreasing function
///     |E (E^2 + kappa)^-1 z_t| (1 - kappa mu^2) = mu z_n                                                      (1)
/// found by bisection, to the last bit: it cannot fail.
void project_on_cone(double mu, const Eigen::Ref<const VecX>& axes, Eigen::Ref<VecX> z);

/// v_n + mu |E u_t|: what (2) of cone.h puts into the dual cone, in place.
void add_slip_to_normal(double mu, const Eigen::Ref<const VecX>& axes, Eigen::Ref<VecX> u);

/// |r - P_K(r - (u + mu |u_t| e_n))|^2 of one contact with a circular cone, the projection in closed form: what
/// residual (4) of cone.h sums.
template <int D>
double calc_natural_square(double mu, const Eigen::Matrix<double, D, 1>& r, const Eigen::Matrix<double, D, 1>& u) {
  Eigen::Matrix<double, D, 1> z = r - u;
  z[0] -= mu * u.template tail<D - 1>().norm();
  const double t = z.template tail<D - 1>().norm();
  if (mu * t <= -z[0]) {
    z.setZero();
  } else if (t > mu * z[0]) {
    z[0] = (z[0] + mu * t) / (1 + mu * mu);
    z.template tail<D - 1>() *= mu * z[0] / t;
  }
  return (r - z).squaredNorm();
}

}  // namespace stiction
