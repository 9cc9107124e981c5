#pragma once

#include <Eigen/SparseCore>

#include "stiction/solvers/solve.h"

namespace stiction {

/// Mixed nonlinear complementarity problem: find z such that, for every i, one of
///     z_i = lower_i and F_i(z) >= 0,   lower_i <= z_i <= upper_i and F_i(z) = 0,   z_i = upper_i and F_i(z) <= 0  (1)
/// (Dirkse, Ferris 1995). Bounds may be infinite.
class McpProblem {
 public:
  using Jacobian = Eigen::SparseMatrix<double>;
  VecX lower, upper;  ///< (n)

  virtual ~McpProblem() = default;
  /// F may be undefined (not finite), inside the bounds too: the methods step back. `F` has n numbers.
  virtual void calc_F(const VecX& z, VecX& F) = 0;
  /// J_ij = dF_i / dz_j, compressed, with every diagonal entry in its pattern, 0 or not. Only called at points at which
  /// F is finite. A method allocates nothing once warm if the pattern stays.
  virtual void calc_J(const VecX& z, Jacobian& J) = 0;
};

using McpStatus = SolveStatus;
using McpOptions = SolveOptions;  ///< no start: the origin; iterations: Newton steps, over all starts and fall-backs

struct [[nodiscard]] McpResult : SolveOutcome {
  VecX z;
};

/// Aborts unless sizes fit and lower <= upper.
void check_mcp(const McpProblem& problem, const VecX& start);

/// Natural residual, zero exactly at the solutions of (1), with mid(l, u, x) = min(u, max(l, x)):
///     r(z) = max_i |z_i - mid(lower_i, upper_i, z_i - F_i(z))|                                                 (2)
/// Infinity where F is not finite.
double calc_mcp_residual(McpProblem& problem, const VecX& z);
/// The same with F(z) already known.
double calc_mcp_residual(const McpProblem& problem, const VecX& z, const VecX& F);

}  // namespace stiction
