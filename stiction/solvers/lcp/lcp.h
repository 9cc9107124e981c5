#pragma once

#include "stiction/solvers/solve.h"

namespace stiction {

/// Linear complementarity problem: find z with
///     w = M z + q,   z >= 0,   w >= 0,   z'w = 0                                                              (1)
/// (Cottle, Pang, Stone: The Linear Complementarity Problem, 1992.)
/// Contact reading: z normal impulse [N s], w normal velocity [m/s], M the Delassus matrix [1/kg], called W elsewhere.
struct LcpProblem {
  MatX M;  ///< (n x n), any: symmetry and definiteness are for the methods to find out
  VecX q;  ///< (n)
};

using LcpStatus = SolveStatus;

/// Of a start pivoting methods read only the set {i: start_i > 0}.
struct LcpOptions : SolveOptions {
  bool exhaustive = true;  ///< small problems: search every complementary cone when all else found nothing
};

struct [[nodiscard]] LcpResult : SolveOutcome {
  VecX z;
};

/// Aborts unless M is square and as large as q (a caller's mistake; the readers report a user's).
void check_lcp(const LcpProblem& problem);

/// Natural residual, zero exactly at the solutions of (1):
///     r(z) = max_i |min(z_i, (M z + q)_i)|                                                                     (2)
/// NaN or infinity in z gives infinity.
double calc_lcp_residual(const LcpProblem& problem, const VecX& z);

/// What rounding alone may leave in (2): 4 eps max_i (|M| |z| + |q|)_i. No method can be asked for less.
double calc_lcp_rounding(const LcpProblem& problem, const VecX& z);

/// The one rule that decides `solved`: residual <= tolerance, or, where |q|_inf = size is large, residual <= tolerance
/// size with nothing but rounding in it. Never where z is so large that rounding hides what the residual is (above 1e5
/// tolerances): on the ray of a problem without solution z can grow until the residual vanishes by chance.
bool is_lcp_solved(double residual, double rounding, double tolerance, double size);

/// Sets the residual and, by the rule above, `solved`; a result that claimed it without being so becomes `stalled`.
void update_lcp_verdict(const LcpProblem& problem, double tolerance, LcpResult& result);

/// One step of iterative refinement on the active set {i: z_i > w_i}: M_aa dz = -w_a, the rest at 0; by LU and, if that
/// leaves more than rounding, by least squares (singular blocks). Keeps z where the residual would not fall, and
/// returns at once where it is at rounding level already. result.residual must be measured.
void refine_lcp(const LcpProblem& problem, LcpResult& result);

}  // namespace stiction
