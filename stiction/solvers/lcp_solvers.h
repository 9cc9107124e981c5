#pragma once

#include <span>
#include <string_view>

#include "stiction/solvers/lcp.h"
#include "stiction/solvers/lcp_lemke.h"
#include "stiction/solvers/lcp_principal_pivoting.h"

namespace stiction {

/// Memory of all methods, kept from solve to solve: a time stepper owns one and hands it to every call.
struct LcpWorkspace {
  LcpLemke lemke;
  LcpPrincipalPivoting principal_pivoting;
};

/// A method of the family: functions of one signature, listed in one table.
struct LcpSolver {
  std::string_view name;
  LcpResult (*solve)(const LcpProblem&, const LcpOptions&, LcpWorkspace&);
  std::string_view sentence;
};

/// automatic, lemke, principal_pivoting, projected_gauss_seidel, enumeration
std::span<const LcpSolver> lcp_solvers();
/// Null if there is none of that name.
const LcpSolver* find_lcp_solver(std::string_view name);

/// The default. Picks principal pivoting for matrices that look symmetric PSD and Lemke for the others, measures the
/// residual, refines on the final active set where it is not at rounding level, and on failure goes on: the other
/// pivoting method, Lemke on the equilibrated problem, Lemke with other covering vectors, projected Gauss-Seidel
/// started from the best, and, for problems of at most 4096 cones and options.exhaustive, the enumeration of all of
/// them. Returns the smallest measured residual; `solved` only where it is within the tolerance, `no_solution` only
/// after the enumeration.
LcpResult solve_lcp(const LcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace);
LcpResult solve_lcp(const LcpProblem& problem, const LcpOptions& options = {});

}  // namespace stiction
