#pragma once

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// The farthest point of a convex cell in a direction: max d'x, f_k(x) <= 0. A logarithmic barrier followed from the
/// cell's inner point (Boyd and Vandenberghe, Convex Optimization, section 11.3), then Newton's method on the
/// Karush-Kuhn-Tucker equations of the constraints found active
///     d = sum lambda_k grad f_k,   f_k = 0                                                            (1)
/// to rounding; the barrier's point, moved onto the surface, where that fails. Complements among the constraints are
/// left out: the support of the convex hull from outside.
Vec3 calc_cell_support(const Cell& cell, const Vec3& direction);

/// A point with f_k < 0 for all of some convex constraints, deep inside; a margin >= 0 says that there is none.
struct InnerPoint {
  Vec3 point = Vec3::Zero();
  double margin = 0;  ///< the largest f_k there
};
InnerPoint find_inner_point(const std::vector<Quadric>& convex_constraints);

}  // namespace stiction
