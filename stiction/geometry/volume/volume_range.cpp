#include "stiction/geometry/volume/volume_range.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/nested_norm.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

ValueRange calc_gauge_range(const Superquadric& s, const Vec3& m, const Vec3& h) {
  const NestedNorm gauge{s.semi_axes.cwiseInverse(), 2 / s.e1, 2 / s.e2};
  const Vec3 nearest = (m.cwiseAbs() - h).cwiseMax(0.0), farthest = m.cwiseAbs() + h;
  return {gauge.value(nearest) - 1, gauge.value(farthest) - 1};
}

ValueRange calc_convex_range(const Shape& shape, const Vec3& m, const Mat3& R_SF, const Vec3& h) {
  const Vec3 n = calc_implicit_gradient(shape, m);
  ValueRange range{n.dot(m) - (R_SF.transpose() * n).cwiseAbs().dot(h) - n.dot(calc_support(shape, n)), -HUGE_VAL};
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = h.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    range.high = std::max(range.high, calc_implicit(shape, m + R_SF * corner));
  }
  return range;
}

}  // namespace

double calc_rounding(const Shape& shape, const Quadric& f, double distance) {
  Vec3 reach = Vec3::Constant(calc_size(shape));
  if (is_bounded(shape)) {
    const Bounds box = calc_bounds(shape, {});
    reach = box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs());
  }
  const double A = f.A.cwiseAbs().maxCoeff(), moved = distance * (A * distance + 2 * f.b.norm());
  return 1e-15 * (reach.dot(f.A.cwiseAbs() * reach) + 2 * f.b.cwiseAbs().dot(reach) + std::abs(f.c) + moved);
}

ValueRange calc_range(const Shape& shape, const Vec3& m_S, const Mat3& R_SF, const Vec3& h) {
  if (std::holds_alternative<Torus>(shape) || std::holds_alternative<Capsule>(shape)) {
    const double distance = calc_implicit(shape, m_S), radius = h.norm();
    return {distance - radius, distance + radius};
  }
  if (const auto* super = std::get_if<Superquadric>(&shape)) return calc_gauge_range(*super, m_S, R_SF.cwiseAbs() * h);
  STICTION_CHECK(std::holds_alternative<Parametric>(shape));
  return calc_convex_range(shape, m_S, R_SF, h);
}

LinearBound calc_lower_plane(const Shape& shape, const Vec3& m_S, const Vec3& h) {
  LinearBound bound{calc_implicit(shape, m_S), calc_implicit_gradient(shape, m_S)};
  if (const auto* torus = std::get_if<Torus>(&shape)) {
    const double rho = (m_S - torus->axis.dot(m_S) * torus->axis).norm() - h.norm();
    bound.value = rho > 0 ? bound.value - 0.5 * h.squaredNorm() / rho : -HUGE_VAL;
  } else if (const auto* super = std::get_if<Superquadric>(&shape)) {
    // The gauge itself: convex, and g'x at every x.
    const NestedNorm gauge{super->semi_axes.cwiseInverse(), 2 / super->e1, 2 / super->e2};
    bound.gradient = gauge.gradient(m_S), bound.value = bound.gradient.dot(m_S) - 1;
  }
  return bound;
}

}  // namespace stiction
