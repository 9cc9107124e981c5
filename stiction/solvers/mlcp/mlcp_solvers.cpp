#include "stiction/solvers/mlcp/mlcp_solvers.h"

#include <array>

#include "stiction/base/check.h"
#include "stiction/solvers/mlcp/mlcp_enumeration.h"
#include "stiction/solvers/mlcp/mlcp_reduction.h"

namespace stiction {
namespace {

constexpr int most_refinements = 3;

constexpr std::array mlcp_table{
    MlcpSolver{"automatic",
               [](const MlcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace) {
                 return solve_mlcp(problem, options, workspace);
               },
               "elimination, then splitting, then enumeration of small problems"},
    MlcpSolver{"elimination", &solve_mlcp_elimination, "free variables pivoted out, the rest solved as an LCP"},
    MlcpSolver{"splitting", &solve_mlcp_splitting, "free variables as differences of two, solved as an LCP"},
    MlcpSolver{"enumeration",
               [](const MlcpProblem& problem, const LcpOptions& options, LcpWorkspace&) {
                 return solve_mlcp_enumeration(problem, options);
               },
               "all complementary cones one by one: small problems only, proves that there is no solution"},
};

// Refines while it helps, down to what rounding leaves.
void polish(const MlcpProblem& problem, double tolerance, LcpResult& result) {
  result.residual = calc_mlcp_residual(problem, result.z);
  for (int i = 0; i < most_refinements && result.residual > calc_mlcp_rounding(problem, result.z); ++i) {
    const double before = result.residual;
    refine_mlcp(problem, result);
    if (!(result.residual < before)) break;
  }
  update_mlcp_verdict(problem, tolerance, result);
}

LcpResult solve_reduced(const MlcpProblem& problem, MlcpReduction::Elimination elimination, const LcpOptions& options,
                        LcpWorkspace& workspace) {
  STICTION_CHECK(options.start == nullptr || options.start->size() == problem.q.size());
  const MlcpReduction reduction(problem, elimination);
  LcpOptions inner = options;
  VecX guess;
  if (options.start != nullptr) {
    guess = reduction.translate_guess(*options.start);
    inner.start = &guess;
  }
  LcpResult result = solve_lcp(reduction.lcp(), inner, workspace);
  const VecX covering = reduction.bounded_covering();
  if (result.status != LcpStatus::solved && covering.size() > 0) {
    LcpOptions cold = inner;
    cold.start = nullptr;
    LcpResult bounded = workspace.lemke.solve(reduction.lcp(), cold, &covering);
    bounded.iterations += result.iterations;
    if (bounded.residual < result.residual) result = std::move(bounded);
  }
  result.z = reduction.recover(result.z);
  polish(problem, options.tolerance, result);
  return result;
}

}  // namespace

std::span<const MlcpSolver> mlcp_solvers() {
  return mlcp_table;
}

const MlcpSolver* find_mlcp_solver(std::string_view name) {
  for (const MlcpSolver& solver : mlcp_table) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

LcpResult solve_mlcp_elimination(const MlcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace) {
  return solve_reduced(problem, MlcpReduction::Elimination::pivot, options, workspace);
}

LcpResult solve_mlcp_splitting(const MlcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace) {
  return solve_reduced(problem, MlcpReduction::Elimination::split, options, workspace);
}

LcpResult solve_mlcp(const MlcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace) {
  check_mlcp(problem);
  LcpOptions inner = options;
  inner.exhaustive = false;
  LcpResult best = solve_mlcp_elimination(problem, inner, workspace);
  if (best.status == LcpStatus::solved || !problem.M.allFinite() || !problem.q.allFinite()) return best;
  const auto keep_better = [&best](LcpResult other) {
    other.iterations += best.iterations;
    if (other.residual < best.residual || other.status == LcpStatus::no_solution) best = std::move(other);
  };
  keep_better(solve_mlcp_splitting(problem, inner, workspace));
  if (best.status == LcpStatus::solved || !options.exhaustive || count_cones(problem) > most_enumerated_cones)
    return best;
  LcpResult all = solve_mlcp_enumeration(problem, options);
  if (all.status == LcpStatus::solved) polish(problem, options.tolerance, all);
  const LcpStatus verdict = all.status;
  keep_better(std::move(all));
  // Where not even all cones together tell, a ray of one method is no better.
  if (verdict == LcpStatus::stalled && best.status != LcpStatus::solved) best.status = verdict;
  return best;
}

LcpResult solve_mlcp(const MlcpProblem& problem, const LcpOptions& options) {
  LcpWorkspace workspace;
  return solve_mlcp(problem, options, workspace);
}

}  // namespace stiction
