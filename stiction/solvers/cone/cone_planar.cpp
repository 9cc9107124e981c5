#include "stiction/solvers/cone/cone_planar.h"

#include "stiction/base/check.h"

namespace stiction {

ConePlanarResult solve_cone_planar(const ConeProblem& problem, LcpWorkspace& workspace) {
  STICTION_CHECK(problem.dimension() == 2);
  const int nc = problem.contacts();
  const bool has_axes = problem.ellipsoid.size() > 0;
  LcpProblem linear{MatX::Zero(4 * nc, 4 * nc), VecX::Zero(4 * nc)};
  // Rows and columns of a contact: r_n, p, m, l.
  for (int i = 0; i < nc; ++i) {
    for (int k = problem.W.row_begin(i); k < problem.W.row_begin(i + 1); ++k) {
      const auto W = problem.W.block(k);
      linear.M.block<3, 3>(4 * i, 4 * problem.W.column(k)) << W(0, 0), W(0, 1), -W(0, 1),  //
          W(1, 0), W(1, 1), -W(1, 1),                                                      //
          -W(1, 0), -W(1, 1), W(1, 1);
    }
    linear.M.block<1, 3>(4 * i + 3, 4 * i) << problem.mu[i] * (has_axes ? problem.ellipsoid(i, 0) : 1), -1, -1;
    linear.M.block<2, 1>(4 * i + 1, 4 * i + 3) << 1, 1;
    linear.q.segment<3>(4 * i) << problem.q[2 * i], problem.q[2 * i + 1], -problem.q[2 * i + 1];
  }
  const LcpResult found = solve_lcp(linear, {}, workspace);
  ConePlanarResult result{VecX(2 * nc), found.status == LcpStatus::no_solution};
  for (int i = 0; i < nc; ++i) result.r.segment<2>(2 * i) << found.z[4 * i], found.z[4 * i + 1] - found.z[4 * i + 2];
  return result;
}

}  // namespace stiction
