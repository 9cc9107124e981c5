#pragma once

#include <vector>

#include "stiction/solvers/lcp/lcp.h"

namespace stiction {

/// Principal pivoting for symmetric positive semidefinite M, for which the LCP is the optimality condition of
///     min 1/2 z'M z + q'z,   z >= 0.                                                                           (1)
/// First, from the guessed set of positive z, block principal pivoting (Judice, Pires 1994): all infeasible indices
/// change sides at once; after ten exchanges that do not lower their number, only the last one does (Murty's rule,
/// finite for positive definite M). If a block turns out singular, the same on M + eps I gives a set, from which the
/// second phase starts: a feasible active-set descent on (1) in the manner of Lawson and Hanson (1974), with
/// pseudo-inverse steps, which is finite for every PSD matrix because the objective falls strictly from set to set. A
/// direction of unbounded descent is a ray: no solution exists.
///
/// Only the lower triangle decides definiteness; M must be symmetric (is_symmetric). Cost: a Cholesky factorisation of
/// the active block per iteration; with the right guess there is one.
class LcpPrincipalPivoting {
 public:
  LcpResult solve(const LcpProblem& problem, const LcpOptions& options);

 private:
  enum class Outcome { solved, singular, limit };

  Outcome pivot_blocks(double shift, int limit, int& iterations);
  bool solve_active(double shift);
  LcpStatus descend(int limit, int& iterations);
  bool step_to_subspace_minimum(bool& unbounded);
  bool calc_step_is_endless();
  void collect_active(const VecX& z);

  const LcpProblem* problem_ = nullptr;
  VecX z_, w_, step_;
  MatX block_;
  std::vector<char> is_active_;
  std::vector<int> active_, infeasible_;
};

/// |M_ij - M_ji| <= 1e-12 max |M| for all i, j, and no negative diagonal entry.
bool looks_symmetric_psd(const MatX& M);

LcpResult solve_lcp_principal_pivoting(const LcpProblem& problem, const LcpOptions& options,
                                       LcpPrincipalPivoting& workspace);

}  // namespace stiction
