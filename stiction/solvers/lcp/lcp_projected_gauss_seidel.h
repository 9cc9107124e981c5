#pragma once

#include "stiction/solvers/lcp/lcp.h"

namespace stiction {

/// Projected Gauss-Seidel with over-relaxation (Cryer 1971), the cheap baseline: for i = 1..n
///     z_i <- max(0, z_i - omega (M z + q)_i / M_ii)                                                            (1)
/// until the residual is within the tolerance. Converges for symmetric positive definite M (and, without bound on the
/// number of sweeps, for PSD problems that have a solution) and 0 < omega < 2. Rows without a positive diagonal entry
/// are left alone. Starts from the guess. Cost: n^2 per sweep. omega = 1 here.
LcpResult solve_lcp_projected_gauss_seidel(const LcpProblem& problem, const LcpOptions& options);

/// The same with a relaxation factor.
LcpResult solve_lcp_projected_sor(const LcpProblem& problem, const LcpOptions& options, double omega);

}  // namespace stiction
