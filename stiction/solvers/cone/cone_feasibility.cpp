#include "stiction/solvers/cone/cone_feasibility.h"

#include "stiction/solvers/lcp/lcp_principal_pivoting.h"

namespace stiction {

namespace {

// Contact i comes in and no impulse of any cone pushes it open: -N_i in K*, exactly.
bool is_beyond_help(const ConeProblem& problem, int i) {
  const int d = problem.dimension();
  if (!(problem.q[static_cast<Eigen::Index>(i) * d] < 0)) return false;
  for (int k = problem.W.row_begin(i); k < problem.W.row_begin(i + 1); ++k) {
    const int j = problem.W.column(k);
    VecX row = -problem.W.block(k).row(0).transpose();
    if (problem.ellipsoid.size() > 0) row.tail(d - 1).array() *= problem.ellipsoid.row(j).transpose().array();
    if (!(row[0] >= problem.mu[j] * row.tail(d - 1).norm())) return false;
  }
  return true;
}

}  // namespace

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
  for (int i = 0; i < nc; ++i) {
    if (is_beyond_help(problem, i)) return VecX::Unit(nc, i);
  }
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
