#include "stiction/solvers/cone/cone_solvers.h"

#include <array>

#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/solvers/cone/cone_gauss_seidel.h"
#include "stiction/solvers/cone/cone_newton.h"
#include "stiction/solvers/cone/cone_proximal.h"

namespace stiction {
namespace {

template <ConeResult (*solve)(const ConeProblem&, const ConeOptions&)>
ConeResult without_workspace(const ConeProblem& problem, const ConeOptions& options, ConeWorkspace&) {
  return solve(problem, options);
}

constexpr std::array cone_table{
    ConeSolver{"automatic",
               [](const ConeProblem& problem, const ConeOptions& options, ConeWorkspace& workspace) {
                 return solve_cone(problem, options, workspace);
               },
               "sweeps, then Newton, then the proximal method, island by island"},
    ConeSolver{"gauss_seidel", &without_workspace<solve_cone_gauss_seidel>, "sweeps of exact one-contact solutions"},
    ConeSolver{"newton", &without_workspace<solve_cone_newton>, "Newton's method on the smoothed natural map"},
    ConeSolver{"proximal", &without_workspace<solve_cone_proximal>,
               "proximal-point steps for hyperstatic and badly scaled problems"},
};

}  // namespace

std::span<const ConeSolver> cone_solvers() {
  return cone_table;
}

const ConeSolver* find_cone_solver(std::string_view name) {
  for (const ConeSolver& solver : cone_table) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

}  // namespace stiction
