#pragma once

#include <cstdint>
#include <functional>
#include <variant>

#include "stiction/solvers/cone/cone.h"
#include "stiction/solvers/mlcp/mlcp.h"

namespace stiction {

/// A contact problem of a step as it was posed, in SI units, and what came out. Steps may have several: one an island,
/// one a located impact, one a round of the active set.
struct SolvedProblem {
  double t = 0;           ///< at the start of the step [s]
  std::int64_t step = 0;  ///< its number, from 0
  std::variant<ConeProblem, MlcpProblem> problem;
  VecX solution;        ///< impulses r, or z
  double residual = 0;  ///< as measured
  int iterations = 0;
  bool converged = true;
};

using ProblemWatch = std::function<void(const SolvedProblem&)>;

}  // namespace stiction
