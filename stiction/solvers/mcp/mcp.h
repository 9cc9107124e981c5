#pragma once

#include <Eigen/SparseCore>

#include <functional>
#include <string_view>

#include "stiction/math/vector.h"

namespace stiction {

/// Mixed nonlinear complementarity problem: find z such that, for every i, one of
///     z_i = lower_i and F_i(z) >= 0,   lower_i <= z_i <= upper_i and F_i(z) = 0,   z_i = upper_i and F_i(z) <= 0  (1)
/// (Dirkse, Ferris 1995). Bounds may be infinite. F may be undefined (not finite) outside the bounds: the methods step
/// back. Exactly one of the two Jacobians is given, F'(z)_ij = dF_i / dz_j.
struct McpProblem {
  VecX lower, upper;  ///< (n)
  std::function<void(const VecX& z, VecX& F)> calc_F;
  std::function<void(const VecX& z, MatX& J)> calc_dense_J;
  std::function<void(const VecX& z, Eigen::SparseMatrix<double>& J)> calc_sparse_J;
};

enum class McpStatus {
  solved,           ///< the measured residual is within the tolerance
  stalled,          ///< no method lowers the merit function any further
  ray,              ///< as stalled, and the linearisation at the end has no solution that pivoting finds
  iteration_limit,  ///< stopped on the way
};

/// "solved", "stalled", "ray", "iteration_limit"
std::string_view name_of(McpStatus status);

struct McpOptions {
  double tolerance = 1e-10;   ///< on the natural residual (2)
  int max_iterations = 2000;  ///< Newton steps, over all starts and fall-backs
};

struct [[nodiscard]] McpResult {
  VecX z;
  McpStatus status = McpStatus::iteration_limit;
  double residual = 0;  ///< measured by calc_mcp_residual, never claimed by the method
  int iterations = 0;   ///< Newton steps
};

/// Aborts unless sizes fit, lower <= upper, and F and one Jacobian are given.
void check_mcp(const McpProblem& problem, const VecX& start);

/// Natural residual, zero exactly at the solutions of (1), with mid(l, u, x) = min(u, max(l, x)):
///     r(z) = max_i |z_i - mid(lower_i, upper_i, z_i - F_i(z))|                                                 (2)
/// Infinity where F is not finite.
double calc_mcp_residual(const McpProblem& problem, const VecX& z);
/// The same with F(z) already known.
double calc_mcp_residual(const McpProblem& problem, const VecX& z, const VecX& F);

/// F' at a point in the form in which the problem gives it.
struct McpJacobian {
  MatX dense;
  Eigen::SparseMatrix<double> sparse;
  bool is_sparse = false;

  void update(const McpProblem& problem, const VecX& z);
  bool is_finite() const;
  VecX multiply_transposed(const VecX& v) const;
  MatX to_dense() const { return is_sparse ? MatX(sparse) : dense; }
};

}  // namespace stiction
