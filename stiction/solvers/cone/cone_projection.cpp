#include "stiction/solvers/cone/cone_projection.h"

#include <cmath>

namespace stiction {
namespace {

// Circular section of radius mu * axis * r_n.
void project_on_circular(double slope, Eigen::Ref<VecX> z) {
  auto tangent = z.tail(z.size() - 1);
  const double t = tangent.norm();
  // The polar cone first: without friction 0 <= -0 holds for all that has no tangential part.
  if (slope * t <= -z[0]) {
    z.setZero();
    return;
  }
  if (t <= slope * z[0]) return;
  const double normal = (z[0] + slope * t) / (1 + slope * slope);
  tangent *= slope * normal / t;
  z[0] = normal;
}

// |E (E^2 + kappa)^-1 z_t|; an axis of 0 bears nothing.
double calc_scaled_norm(const Eigen::Ref<const VecX>& axes, const Eigen::Ref<const VecX>& z, double kappa) {
  double sum = 0;
  for (int i = 0; i < axes.size(); ++i) {
    if (axes[i] == 0) continue;
    const double part = z[i + 1] * axes[i] / (axes[i] * axes[i] + kappa);
    sum += part * part;
  }
  return std::sqrt(sum);
}

}  // namespace

void project_on_cone(double mu, const Eigen::Ref<const VecX>& axes, Eigen::Ref<VecX> z) {
  if (axes.minCoeff() == axes.maxCoeff()) return project_on_circular(mu * axes[0], z);
  auto tangent = z.tail(z.size() - 1);
  // Polar cone: everything goes to the apex.
  if (mu * axes.cwiseProduct(tangent).norm() <= -z[0]) {
    z.setZero();
    return;
  }
  // What an axis of 0 cannot bear; then points of the cone stay.
  for (int i = 0; i < axes.size(); ++i) {
    if (axes[i] == 0) tangent[i] = 0;
  }
  if (calc_scaled_norm(axes, z, 0) <= mu * z[0]) return;
  // Root of (1): below 1/mu^2 when z_n > 0, above when z_n < 0. The unknown is theta = kappa mu^2 / (1 + kappa mu^2).
  double low = 0, high = 1;
  const double square = mu * mu;
  for (int bisection = 0; bisection < 200 && square > 0; ++bisection) {
    const double theta = 0.5 * (low + high);
    if (theta == low || theta == high) break;
    const double kappa = theta / ((1 - theta) * square);
    const double value = calc_scaled_norm(axes, z, kappa) * (1 - kappa * square) - mu * z[0];
    (value > 0 ? low : high) = theta;
  }
  // At mu = 0 only the normal part is left.
  const double theta = square > 0 ? low : 1;
  const double kappa = theta < 1 ? theta / ((1 - theta) * square) : INFINITY;
  const double scaled = theta < 1 ? calc_scaled_norm(axes, z, kappa) : 0;
  for (int i = 0; i < axes.size(); ++i) {
    const double e = axes[i] * axes[i];
    tangent[i] *= e > 0 && theta < 1 ? e / (e + kappa) : 0;
  }
  z[0] = mu > 0 ? scaled / mu : std::max(z[0], 0.0);
}

void add_slip_to_normal(double mu, const Eigen::Ref<const VecX>& axes, Eigen::Ref<VecX> u) {
  u[0] += mu * axes.cwiseProduct(u.tail(u.size() - 1)).norm();
}

}  // namespace stiction
