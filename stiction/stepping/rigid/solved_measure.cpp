#include "stiction/stepping/rigid/solved_measure.h"

#include <algorithm>
#include <cmath>

namespace stiction {

double SolvedMeasure::calc_limit(const VecX& q, int d, double h) const {
  if (part == 0) return exact;
  const double fall = h * gravity;
  double sum = 0;
  for (Eigen::Index i = 0; i < q.size(); i += d) sum += fall * fall + (q[i] < 0 ? q.segment(i, d).squaredNorm() : 0);
  return std::max(exact, part * std::sqrt(sum) / (1 + q.norm()));
}

SolvedMeasure make_solved_measure(double solver_tolerance, double gravity) {
  if (solver_tolerance > 0) return {.exact = solver_tolerance, .part = 0, .gravity = gravity};
  return {.gravity = gravity};
}

}  // namespace stiction
