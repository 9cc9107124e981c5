#pragma once

#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// W + part mean(diag W): bodies that give a little, alike at every contact.
inline ConeProblem make_compliant(ConeProblem problem, double part) {
  ConeMatrix& W = problem.W;
  const int n = problem.contacts();
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += W.block(W.diagonal(i)).trace();
  for (int i = 0; i < n; ++i) W.block(W.diagonal(i)).diagonal().array() += part * sum / (problem.dimension() * n);
  return problem;
}

}  // namespace stiction
