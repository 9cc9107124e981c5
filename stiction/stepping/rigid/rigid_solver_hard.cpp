#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/solvers/island.h"
#include "stiction/stepping/rigid/rigid_solver.h"
#include "stiction/stepping/rigid/rigid_solver_compliant.h"

namespace stiction {
namespace {

/// Of mean(diag W), from the softest on; where light bodies carry heavy ones, the first are far from rigid.
constexpr double compliances[] = {1e-2, 1e-4, 1e-6, 1e-8};
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

/// The groups of the posed problem that r does not solve yet.
void RigidSolver::solve_hard_groups(VecX& r, Result& found) const {
  const int d = cone_.dimension();
  ConeOptions options = cone_options_;
  VecX part_r;
  for (const std::vector<int>& island : find_islands(cone_.W)) {
    if (static_cast<int>(island.size()) > cone_most_factorized) continue;
    const ConeProblem part = make_island(cone_, island);
    gather(r, island, d, part_r);
    // Many contacts: seconds in slow methods serve nobody.
    options.enough = part.contacts() > cone_most_cheap ? 1e-4 : settings_.solved.exact;
    if (calc_residual(part, part_r) <= options.enough) continue;
    const CompliantAnswers compliant(part, found.iterations);
    if (compliant.are_unbounded()) {
      scatter(compliant.softest(), island, d, r);
      continue;
    }
    options.start = &part_r;
    ConeResult result = solve_cone(part, options);
    found.iterations += result.iterations;
    const bool is_refused = result.status != ConeStatus::solved && compliant.is_beyond(result.r);
    scatter(is_refused ? compliant.hardest() : result.r, island, d, r);
  }
  found.residual = calc_residual(cone_, r);
  found.converged = found.residual <= settings_.solved.exact;
}

}  // namespace stiction
