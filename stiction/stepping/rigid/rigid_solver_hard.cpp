#include <algorithm>

#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/solvers/island.h"
#include "stiction/stepping/rigid/rigid_solver.h"
#include "stiction/stepping/rigid/rigid_solver_compliant.h"

namespace stiction {
namespace {

/// Of mean(diag W), from the softest on; where light bodies carry heavy ones, the first are far from rigid.
constexpr double compliances[] = {1e-2, 1e-4, 1e-6, 1e-8};
/// Residual of many contacts beyond which slow methods are tried: seconds in them serve nobody.
constexpr double enough_of_many = 1e-4;
/// From this many on they tell.
constexpr std::size_t telling = 3;
constexpr double growth = 50;

double calc_largest(const VecX& r) {
  return r.cwiseAbs().maxCoeff();
}

/// The answers of bodies that give more or less; of those that give most, as near as it is found.
class CompliantAnswers {
 public:
  CompliantAnswers(const ConeProblem& problem, int& iterations) {
    ConeOptions options;
    options.tolerance = 1e-6;
    options.enough = 1;
    for (const double compliance : compliances) {
      ConeResult result = solve_cone(make_compliant(problem, compliance), options);
      iterations += result.iterations;
      if (result.status == ConeStatus::solved || answers_.empty()) answers_.push_back(std::move(result.r));
      if (result.status != ConeStatus::solved || (answers_.size() >= telling && !are_unbounded())) break;
    }
  }
  /// Do impulses grow as bodies give less?
  bool are_unbounded() const {
    const std::size_t last = answers_.size() - 1;
    return answers_.size() >= telling && calc_largest(answers_[last]) > growth * calc_largest(answers_[last - 1]);
  }
  const VecX& softest() const { return answers_.front(); }
  const VecX& hardest() const { return answers_.back(); }
  /// Beyond all that the hardest that tells would have, which is as much larger as it is harder than what is known.
  bool is_beyond(const VecX& r) const {
    const double harder = std::max(1.0, compliances[answers_.size() - 1] / compliances[telling - 1]);
    return calc_largest(r) > growth * harder * calc_largest(hardest());
  }

 private:
  std::vector<VecX> answers_;
};

}  // namespace

/// Slow methods, to what counts as solved; impulses that are not moderate are to be near those with compliance. Returns
/// whether r is a solution.
bool RigidSolver::solve_hard_group(const ConeProblem& part, VecX& r, int& iterations) const {
  const double limit = settings_.solved.calc_limit_of_hard(part.q, part.dimension(), cone_h_);
  const bool is_large = part.contacts() > cone_most_cheap;
  if (part.contacts() > cone_most_factorized || (is_large && calc_residual(part, r) <= enough_of_many)) return false;
  const CompliantAnswers compliant(part, iterations);
  if (compliant.are_unbounded()) {
    r = compliant.softest();
    return false;
  }
  ConeOptions options;
  options.start = &r;
  options.tolerance = limit;
  options.aim = std::min(limit, cone_options_.aim);
  options.enough = is_large ? enough_of_many : limit;
  if (compliant.is_beyond(r)) options.tolerance = options.enough = settings_.solved.exact;
  ConeResult result = solve_cone(part, options);
  iterations += result.iterations;
  const bool is_solved = result.status == ConeStatus::solved, is_beyond = compliant.is_beyond(result.r);
  r = !is_solved && is_beyond ? compliant.hardest() : result.r;
  return is_solved && (!is_beyond || result.residual <= settings_.solved.exact);
}

/// The groups of the posed problem that r does not solve yet.
void RigidSolver::solve_hard_groups(VecX& r, Result& found) const {
  const int d = cone_.dimension();
  VecX part_r;
  found.converged = true;
  for (const std::vector<int>& island : find_islands(cone_.W)) {
    const ConeProblem part = make_island(cone_, island);
    gather(r, island, d, part_r);
    bool is_accepted = settings_.solved.accepts(part, part_r, calc_residual(part, part_r), cone_h_);
    if (!is_accepted) {
      is_accepted = solve_hard_group(part, part_r, found.iterations);
      scatter(part_r, island, d, r);
    }
    found.converged = found.converged && is_accepted;
  }
  found.residual = calc_residual(cone_, r);
  const bool is_exact = found.residual <= settings_.solved.exact;
  found.converged = is_exact || (found.converged && settings_.solved.part > 0);
}

}  // namespace stiction
