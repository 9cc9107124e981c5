#pragma once

#include <limits>

#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/solvers/cone/cone_body_auto.h"
#include "stiction/solvers/cone/cone_least_norm.h"
#include "stiction/solvers/lcp/lcp_solvers.h"
#include "stiction/solvers/mlcp/mlcp.h"
#include "stiction/stepping/contact_record.h"
#include "stiction/stepping/problem_watch.h"
#include "stiction/stepping/rigid/impulse_units.h"
#include "stiction/stepping/rigid/solved_measure.h"
#include "stiction/stepping/rigid/step_rows.h"

namespace stiction {

struct RigidSolverSettings {
  FrictionForm form = FrictionForm::cone;
  int directions = 8;  ///< polyhedral, even; 2 in the plane
  SolvedMeasure solved = {};
  double aim = 1e-12;  ///< cone: residual up to which a guess is taken as it is
};

/// Impulses r with u = W r + q that satisfy non-penetration and friction, for the rows of a step; u and r in blocks of
/// StepRows::dimension(), normal first.
///
/// Polyhedral: for contact i with directions d_k, beta_k >= 0 along them and the multiplier sigma (lambda in the
/// paper):
///     0 <= c_n   orthogonal to  u_n >= 0
///     0 <= beta  orthogonal to  d_k . u_t + sigma >= 0                                                        (1)
///     0 <= sigma orthogonal to  mu c_n - sum beta >= 0
/// solved as an LCP by Lemke's method and what stands behind it (solvers/lcp/lcp_solvers.h). The
/// directions and those of a spin moment: friction_polyhedron.h. Joint friction is one row with bounds, |r| <= bound h:
/// a mixed LCP then. DEPARTURE: velocities and joint impulses are eliminated beforehand (step_rows.h); the solution is
/// the same.
///
/// Cone: the default method of solvers/cone/cone_auto.h, warm-started. Where more contacts are loaded than the motion
/// determines (four corners of a face), Coulomb's law on rigid bodies has many solutions.
/// - Impulses with the same velocities: of these the ones of least norm are taken (solvers/cone/cone_least_norm.h), in
///   groups of up to 100 contacts, after every search. 100 contacts take about 1 ms. Limits, joint friction and
///   contacts with layers keep what was found.
/// - Other velocities: some solutions slip where bodies would stick. Groups of up to 60 contacts, some of them new, are
///   first solved with W + 0.01 mean(diag W), bodies that give a little, and with W from there; in larger ones, new
///   contacts start from 0. (Without it examples/grasp.toml slips; 17 other examples do not change.)
///
/// A guess within `aim` is taken as it is: in a scene at rest, forces do not wander, and such a step costs one
/// residual, without W. (Up to 1e-11, which rounding of gaps adds up to in some ten steps, there would be a third of
/// the searches, but forces that are undetermined would wander by 4e-5 of themselves.) A search goes on to a tenth of
/// it where that is cheap. Groups of more than 100 contacts are solved on their bodies where the rows allow
/// (solvers/cone/cone_body_auto.h): a factorisation costs less there than on W. On W slow methods serve where what
/// cheap ones leave does not count as solved (solved_measure.h): up to 100 contacts, for a second at most, and up to
/// 600 where the residual stays above 1e-4.
///
/// Where rigid bodies are wedged, no finite impulses may do. With compliance e the impulses are bounded, and then grow
/// as 1/e. A group that only slow methods could solve is therefore first asked for them with 1e-2, 1e-4 and 1e-6
/// mean(diag W), and if they still grow with 1e-8. Where the last are 50 times those before (100 times, had
/// these no other part), it has no answer, and the first are taken; where slow methods end unsolved with 50 times the
/// last, the last are. They feed no energy, and the residual tells.
class RigidSolver {
 public:
  explicit RigidSolver(const RigidSolverSettings& settings) : settings_(settings) {}

  /// Told of the problems of solve() and solve_cold(), with what came out, and of which blocks of rows each has; null:
  /// all.
  using Watch = std::function<void(SolvedProblem&, const std::vector<int>* blocks)>;
  void watch(Watch watch) { watch_ = std::move(watch); }

  struct [[nodiscard]] Result {
    bool converged = true;
    double residual = 0;  ///< natural map of the cone problem, or natural residual of the LCP (units: impulse_units.h)
    int iterations = 0;
    double residual_of_guess = std::numeric_limits<double>::infinity();  ///< cone
    Undetermined undetermined = {};
  };
  /// Of the problem as it is posed: impulses, and with pyramids the multipliers of (1).
  int count_unknowns(const StepRows& rows) const;
  int count_unknowns(const RowBlock& block, int dimension) const;
  /// Polyhedral: r = edges z of the last problem.
  const MatX& edges() const { return edges_; }
  /// `r` is the first guess on entry, the solution on exit; `fresh` marks the blocks for which nothing is known. `h`:
  /// what bounds of joint friction are multiplied by.
  Result solve(StepRows& rows, const VecX& q, double h, const std::vector<char>& fresh, VecX& r);
  /// The same with nothing known of any block.
  Result solve_cold(StepRows& rows, const VecX& q, double h, VecX& r);
  /// The same by some sweeps only, to a residual of at least `tolerance` if they reach it; returns how many there were.
  int solve_roughly(StepRows& rows, const VecX& q, double tolerance, VecX& r);

 private:
  bool has_good_guess(StepRows& rows, const VecX& q, double h, const VecX& r, Result& found);
  Result solve_cone_form(StepRows& rows, const VecX& q, double h, const std::vector<char>& fresh, VecX& r);
  void guess_compliant(const std::vector<char>& fresh, VecX& r) const;
  /// A first guess within `enough` is taken as it is.
  Result solve_posed(double enough, VecX& r);
  void choose_impulses(StepRows& rows, const std::vector<int>* blocks, VecX& r, Result& found);
  bool solve_hard_group(const ConeProblem& part, VecX& r, int& iterations) const;
  void solve_hard_groups(VecX& r, Result& found) const;
  Result solve_fresh(StepRows& rows, const std::vector<int>* blocks, const std::vector<char>& fresh, VecX& r);
  Result solve_polyhedral_form(StepRows& rows, const VecX& q, double h, VecX& r);
  void pose_cone(StepRows& rows, const VecX& q, double h);
  void pose_part(StepRows& rows, const std::vector<int>& blocks, const VecX& q, double h);
  void set_laws(const StepRows& rows, const std::vector<int>* blocks, double h);
  double solve_large_groups(StepRows& rows, const VecX& q, double h, const ConeOptions& options, VecX& r,
                            Result& result);
  Result solve_parts(StepRows& rows, const VecX& q, double h, const std::vector<char>& fresh, VecX& r);

  void tell(std::variant<ConeProblem, MlcpProblem> problem, const std::vector<int>* blocks, const VecX& solution,
            const Result& result) const;
  void tell_group(StepRows& rows, const std::vector<int>& group, const VecX& q, double limit, const VecX& r);
  void tell_good_guess(StepRows& rows, const VecX& q, double h, const VecX& r, const Result& found);
  void tell_polyhedral(const MatX& W, const LcpResult& found, double unit, const Result& result) const;

  RigidSolverSettings settings_;
  Watch watch_;
  ConeProblem cone_;
  double cone_h_ = 0;  ///< length of the step for which it is posed [s]
  ConeOptions cone_options_;
  ConeWorkspace cone_workspace_;
  ImpulseUnits units_;
  VecX u_, part_r_;
  std::vector<char> all_fresh_, part_fresh_;
  std::vector<char> is_held_;  ///< posed blocks that keep their impulses: limits, joint friction, layers
  std::vector<ImpulseMotion> motions_;
  ConeLeastNorm least_norm_;
  VecX chosen_r_;
  ConeBodyAuto body_solver_;
  BodyConeProblem bodies_;
  std::vector<int> rest_;  ///< blocks that belong to no large group
  MlcpProblem mlcp_;
  LcpWorkspace workspace_;
  MatX polyhedron_;  ///< of a contact
  MatX edges_;       ///< one column an unknown: the impulse it stands for
};

}  // namespace stiction
