#pragma once

#include "stiction/solvers/cone/cone_path.h"

namespace stiction {

/// The surest and slowest method: a curve of solutions (x, e) of
///     F(x, e) = x - P_e(x - y) = 0,   y = u + theta(e) sqrt(|u_t|^2 + e^2) e_0,   u = A x + b                 (1)
///     theta(e) = 1 / (1 + e / e_1)
/// is followed by arc length (Keller 1977; Allgower, Georg 1990, chapter 10). At a large e friction's term is gone, (1)
/// is monotone and has one solution; at e = 0 it is the problem. In between the curve may turn back, e rising for a
/// while: cone_path.h, where e only falls, ends at such a fold, and this is how it stalls where friction makes a
/// problem not monotone. As (1) is smooth for e > 0, a curve that stays bounded ends at e = 0 (for almost all data).
///   predictor  h times the unit tangent (dx, d ln e), the metric of x relative to its root mean square
///   corrector  Newton across the tangent, down to 1e-6 e: points further off leave the region in which it converges
///   h          by how many corrections were needed; back, and shorter, if they fail or the tangent turned by 37 deg
/// Whenever e has fallen by ten, Newton's method from there (cone_newton.h) looks for the end. Dense, with full
/// pivoting by columns: near folds (1) is far from definite. Cost: a dense factorisation a step, 300 to 5000 steps.
/// Does not get through where x outgrows e by 1e8 on the way, as with friction coefficients of 1000 that jam; and where
/// no velocity opens all contacts within their cones (K* of cone.h has no u within it) a curve need not be bounded.
struct ConeCurve {
  double middle = 1;  ///< e_1, relative to the root mean square of b: another one is another curve
  int steps = 5000;
};

/// Changes x into the best point found; ends when its natural norm is within `target`.
template <int D>
ConePathResult follow_curve(const ConeCanonical<D>& cone, const ConeCurve& curve, double target,
                            typename ConeCanonical<D>::Vecs& x);

}  // namespace stiction
