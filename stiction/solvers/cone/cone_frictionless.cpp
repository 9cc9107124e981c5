#include "stiction/solvers/cone/cone_frictionless.h"

namespace stiction {
namespace {

// Exchanges of blocks end in a few or not at all; the descent that would follow takes one step a contact and more.
constexpr int most_pivots = 30;

}  // namespace

bool is_frictionless(const ConeProblem& problem) {
  return (problem.mu.array() == 0).all();
}

VecX solve_frictionless(const ConeProblem& problem, const VecX& start, LcpPrincipalPivoting& pivoting) {
  const int d = problem.dimension(), nc = problem.contacts();
  LcpProblem normal{MatX::Zero(nc, nc), VecX(nc)};
  VecX guess(nc);
  for (int i = 0; i < nc; ++i) {
    normal.q[i] = problem.q[static_cast<Eigen::Index>(i) * d];
    guess[i] = start[static_cast<Eigen::Index>(i) * d];
    for (int k = problem.W.row_begin(i); k < problem.W.row_begin(i + 1); ++k) {
      normal.M(i, problem.W.column(k)) = problem.W.block(k)(0, 0);
    }
  }
  if (!looks_symmetric_psd(normal.M)) return start;
  LcpOptions options;
  options.start = &guess;
  options.max_iterations = most_pivots;
  const LcpResult found = pivoting.solve(normal, options);
  if (found.status != LcpStatus::solved) return start;
  VecX r = VecX::Zero(start.size());
  for (int i = 0; i < nc; ++i) r[static_cast<Eigen::Index>(i) * d] = found.z[i];
  return r;
}

}  // namespace stiction
