#pragma once

#include "stiction/solvers/cone/cone_global.h"

namespace stiction {

/// Nonlinear Gauss-Seidel on the bodies' velocities, W never formed (Jean and Moreau 1992): with X = M^-1 H kept by
/// columns,
///     u_i = H_i' v + C_i r_i + w_i,   b_i = u_i - W_ii r_i,   W_ii = H_i' X_i + C_i                            (1)
///     r_i solved exactly by cone_contact.h,   v += X_i (change of r_i)                                        (2)
/// Cost and memory of a sweep: the entries of H and X, that is, two bodies a contact, however many contacts a body has;
/// W costs the square of that. As slow to converge as cone_gauss_seidel.h: for problems too dense for solve_cone.
[[nodiscard]] ConeResult solve_cone_matrix_free(const GlobalConeProblem& problem, const ConeOptions& options = {});

}  // namespace stiction
