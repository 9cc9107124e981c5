#include "stiction/solvers/cone_newton.h"

namespace stiction {

ConePath make_newton_path() { return {}; }

ConeResult solve_cone_newton(const ConeProblem& problem, const ConeOptions& options) {
  ConePath path = make_newton_path();
  path.steps = 200;
  ConeResult result = solve_cone_by_path(problem, options, path);
  result.method = "newton";
  return result;
}

}  // namespace stiction
