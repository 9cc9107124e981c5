#include "stiction/solvers/cone_feasibility.h"

#include "stiction/solvers/lcp_principal_pivoting.h"

namespace stiction {

VecX find_infeasibility_proof(const ConeProblem& problem) {
  constexpr double accuracy = 1e-9;
  const int d = problem.dimension(), nc = problem.contacts();
  MatX N = MatX::Zero(nc, static_cast<Eigen::Index>(d) * nc);
  VecX q(nc);
  for (int i = 0; i < nc; ++i) {
    q[i] = problem.q[static_cast<Eigen::Index>(i) * d];
    for (int k = problem.W.row_begin(i); k < problem.W.row_begin(i + 1); ++k) {
      N.block(i, static_cast<Eigen::Index>(d) * problem.W.column(k), 1, d) = problem.W.block(k).row(0);
    }
  }
  // Without a contact that comes in, r = 0 will do.
  if (nc == 0 || q.minCoeff() >= 0) return {};
  // In units of |q_n| and max W.
  const double size = N.cwiseAbs().maxCoeff();
  q /= q.cwiseAbs().maxCoeff();
  if (size > 0) N /= size;
  // min |N'y|^2 + (q'y + 1)^2, y >= 0
  const LcpProblem least{N * N.transpose() + q * q.transpose(), q};
  LcpOptions options;
  options.max_iterations = 100;
  LcpPrincipalPivoting pivoting;
  const VecX y = pivoting.solve(least, options).z;
  const double work = -q.dot(y);
  if (!(work > 0.5) || (N.transpose() * y).cwiseAbs().maxCoeff() > accuracy * work) return {};
  return y / work;
}

}  // namespace stiction
