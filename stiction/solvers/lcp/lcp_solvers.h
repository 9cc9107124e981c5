#pragma once

#include <span>
#include <string_view>

#include "stiction/solvers/lcp/lcp.h"
#include "stiction/solvers/lcp/lcp_lemke.h"
#include "stiction/solvers/lcp/lcp_principal_pivoting.h"

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

/// The default. Principal pivoting for matrices that look symmetric PSD, then Lemke and Lemke on the equilibrated
/// problem (the latter first where the scales of rows or columns differ by 1e4), Lemke with other covering vectors,
/// projected Gauss-Seidel from the best point, and, for at most 4096 cones and options.exhaustive, the enumeration of
/// all of them. Every result is refined on its active set and measured; the first within the tolerance is returned,
/// else the one with the smallest residual. `solved` is said only of a measured residual, `no_solution` only after the
/// enumeration.
LcpResult solve_lcp(const LcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace);
LcpResult solve_lcp(const LcpProblem& problem, const LcpOptions& options = {});

}  // namespace stiction
