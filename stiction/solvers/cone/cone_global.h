#pragma once

#include <Eigen/Sparse>

#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// The same law with the bodies kept: find v, r with
///     M v = H r + f,   u = H' v + C r + w,   u and r as in (2) of cone.h                                     (1)
/// so that W = H' M^-1 H + C and q = H' M^-1 f + w. (Elsewhere J = H'.) C = diag(compliance) >= 0.
struct GlobalConeProblem {
  int dimension = 3;              ///< rows of a contact: 2, 3 or 4
  Eigen::SparseMatrix<double> M;  ///< (ndof x ndof), positive definite; blocks of bodies
  Eigen::SparseMatrix<double> H;  ///< (ndof x d nc)
  VecX f;                         ///< (ndof)
  VecX w;                         ///< (d nc)
  VecX mu;                        ///< (nc)
  VecX compliance;                ///< (d nc), empty: 0
  MatX ellipsoid;                 ///< (nc x d-1), empty: 1

  int contacts() const { return static_cast<int>(mu.size()); }
};

/// Throws InputError naming the wrong sizes, entries that are not finite, negative mu, and the row at
/// which M is found not to be positive definite (by its symmetric part, to 2e-15 of the diagonal).
void validate(const GlobalConeProblem& problem);

/// W and q by elimination of v, body by body: only blocks of contacts that share a body are stored.
ConeProblem make_local(const GlobalConeProblem& problem);

/// v = M^-1 (H r + f)
VecX calc_body_velocity(const GlobalConeProblem& problem, const VecX& r);

/// Residual (4) of cone.h without W, relative to the same 1 + ||q||.
double calc_residual(const GlobalConeProblem& problem, const VecX& r);

}  // namespace stiction
