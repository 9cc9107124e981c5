#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// The nested norm of a superquadric and of its dual, with derivatives:
///     g = (|x/a|^p2 + |y/b|^p2)^(1/p2),   N = (g^p1 + |z/c|^p1)^(1/p1)                                  (1)
/// With p = 2/e it is the gauge: N(x) = 1 on the surface. With a -> 1/a and the conjugate exponents q = 2/(2 - e) it is
/// the support function h(n). Homogeneous of degree 1: N(x) = x'grad N.
struct NestedNorm {
  Vec3 scale;  ///< 1/a, 1/b, 1/c (the gauge); a, b, c (the support function)
  double p1, p2;

  double value(const Vec3& x) const;
  Vec3 gradient(const Vec3& x) const;
  /// Infinite where an exponent is below 2 and a coordinate is zero.
  Mat3 hessian(const Vec3& x) const;
};

}  // namespace stiction
