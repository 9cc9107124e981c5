#pragma once

#include <span>
#include <string_view>

#include "stiction/solvers/mcp/mcp_newton.h"

namespace stiction {

/// Memory of all methods, kept from solve to solve.
struct McpWorkspace {
  McpNewton newton;
};

/// A method of the family: functions of one signature, listed in one table.
struct McpSolver {
  std::string_view name;
  McpResult (*solve)(McpProblem&, const McpOptions&, McpWorkspace&);
  std::string_view sentence;
};

/// automatic, josephy_newton, semismooth_newton
std::span<const McpSolver> mcp_solvers();
/// Null if there is none of that name.
const McpSolver* find_mcp_solver(std::string_view name);

/// Newton steps from pivoting, with the gradient of the merit function where they fail. No fall-back.
McpResult solve_mcp_josephy_newton(McpProblem& problem, const McpOptions& options, McpWorkspace& workspace);
/// Newton steps on the Fischer-Burmeister function, with its gradient where they fail. No fall-back.
McpResult solve_mcp_semismooth_newton(McpProblem& problem, const McpOptions& options, McpWorkspace& workspace);

/// The default: all directions from the start; where the merit function has a local minimum that is no solution,
/// 1. the proximal-point iteration z+ solves F(z) + lambda (z - z_k), which follows the flow z' = -F(z) out of it
///    (the proximal perturbation of Billups and Ferris 1997, with lambda raised where its problems fail and lowered
///    where they succeed), descending on the original problem now and then;
/// 2. new starts: the origin and fixed-seed random points around the start at growing distances, each with 1.
/// Returns the least measured residual.
McpResult solve_mcp(McpProblem& problem, const McpOptions& options, McpWorkspace& workspace);
McpResult solve_mcp(McpProblem& problem, const McpOptions& options = {});

}  // namespace stiction
