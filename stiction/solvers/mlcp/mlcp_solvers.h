#pragma once

#include <span>
#include <string_view>

#include "stiction/solvers/lcp/lcp_solvers.h"
#include "stiction/solvers/mlcp/mlcp.h"

namespace stiction {

struct MlcpSolver {
  std::string_view name;
  LcpResult (*solve)(const MlcpProblem&, const LcpOptions&, LcpWorkspace&);
  std::string_view sentence;
};

/// automatic, elimination, splitting, enumeration
std::span<const MlcpSolver> mlcp_solvers();
/// Null if there is none of that name.
const MlcpSolver* find_mlcp_solver(std::string_view name);

/// Free variables eliminated by a (principal block) pivot, then solve_lcp on what is left.
LcpResult solve_mlcp_elimination(const MlcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace);
/// Free variables split into x+ - x-, then solve_lcp.
LcpResult solve_mlcp_splitting(const MlcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace);

/// The default: elimination, then splitting, then, for at most 4096 cones and options.exhaustive, enumeration; each
/// measured and refined on the mixed problem itself. The guess is a z of the mixed problem: rows strictly inside their
/// bounds are taken as w = 0.
LcpResult solve_mlcp(const MlcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace);
LcpResult solve_mlcp(const MlcpProblem& problem, const LcpOptions& options = {});

}  // namespace stiction
