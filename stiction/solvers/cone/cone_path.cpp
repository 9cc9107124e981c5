#include "stiction/solvers/cone/cone_path.h"

#include "stiction/solvers/cone/cone_dimension.h"
#include "stiction/solvers/cone/cone_path_follower.h"

namespace stiction {
namespace {

template <int D>
ConeResult solve(const ConeProblem& problem, const ConeOptions& options, const ConePath& path) {
  const ConeCanonical<D> cone = make_canonical<D>(problem);
  auto x = to_canonical(cone, calc_start(options, problem.q.size()));
  const ConePathResult end = follow_path(cone, path, 0.9 * options.tolerance * (1 + problem.q.norm()), x);
  ConeResult result = make_cone_result(problem, from_canonical(cone, x), options.tolerance, end.stalled);
  result.iterations = end.steps;
  return result;
}

}  // namespace

template <int D>
ConePathResult follow_path(const ConeCanonical<D>& cone, const ConePath& path, double target,
                           typename ConeCanonical<D>::Vecs& x) {
  ConeSmoothing<D> map(cone);
  PathFollower<ConeSmoothing<D>, D> follower(map, path, x);
  const ConePathResult result = follower.run(target);
  x = follower.best();
  return result;
}

template ConePathResult follow_path<2>(const ConeCanonical<2>&, const ConePath&, double, ConeCanonical<2>::Vecs&);
template ConePathResult follow_path<3>(const ConeCanonical<3>&, const ConePath&, double, ConeCanonical<3>::Vecs&);
template ConePathResult follow_path<4>(const ConeCanonical<4>&, const ConePath&, double, ConeCanonical<4>::Vecs&);

ConeResult solve_cone_by_path(const ConeProblem& problem, const ConeOptions& options, ConePath path) {
  if (options.max_iterations > 0) path.steps = options.max_iterations;
  if (options.start != nullptr) path.cold = false;
  return with_dimension(problem.dimension(), [&]<int D>() { return solve<D>(problem, options, path); });
}

}  // namespace stiction
