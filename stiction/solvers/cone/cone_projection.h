#pragma once

#include <cmath>

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
inline double calc_natural_square(double mu, const Eigen::Matrix<double, D, 1>& r,
                                  const Eigen::Matrix<double, D, 1>& u) {
  // z = r - y, y = u + mu |u_t| e_n
  const double y_n = u[0] + mu * u.template tail<D - 1>().norm(), z_n = r[0] - y_n;
  const Eigen::Matrix<double, D - 1, 1> z_t = r.template tail<D - 1>() - u.template tail<D - 1>();
  const double square = z_t.squaredNorm();
  // Inside: P z = z. In the polar cone: P z = 0.
  if (z_n >= 0 && square <= mu * mu * z_n * z_n) return y_n * y_n + u.template tail<D - 1>().squaredNorm();
  if (z_n <= 0 && mu * mu * square <= z_n * z_n) return r.squaredNorm();
  const double t = std::sqrt(square), p_n = (z_n + mu * t) / (1 + mu * mu);
  return (r[0] - p_n) * (r[0] - p_n) + (r.template tail<D - 1>() - (mu * p_n / t) * z_t).squaredNorm();
}

}  // namespace stiction
