#pragma once

#include <vector>

#include "stiction/solvers/cone.h"

namespace stiction {

// What the files of RigidSolver share: vectors in blocks of d, and problems made of others.

inline void gather(const VecX& whole, const std::vector<int>& blocks, int d, VecX& part) {
  part.resize(d * static_cast<int>(blocks.size()));
  for (std::size_t k = 0; k < blocks.size(); ++k)
    part.segment(d * static_cast<int>(k), d) = whole.segment(d * blocks[k], d);
}

inline void scatter(const VecX& part, const std::vector<int>& blocks, int d, VecX& whole) {
  for (std::size_t k = 0; k < blocks.size(); ++k)
    whole.segment(d * blocks[k], d) = part.segment(d * static_cast<int>(k), d);
}

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
