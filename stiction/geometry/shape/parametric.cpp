#include "stiction/geometry/shape/parametric.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/polyhedron_moments.h"
#include "stiction/geometry/volume/volume_quadrature.h"
#include "stiction/math/symmetric_eigen.h"

namespace stiction {

ParametricPoint calc_parametric_point(const ParametricSurface& surface, const Vec3& n) {
  Eigen::Vector2d u = surface.calc_parameters(n);
  ParametricPoint result{surface.calc_patch(u.x(), u.y()), n, 0};
  const auto measure = [&](const ParametricSurface::Patch& p) {
    return std::max(std::abs(p.du.dot(n)) / std::max(p.du.norm(), 1e-300),
                    std::abs(p.dv.dot(n)) / std::max(p.dv.norm(), 1e-300));
  };
  result.residual = measure(result.patch);
  for (int pass = 0; pass < 50 && result.residual > 1e-15; ++pass) {
    const ParametricSurface::Patch p = result.patch;
    // Maximise s'n: the Hessian [s_uu'n, s_uv'n; s_uv'n, s_vv'n] is negative definite near the maximum.
    Eigen::Matrix2d H;
    H << p.duu.dot(n), p.duv.dot(n), p.duv.dot(n), p.dvv.dot(n);
    const Eigen::Vector2d g(p.du.dot(n), p.dv.dot(n));
    // Eigenvalues made negative where they are not: uphill.
    const SymmetricEigen2 eigen = calc_symmetric_eigen(H);
    const double least = 1e-12 * eigen.values.cwiseAbs().maxCoeff() + 1e-300;
    const Eigen::Vector2d step =
        eigen.vectors * (eigen.vectors.transpose() * g).cwiseQuotient(eigen.values.cwiseAbs().cwiseMax(least));
    const double height = p.point.dot(n), rounding = 1e-15 * p.point.norm();
    bool better = false;
    for (double damping = std::min(1.0, 1 / step.norm()); damping > 1e-9 && !better; damping *= 0.5) {
      const Eigen::Vector2d trial = u + damping * step;
      const ParametricSurface::Patch patch = surface.calc_patch(trial.x(), trial.y());
      const double residual = measure(patch), gain = patch.point.dot(n) - height;
      if (gain > rounding || (gain > -rounding && residual < result.residual))
        u = trial, result.patch = patch, result.residual = residual, better = true;
    }
    if (!better) break;
  }
  return result;
}

Mat3 calc_curvature(const ParametricSurface::Patch& p, const Vec3& n) {
  // First and second fundamental form; dn = -(II) in the dual basis of the tangents, for the outward normal.
  Eigen::Matrix2d first, second;
  first << p.du.dot(p.du), p.du.dot(p.dv), p.du.dot(p.dv), p.dv.dot(p.dv);
  second << p.duu.dot(n), p.duv.dot(n), p.duv.dot(n), p.dvv.dot(n);
  Eigen::Matrix<double, 3, 2> tangents;
  tangents << p.du, p.dv;
  const Eigen::Matrix2d inverse = first.inverse();
  return -tangents * inverse * second * inverse * tangents.transpose();
}

Mat3 calc_tangent_inverse(const Mat3& tensor, const Vec3& normal) {
  const Mat3 nn = normal * normal.transpose();
  const double scale = std::max(tensor.trace(), 1e-300);
  return (tensor + scale * nn).inverse() - nn / scale;
}

MassProperties calc_parametric_mass(const ParametricSurface& surface) {
  // x over the cone from the origin to dS: V = int h/3, first moment int h/4 s, second int h/5 s s'.
  constexpr int n_polar = 64, n_around = 128;
  const GaussRule<n_polar>& rule = gauss_rule<n_polar>();
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < n_polar; ++i) {
    const double z = rule.x[static_cast<std::size_t>(i)], r = std::sqrt(1 - z * z);
    for (int j = 0; j < n_around; ++j) {
      const double angle = 2 * M_PI * (j + 0.5) / n_around;
      const Vec3 n(r * std::cos(angle), r * std::sin(angle), z);
      const ParametricPoint p = calc_parametric_point(surface, n);
      const Mat3 radii = calc_tangent_inverse(calc_curvature(p.patch, n), n);
      const double area = (radii + n * n.transpose()).determinant();
      const double h_dS = p.patch.point.dot(n) * area * rule.w[static_cast<std::size_t>(i)] * 2 * M_PI / n_around;
      volume += h_dS / 3;
      first += h_dS / 4 * p.patch.point;
      second += h_dS / 5 * p.patch.point * p.patch.point.transpose();
    }
  }
  const Vec3 c = first / volume;
  second -= volume * c * c.transpose();
  return {volume, c, second.trace() * Mat3::Identity() - second};
}

}  // namespace stiction
