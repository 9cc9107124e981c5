#include "stiction/solvers/cone_proximal.h"

namespace stiction {

ConePath make_proximal_path() {
  ConePath path;
  path.start = 10;
  path.closeness = 0.1;
  path.reduction = 0.7;
  path.alpha = 1e-3;
  path.alpha_least = 1e-9;
  path.steps = 4000;
  path.patience = 1500;
  return path;
}

ConeResult solve_cone_proximal(const ConeProblem& problem, const ConeOptions& options) {
  ConeResult result = solve_cone_by_path(problem, options, make_proximal_path());
  result.method = "proximal";
  return result;
}

}  // namespace stiction
