#include "stiction/solvers/cone/cone_newton.h"

namespace stiction {

ConePath make_newton_path() {
  ConePath path;
  path.cold = true;
  path.reduction = 0.3;
  path.adaptive = true;
  path.steps = 60;
  return path;
}

ConePath make_steady_newton_path() {
  ConePath path;
  path.cold = true;
  path.start = 3;
  path.reduction = 0.5;
  path.steps = 100;
  return path;
}

ConePath make_low_newton_path() {
  ConePath path;
  path.cold = true;
  path.start = 0.1;
  path.reduction = 0.7;
  path.steps = 200;
  return path;
}

ConePath make_strict_newton_path(double start) {
  ConePath path;
  path.cold = true;
  path.strict = true;
  path.start = start;
  path.closeness = 30;
  path.reduction = 0.3;
  path.alpha = 1e-9;
  path.alpha_least = 1e-13;
  path.steps = 400;
  path.patience = 200;
  return path;
}

ConePath make_warm_newton_path() {
  ConePath path;
  path.steps = 30;
  return path;
}

ConeResult solve_cone_newton(const ConeProblem& problem, const ConeOptions& options) {
  const bool warm = options.start != nullptr;
  ConeResult result = solve_cone_by_path(problem, options, warm ? make_warm_newton_path() : make_newton_path());
  if (result.status != ConeStatus::solved) {
    const int steps = result.iterations;
    ConeOptions cold = options;
    cold.start = nullptr;
    ConeResult steady = solve_cone_by_path(problem, cold, make_steady_newton_path());
    if (steady.residual < result.residual) result = std::move(steady);
    result.iterations = steps + steady.iterations;
  }
  result.method = "newton";
  return result;
}

}  // namespace stiction
