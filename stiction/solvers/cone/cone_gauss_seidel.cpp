#include "stiction/solvers/cone/cone_gauss_seidel.h"

#include "stiction/solvers/cone/cone_dimension.h"

namespace stiction {

template <int D>
ConeSweeper<D>::ConeSweeper(const Cone& cone) : cone_(cone) {
  contacts_.reserve(cone.count);
  for (int i = 0; i < cone.count; ++i) contacts_.emplace_back(cone.A[cone.diagonal[i]]);
}

template <int D>
double ConeSweeper<D>::sweep(typename Cone::Vecs& x, bool backward) {
  double change = 0;
  for (int step = 0; step < cone_.count; ++step) {
    const int i = backward ? cone_.count - 1 - step : step;
    // Velocity without the contact's own impulse.
    typename Cone::Vec b = cone_.b[i];
    for (int k = cone_.row_start[i]; k < cone_.row_start[i + 1]; ++k) {
      if (k != cone_.diagonal[i]) b += cone_.A[k] * x[cone_.column[k]];
    }
    const typename Cone::Vec before = x[i];
    contacts_[i].solve(b, x[i]);
    change += (x[i] - before).squaredNorm();
  }
  return std::sqrt(change);
}

template class ConeSweeper<2>;
template class ConeSweeper<3>;
template class ConeSweeper<4>;

namespace {

template <int D>
ConeResult solve(const ConeProblem& problem, const ConeOptions& options) {
  const ConeCanonical<D> cone = make_canonical<D>(problem);
  const double target = options.tolerance * (1 + problem.q.norm());
  const int limit = options.max_iterations > 0 ? options.max_iterations : 10000;
  auto x = to_canonical(cone, calc_start(options, problem.q.size())), u = x, best = x;
  ConeSweeper<D> sweeper(cone);
  double least = INFINITY, change = INFINITY;
  int sweeps = 0;
  while (true) {
    // The residual costs as much as a sweep: taken every fourth. A sweep that changes nothing is the end.
    calc_velocity(cone, x, u);
    const double norm = calc_natural_norm(cone, x, u);
    if (norm < least) {
      least = norm;
      best = x;
    }
    if (norm <= 0.9 * target || sweeps >= limit || change == 0) break;
    for (int k = 0; k < 4 && sweeps < limit; ++k, ++sweeps) change = sweeper.sweep(x);
  }
  ConeResult result = make_cone_result(problem, from_canonical(cone, best), options.tolerance, change == 0);
  result.iterations = sweeps;
  result.method = "gauss_seidel";
  return result;
}

}  // namespace

ConeResult solve_cone_gauss_seidel(const ConeProblem& problem, const ConeOptions& options) {
  return with_dimension(problem.dimension(), [&]<int D>() { return solve<D>(problem, options); });
}

}  // namespace stiction
