#pragma once

#include "stiction/solvers/cone/cone_smoothing.h"

namespace stiction {

/// How closely the central path of cone_smoothing.h is followed, e -> 0:
///   step   Newton step (2) there, halved until ||Phi|| falls (with the proximal term counted in)
///   e      times `reduction` whenever ||Phi|| < closeness * e * sqrt(nc), or, strictly, when every contact has
///          |Phi| < closeness * e^2 / (|x| + |u|); times 3 after five steps that went nowhere
///   alpha  times 0.3 after a full step, times 1.2 after half a step, times 2 after a shorter one
/// Without friction's term |u_t| the problem is monotone and any path leads to a solution; with it only a path that is
/// followed closely does so reliably, at the price of more steps. A cold path begins at x = 0 with an e of the size of
/// the answer, where the map is nearly linear; it is the surer one: points from Gauss-Seidel sweeps lie on the boundary
/// of the cones, where Newton's method gets caught.
/// Strictness is for impulses of very different size (heavy bodies on light ones, friction of 100 and more): where x is
/// 1e6 times e, y on the path is e / 1e6, and a Phi that is small against e can still be far off the path.
struct ConePath {
  bool cold = false;  ///< from x = 0, and `start` relative to the data; else from the given x, relative to ||Phi||
  double start = 1;   ///< first e, relative to the root mean square of |b_t| + |b_0| / A_00, or of the natural map
  double closeness = 0.1;
  double reduction = 0.1;
  bool strict = false;    ///< how closeness is measured
  bool adaptive = false;  ///< `reduction` halves, down to 0.02, where one full step was enough, doubles, up to 0.5,
                          ///< where more than three were needed
  double alpha = 1e-6;    ///< first weight of the proximal term; the diagonal of A is about 1
  double alpha_least = 1e-10;
  double alpha_most = 0.1;
  int steps = 200;
  int patience = 400;  ///< steps without a better residual before giving up
};

struct ConePathResult {
  double norm = 0;  ///< calc_natural_norm of the x returned
  int steps = 0;
  bool stalled = false;  ///< ended by patience
};

/// Changes x into the best point found; ends when its natural norm is within `target`.
template <int D>
ConePathResult follow_path(const ConeCanonical<D>& cone, const ConePath& path, double target,
                           typename ConeCanonical<D>::Vecs& x);

/// As a solver of its own; a path from a given start is warm.
[[nodiscard]] ConeResult solve_cone_by_path(const ConeProblem& problem, const ConeOptions& options, ConePath path);

}  // namespace stiction
