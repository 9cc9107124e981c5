#include "stiction/solvers/cone/cone_auto.h"

#include <algorithm>
#include <optional>

#include "stiction/solvers/cone/cone_anderson.h"
#include "stiction/solvers/cone/cone_curve.h"
#include "stiction/solvers/cone/cone_dimension.h"
#include "stiction/solvers/cone/cone_feasibility.h"
#include "stiction/solvers/cone/cone_frictionless.h"
#include "stiction/solvers/cone/cone_gauss_seidel.h"
#include "stiction/solvers/cone/cone_newton.h"
#include "stiction/solvers/cone/cone_planar.h"
#include "stiction/solvers/cone/cone_proximal.h"
#include "stiction/solvers/island.h"

namespace stiction {
namespace {

enum class Stage { gauss_seidel, principal_pivoting, newton, proximal, pivoting, curve };

struct PartResult {
  VecX r;
  int iterations = 0;
  bool stalled = false;
  bool solved = false;
  bool impossible = false;
  Stage stage = Stage::gauss_seidel;
};

struct Part {
  const ConeProblem& problem;
  VecX start;
  double target = 0;  ///< for the numerator of the residual
  double aim = 0;     ///< lower, if that is cheap
  double enough = 0;  ///< higher: beyond it nothing slow is tried
  int limit = 0;
  bool warm = false;     ///< the caller gave the start
  bool hurried = false;  ///< the caller does not wait for ever
  bool quick = false;    ///< ConeOptions::quick
};

template <int D>
class PartSolver {
 public:
  using Cone = ConeCanonical<D>;
  using Vecs = typename Cone::Vecs;

  PartSolver(const Part& part, LcpWorkspace& pivoting)
      : problem_(part.problem),
        pivoting_(pivoting),
        cone_(make_canonical<D>(part.problem)),
        target_(part.target),
        aim_(part.problem.contacts() > cone_most_factorized ? part.target : part.aim),
        enough_(part.enough),
        limit_(part.limit),
        warm_(part.warm),
        hurried_(part.hurried),
        quick_(part.quick),
        x_(to_canonical(cone_, part.start)),
        u_(x_),
        best_(x_) {
    take(x_);
  }

  // Few sweeps only: enough when nothing much happens.
  PartResult solve_if_easy() {
    sweep(easy_sweeps);
    result_.r = from_canonical(cone_, best_);
    result_.solved = norm_ <= aim_;
    return result_;
  }

  PartResult solve() {
    if (warm_ && norm_ <= good_start * aim_) {
      result_.r = from_canonical(cone_, best_);
      return result_;
    }
    sweep(is_large() ? most_sweeps_of_large : most_sweeps);
    if (!solved()) pivot_if_frictionless();
    if (!solved() && !(is_huge() && norm_ <= enough_)) factorize();
    if (solved() && norm_ > aim_ && !is_large()) better();
    result_.r = from_canonical(cone_, best_);
    return result_;
  }

 private:
  // Methods that factorise.
  void factorize() {
    // Many contacts bear more than the motion determines: from near the answer the proximal path is the surest then.
    if (!solved() && warm_ && is_large()) run(Stage::proximal, make_patient_proximal_path(), best_);
    if (!solved() && warm_) run(Stage::newton, make_warm_newton_path(), best_);
    if (!solved() && !(quick_ && norm_ <= enough_)) run(Stage::newton, make_newton_path(), best_);
    if (!solved() && !quick_ && norm_ > enough_) run_slow();
  }

  void run_slow() {
    run(Stage::newton, make_steady_newton_path(), best_);
    if (!solved()) run(Stage::proximal, make_brisk_proximal_path(), best_);
    if (!solved()) run(Stage::newton, make_low_newton_path(), best_);
    for (const double start : {10.0, 1e5}) {
      if (!solved()) run(Stage::newton, make_strict_newton_path(start), best_);
    }
    if (!solved() && problem_.contacts() <= most_dense) {
      result_.impossible = find_infeasibility_proof(problem_).size() > 0;
    }
    if (!solved() && !result_.impossible && D == 2 && problem_.contacts() <= most_pivoted) {
      const ConePlanarResult found = solve_cone_planar(problem_, pivoting_);
      take(to_canonical(cone_, found.r));
      result_.impossible = found.impossible;
      result_.stage = Stage::pivoting;
    }
    if (!solved() && !result_.impossible && D * problem_.contacts() <= most_curve_rows) follow_curves();
    if (!solved() && !result_.impossible) be_patient();
  }

  bool solved() const { return norm_ <= target_; }
  bool is_large() const { return problem_.contacts() > cone_most_cheap; }
  bool is_huge() const { return problem_.contacts() > cone_most_factorized; }

  // Keeps x if it is the best so far; returns its norm.
  double take(const Vecs& x) {
    calc_velocity(cone_, x, u_);
    const double norm = calc_natural_norm(cone_, x, u_);
    if (norm < norm_) {
      norm_ = norm;
      best_ = x;
    }
    return norm;
  }

  void sweep(int most) {
    if (norm_ <= aim_) return;
    if (limit_ > 0) most = std::min(most, limit_);
    ConeSweeper<D> sweeper(cone_);
    std::optional<ConeAnderson<D>> acceleration;
    if (is_huge()) acceleration.emplace(cone_.count);
    // Newton's method is about as dear as twenty sweeps, on many contacts as a hundred.
    constexpr int stride = 5, fewest = 20, patience = 20;
    const int worth = is_large() ? 100 : fewest;
    double before = norm_, best_before = norm_;
    for (int sweeps = 0; sweeps < most && norm_ > aim_;) {
      // The first alone: it solves what is no more than one contact.
      for (int end = sweeps == 0 ? 1 : sweeps / stride * stride + stride; sweeps < end; ++sweeps) {
        if (acceleration && sweeps > 0) acceleration->accelerate(before_, x_, x_);
        if (acceleration) before_ = x_;
        sweeper.sweep(x_);
      }
      const double norm = take(x_);
      result_.iterations = sweeps;
      // Sweeps left at this rate; what is solved is not bettered at any price.
      const double rate = norm / before;
      const bool soon = rate < 1 && stride * std::log(aim_ / norm) / std::log(rate) < (solved() ? fewest : worth);
      const bool has_choice = solved() || !is_huge();
      if (sweeps >= (solved() ? stride : fewest) && !soon && has_choice) break;
      // At such a pace all that are left would not gain a digit.
      if (sweeps % patience == 0) {
        if (is_huge() && norm_ > 0.7 * best_before) break;
        best_before = norm_;
      }
      before = norm;
    }
    swept_ = best_;
  }

  // Solves with all of mu times a factor that rises to 1, each from the answer of the one before.
  void raise_friction(double weakest) {
    VecX r = from_canonical(cone_, swept_);
    ConeProblem weaker = problem_;
    const ConePath path = make_brisk_proximal_path();
    for (double factor = weakest; factor < 1; factor += 0.25 * (1.04 - factor)) {
      weaker.mu = factor * problem_.mu;
      const Cone cone = make_canonical<D>(weaker);
      Vecs x = to_canonical(cone, r);
      follow(cone, path, x);
      r = from_canonical(cone, x);
    }
    run(Stage::proximal, path, to_canonical(cone_, r));
  }

  // A few steps more: near a solution Newton's method converges fast, or not at all.
  void better() {
    for (const int steps : {1, 4}) {
      ConePath path = make_warm_newton_path();
      path.steps = steps;
      x_ = best_;
      const double before = norm_;
      result_.iterations += follow_path(cone_, path, aim_, x_).steps;
      take(x_);
      if (norm_ <= aim_ || norm_ > 0.3 * before) return;
    }
  }

  // From the best point and, by other paths, from where the sweeps led and again from the best; between them the
  // answers to weaker friction as starts.
  void be_patient() {
    constexpr struct {
      bool from_best;
      double start, reduction, weakest;
    } attempts[] = {{true, 10, 0.7, 0.5}, {false, 100, 0.85, 0.8}, {true, 100, 0.5, 0.2}, {false, 10, 0.7, 0.9}};
    for (const auto& attempt : attempts) {
      if (solved()) break;
      ConePath path = make_patient_proximal_path();
      path.start = attempt.start;
      path.reduction = attempt.reduction;
      run(Stage::proximal, path, attempt.from_best ? best_ : swept_);
      if (!solved()) raise_friction(attempt.weakest);
    }
  }

  void pivot_if_frictionless() {
    if (problem_.contacts() > most_dense || !is_frictionless(problem_)) return;
    take(to_canonical(cone_, solve_frictionless(problem_, from_canonical(cone_, best_), pivoting_.principal_pivoting)));
    result_.stage = Stage::principal_pivoting;
  }

  void run(Stage stage, const ConePath& path, const Vecs& from) {
    x_ = from;
    result_.stalled = follow(cone_, path, x_).stalled;
    result_.stage = stage;
    take(x_);
  }

  // Where the caller is in a hurry there are so many steps, of all paths together.
  ConePathResult follow(const Cone& cone, ConePath path, Vecs& x) {
    if (limit_ > 0) path.steps = std::min(path.steps, limit_);
    if (hurried_) path.steps = std::min(path.steps, (is_large() ? most_steps_of_large : most_steps) - path_steps_);
    if (hurried_ && is_large()) path.patience = std::min(path.patience, patience_of_large);
    if (path.steps <= 0) return {};
    const ConePathResult end = follow_path(cone, path, target_, x);
    result_.iterations += end.steps;
    path_steps_ += end.steps;
    return end;
  }

  void follow_curves() {
    for (const double middle : {1.0, 0.01, 100.0}) {
      if (solved()) break;
      ConeCurve curve;
      curve.middle = middle;
      if (limit_ > 0) curve.steps = limit_;
      if (hurried_) curve.steps = std::min(curve.steps, most_curve_steps);
      x_ = best_;
      const ConePathResult end = follow_curve(cone_, curve, target_, x_);
      result_.iterations += end.steps;
      result_.stalled = end.stalled;
      result_.stage = Stage::curve;
      take(x_);
    }
  }

  static constexpr double good_start = 10;  // times the aim: nothing is gained from there
  static constexpr int easy_sweeps = 5, most_sweeps = 60, most_sweeps_of_large = 300;
  static constexpr int most_steps = 2000, most_curve_steps = 500;           // in a hurry
  static constexpr int most_steps_of_large = 600, patience_of_large = 200;  // likewise, of a millisecond each, or two
  static constexpr int most_dense = 1000;      // contacts for which a dense matrix of their normals is made
  static constexpr int most_pivoted = 60;      // contacts of a problem in the plane
  static constexpr int most_curve_rows = 200;  // for which thousands of dense factorisations take a second or two
  const ConeProblem& problem_;
  LcpWorkspace& pivoting_;
  const Cone cone_;
  const double target_, aim_, enough_;
  const int limit_;
  const bool warm_, hurried_, quick_;
  Vecs x_, u_, best_, swept_, before_;
  double norm_ = INFINITY;
  int path_steps_ = 0;
  PartResult result_;
};

template <int D>
PartResult solve_part(const Part& part, bool only_if_easy, LcpWorkspace& pivoting) {
  PartSolver<D> solver(part, pivoting);
  return only_if_easy ? solver.solve_if_easy() : solver.solve();
}

PartResult solve_part(const Part& part, bool only_if_easy, LcpWorkspace& pivoting) {
  return with_dimension(part.problem.dimension(), [&]<int D>() { return solve_part<D>(part, only_if_easy, pivoting); });
}

const char* name_of(Stage stage) {
  switch (stage) {
    case Stage::gauss_seidel:
      return "gauss_seidel";
    case Stage::principal_pivoting:
      return "principal_pivoting";
    case Stage::newton:
      return "newton";
    case Stage::proximal:
      return "proximal";
    case Stage::pivoting:
      return "pivoting";
    case Stage::curve:
      return "curve";
  }
  return "?";
}

// Island by island, put together again.
PartResult solve_islands(const ConeProblem& problem, const Part& whole, int threads, ConeWorkspace& workspace) {
  const int d = problem.dimension();
  const auto islands = find_islands(problem.W);
  if (workspace.islands.size() < islands.size()) workspace.islands.resize(islands.size());
  if (islands.size() == 1) return solve_part(whole, false, workspace.islands.front());
  std::vector<PartResult> results(islands.size());
  for_each_island(static_cast<int>(islands.size()), threads, [&](int island) {
    const std::vector<int>& contacts = islands[island];
    const ConeProblem part = make_island(problem, contacts);
    const double share = std::sqrt(static_cast<double>(contacts.size()) / problem.contacts());
    VecX start;
    gather(whole.start, contacts, d, start);
    results[island] = solve_part(Part{part, start, whole.target * share, whole.aim * share, whole.enough * share,
                                      whole.limit, whole.warm, whole.hurried, whole.quick},
                                 false, workspace.islands[island]);
  });
  // The slowest stage any island needed names the method.
  PartResult result;
  result.r.resize(problem.q.size());
  for (std::size_t island = 0; island < islands.size(); ++island) {
    const PartResult& part = results[island];
    scatter(part.r, islands[island], d, result.r);
    result.iterations += part.iterations;
    result.stalled = result.stalled || part.stalled;
    result.impossible = result.impossible || part.impossible;
    result.stage = std::max(result.stage, part.stage);
  }
  return result;
}

}  // namespace

ConeResult solve_cone(const ConeProblem& problem, const ConeOptions& options, ConeWorkspace& workspace) {
  const VecX start = calc_start(options, problem.q.size());
  const double scale = 0.9 * (1 + problem.q.norm()), tolerance = options.tolerance;
  const double aim = options.aim > 0 ? std::min(options.aim, tolerance) : tolerance;
  ConeResult at_start = make_cone_result(problem, start, tolerance, false);
  at_start.method = name_of(Stage::gauss_seidel);
  if (at_start.residual <= aim) return at_start;
  Part whole{problem,
             start,
             scale * tolerance,
             scale * aim,
             scale * std::max(options.enough, tolerance),
             options.max_iterations,
             options.start != nullptr,
             options.enough > 0,
             options.quick};
  PartResult found;
  if (problem.contacts() <= cone_most_factorized) {
    if (workspace.islands.empty()) workspace.islands.resize(1);
    found = solve_part(whole, true, workspace.islands.front());
    whole.start = found.r;
  }
  if (!found.solved) {
    const int sweeps = found.iterations;
    found = solve_islands(problem, whole, options.threads, workspace);
    found.iterations += sweeps;
  }
  ConeResult result = make_cone_result(problem, std::move(found.r), options.tolerance, found.stalled);
  if (found.impossible && result.status != ConeStatus::solved) result.status = ConeStatus::no_solution;
  result.iterations = found.iterations;
  result.method = name_of(found.stage);
  return result;
}

ConeResult solve_cone(const ConeProblem& problem, const ConeOptions& options) {
  ConeWorkspace workspace;
  return solve_cone(problem, options, workspace);
}

}  // namespace stiction
