#include "stiction/solvers/cone/cone_solvers.h"

#include <array>

#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/solvers/cone/cone_gauss_seidel.h"
#include "stiction/solvers/cone/cone_newton.h"
#include "stiction/solvers/cone/cone_proximal.h"

namespace stiction {
namespace {

constexpr std::array cone_table{
    ConeSolver{"automatic", &solve_cone, "sweeps, then Newton, then the proximal method, island by island"},
    ConeSolver{"gauss_seidel", &solve_cone_gauss_seidel, "sweeps of exact one-contact solutions"},
    ConeSolver{"newton", &solve_cone_newton, "Newton's method on the smoothed natural map"},
    ConeSolver{"proximal", &solve_cone_proximal, "proximal-point steps for hyperstatic and badly scaled problems"},
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
