#include "stiction/contact/pair_bound.h"

#include <algorithm>

#include "stiction/geometry/closest/face_gap.h"
#include "stiction/geometry/shape/shape_features.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {

ShapeBound calc_shape_bound(const Shape& shape) {
  ShapeBound bound;
  bound.bounded = is_bounded(shape);
  if (!bound.bounded) return bound;
  bound.ball = std::holds_alternative<Sphere>(shape);
  bound.reach = calc_reach(shape);
  const Bounds box = calc_bounds(shape, {});
  bound.middle = 0.5 * (box.lower + box.upper), bound.half = 0.5 * (box.upper - box.lower);
  return bound;
}

double calc_bounding_gap(const BoundShape& a, const BoundShape& b) {
  if (!a.bound.bounded || !b.bound.bounded) return 0;
  const Transform &X_WA = a.X_WS, &X_WB = b.X_WS;
  const double distance = (X_WB.p - X_WA.p).norm() - (a.bound.reach + b.bound.reach);
  if (distance > 0) return distance;
  if (a.bound.ball && b.bound.ball) return 0;
  const Vec3 apart = X_WB * b.bound.middle - X_WA * a.bound.middle;
  const Mat3 axes = (X_WA.R.transpose() * X_WB.R).cwiseAbs();
  const Vec3 along_a = (X_WA.R.transpose() * apart).cwiseAbs() - a.bound.half - axes * b.bound.half;
  const Vec3 along_b = (X_WB.R.transpose() * apart).cwiseAbs() - b.bound.half - axes.transpose() * a.bound.half;
  const double apart_along_axes = std::max(along_a.maxCoeff(), along_b.maxCoeff());
  if (apart_along_axes > 0) return apart_along_axes;
  return std::max(calc_face_gap(a.shape, X_WA, b.shape, X_WB), 0.0);
}

}  // namespace stiction
