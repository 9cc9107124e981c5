#pragma once

#include "stiction/math/sparse_lu.h"
#include "stiction/solvers/mcp/mcp.h"

namespace stiction {

/// Fischer-Burmeister reformulation: the MCP holds exactly where Phi(z) = 0, with phi(a, b) = a + b - sqrt(a^2 + b^2)
/// and
///     g_i   = -phi(upper_i - z_i, -F_i)   (F_i without upper bound)
///     Phi_i = phi(z_i - lower_i, g_i)     (g_i without lower bound)                                            (1)
/// (Fischer 1992; for boxes Billups 1995). An element of its generalised Jacobian is diag(a) + diag(b) F'.
struct McpMerit {
  VecX Phi, a, b;
  double value = 0;  ///< Psi = 1/2 |Phi|^2, infinity where F is not finite

  void update(const McpProblem& problem, const VecX& z, const VecX& F);
  /// The natural map's active-set form of the same: a_i = 1, b_i = 0 where the bound wins in mid(z - u, z - l, F), else
  /// a_i = 0, b_i = 1; Phi is the natural map. A Newton step on it is one principal pivot on the linearised problem.
  void update_natural(const McpProblem& problem, const VecX& z, const VecX& F);
};

/// The Newton step on such a map; it owns the memory.
class McpNewtonStep {
 public:
  /// d with (diag(a) + diag(b) (F' + shift I)) d = -Phi; false if that is singular to working precision.
  bool solve(const McpMerit& merit, const McpProblem::Jacobian& J, double shift, VecX& d);

 private:
  McpProblem::Jacobian H_;
  SparseLu lu_;
};

}  // namespace stiction
