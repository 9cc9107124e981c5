#pragma once

#include <string_view>

#include "stiction/math/vector.h"

namespace stiction {

/// Every family of solvers (lcp, mlcp, mcp, cone) is asked and answers alike:
///     Result solve_NAME(problem, options, workspace)
/// options start with SolveOptions, results with SolveOutcome. A workspace is memory that is kept from solve to solve:
/// a time stepper owns one and hands it to every call. No result depends on what was solved in it before.
struct SolveOptions {
  double tolerance = 1e-10;     ///< on the measured residual of the family, in the units of the problem
  int max_iterations = 0;       ///< of the method's outermost loop; 0 = the method's own limit
  const VecX* start = nullptr;  ///< first guess (n); null: none
};

/// The first guess, or 0.
inline VecX calc_start(const SolveOptions& options, Eigen::Index n) {
  return options.start != nullptr ? *options.start : VecX(VecX::Zero(n));
}

enum class SolveStatus {
  solved,           ///< the measured residual is within the tolerance
  ray,              ///< pivoting ended on an unbounded ray: it found no solution (for PSD and copositive-plus M: none
                    ///< exists; nonlinear problems: none of the linearisation at the end)
  no_solution,      ///< proven: there is none
  stalled,          ///< no more progress, the residual is above the tolerance
  iteration_limit,  ///< stopped on the way
};

/// "solved", "ray", "no_solution", "stalled", "iteration_limit"
std::string_view name_of(SolveStatus status);

struct [[nodiscard]] SolveOutcome {
  SolveStatus status = SolveStatus::iteration_limit;
  double residual = 0;  ///< measured by the residual function of the family, never claimed by the method
  int iterations = 0;   ///< pivots, sweeps, Newton steps, factorisations: what the method counts
};

}  // namespace stiction
