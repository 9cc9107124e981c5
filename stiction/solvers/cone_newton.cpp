#include "stiction/solvers/cone_newton.h"

namespace stiction {

ConeResult solve_cone_newton(const ConeProblem& problem, const ConeOptions& options) {
  ConeResult result = solve_cone_by_path(problem, options, ConePath{});
  result.method = "newton";
  return result;
}

}  // namespace stiction
