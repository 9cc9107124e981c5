#include "stiction/solvers/cone/cone_proximal.h"

namespace stiction {

ConePath make_brisk_proximal_path() {
  ConePath path;
  path.start = 10;
  path.closeness = 0.05;
  path.reduction = 0.3;
  path.alpha = 1e-4;
  path.steps = 150;
  path.patience = 60;
  return path;
}

ConePath make_patient_proximal_path() {
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
  ConeResult result = solve_cone_by_path(problem, options, make_brisk_proximal_path());
  if (result.status != ConeStatus::solved) {
    const int steps = result.iterations;
    ConeOptions from_there = options;
    const VecX reached = std::move(result.r);
    from_there.start = &reached;
    result = solve_cone_by_path(problem, from_there, make_patient_proximal_path());
    result.iterations += steps;
  }
  result.method = "proximal";
  return result;
}

}  // namespace stiction
