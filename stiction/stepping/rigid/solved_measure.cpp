#include "stiction/stepping/rigid/solved_measure.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

/// (2)
bool is_moderate(const ConeProblem& problem, const VecX& r) {
  constexpr double most = 10;
  const int d = problem.dimension();
  double stopping = 0, largest = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const double W_nn = problem.W.block(problem.W.diagonal(i))(0, 0);
    if (W_nn > 0) stopping += problem.q.segment(d * i, d).norm() / W_nn;
    largest = std::max(largest, r[d * i]);
  }
  return largest <= most * stopping;
}

}  // namespace

double SolvedMeasure::calc_limit(double part_of_velocities, const VecX& q, int d, double h) const {
  if (part_of_velocities == 0) return exact;
  const double fall = h * gravity;
  double sum = 0;
  for (Eigen::Index i = 0; i < q.size(); i += d) sum += fall * fall + (q[i] < 0 ? q.segment(i, d).squaredNorm() : 0);
  return std::max(exact, part_of_velocities * std::sqrt(sum) / (1 + q.norm()));
}

bool SolvedMeasure::accepts(const ConeProblem& problem, const VecX& r, double residual, double h) const {
  if (residual <= exact) return true;
  return residual <= calc_limit_of_hard(problem.q, problem.dimension(), h) && is_moderate(problem, r);
}

SolvedMeasure make_solved_measure(double solver_tolerance, double gravity) {
  if (solver_tolerance > 0) return {.exact = solver_tolerance, .part = 0, .part_of_hard = 0, .gravity = gravity};
  return {.gravity = gravity};
}

}  // namespace stiction
