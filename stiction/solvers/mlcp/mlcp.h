#pragma once

#include <vector>

#include "stiction/solvers/lcp/lcp.h"

namespace stiction {

/// Mixed linear complementarity problem with bounds: find z with w = M z + q and, for every i, one of
///     z_i = lower_i and w_i >= 0,   lower_i <= z_i <= upper_i and w_i = 0,   z_i = upper_i and w_i <= 0         (1)
/// (the sign convention of Dirkse and Ferris, 1995). Special rows: free, lower = -inf and upper = inf, where w_i = 0;
/// complementarity, lower = 0 and upper = inf; fixed, lower = upper, where w_i is free.
/// Contact reading: free rows are joint impulses, boxes are joint friction and motors.
struct MlcpProblem {
  MatX M;             ///< (n x n)
  VecX q;             ///< (n)
  VecX lower, upper;  ///< (n), +-infinity allowed, lower <= upper
};

/// Rows with is_free are free, the others are complementarity rows.
MlcpProblem make_mlcp(const MatX& M, const VecX& q, const std::vector<bool>& is_free);
/// Every row a complementarity row.
MlcpProblem make_mlcp(const LcpProblem& problem);

/// Aborts on sizes that do not fit and on lower > upper or NaN bounds.
void check_mlcp(const MlcpProblem& problem);

/// Natural residual, zero exactly at the solutions of (1), with mid(l, u, x) = min(u, max(l, x)):
///     r(z) = max_i |z_i - mid(lower_i, upper_i, z_i - (M z + q)_i)|                                            (2)
double calc_mlcp_residual(const MlcpProblem& problem, const VecX& z);

/// What rounding alone may leave in (2): 4 eps max_i (|M| |z| + |q| + |z|)_i.
double calc_mlcp_rounding(const MlcpProblem& problem, const VecX& z);

/// Decides `solved` as update_lcp_verdict does; statuses and results are those of the LCP.
void update_mlcp_verdict(const MlcpProblem& problem, double tolerance, LcpResult& result);

/// One step of refinement on the rows with w = 0 (by least squares, of smallest norm: redundant rows are allowed), the
/// others at their bounds. Keeps z if the residual would not fall.
void refine_mlcp(const MlcpProblem& problem, LcpResult& result);

}  // namespace stiction
