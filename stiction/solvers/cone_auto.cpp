#include "stiction/solvers/cone_auto.h"

#include <algorithm>

#include "stiction/solvers/cone_gauss_seidel.h"
#include "stiction/solvers/cone_newton.h"
#include "stiction/solvers/cone_proximal.h"
#include "stiction/solvers/island.h"

namespace stiction {
namespace {

enum class Stage { gauss_seidel, newton, proximal };

struct IslandResult {
  VecX r;
  int iterations = 0;
  bool stalled = false;
  Stage stage = Stage::gauss_seidel;
};

template <int D>
class IslandSolver {
 public:
  using Cone = ConeCanonical<D>;
  using Vecs = typename Cone::Vecs;

  IslandSolver(const ConeProblem& problem, const VecX& start, double target, int limit)
      : cone_(make_canonical<D>(problem)), target_(target), limit_(limit), x_(to_canonical(cone_, start)), u_(x_), best_(x_) {
    take(x_);
  }

  IslandResult solve() {
    sweep();
    ConePath newton;
    newton.steps = 30;
    const ConePath patient = make_patient_proximal_path();
    ConePath from_far = patient;
    from_far.start = 100;
    from_far.reduction = 0.85;
    if (!solved()) run(Stage::newton, newton, best_);
    if (!solved()) run(Stage::proximal, make_brisk_proximal_path(), best_);
    if (!solved()) run(Stage::proximal, patient, best_);
    // Another start, another path.
    if (!solved()) run(Stage::proximal, from_far, swept_);
    if (!solved()) run(Stage::proximal, from_far, best_);
    result_.r = from_canonical(cone_, best_);
    return result_;
  }

 private:
  bool solved() const { return norm_ <= target_; }

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

  void sweep() {
    ConeSweeper<D> sweeper(cone_);
    constexpr int stride = 5, fewest = 20, most = 60;
    double before = norm_;
    for (int sweeps = 0; sweeps < most && !solved();) {
      // The first alone: it solves what is no more than one contact.
      for (int end = sweeps == 0 ? 1 : sweeps / stride * stride + stride; sweeps < end; ++sweeps) sweeper.sweep(x_);
      const double norm = take(x_);
      result_.iterations = sweeps;
      // Sweeps left to the target at this rate; Newton's method is about as dear as twenty.
      const double rate = norm / before;
      const bool soon = rate < 1 && stride * std::log(target_ / norm) / std::log(rate) < fewest;
      if (sweeps >= fewest && !soon) break;
      before = norm;
    }
    swept_ = best_;
  }

  void run(Stage stage, ConePath path, const Vecs& from) {
    if (limit_ > 0) path.steps = std::min(path.steps, limit_);
    x_ = from;
    const ConePathResult end = follow_path(cone_, path, target_, x_);
    result_.iterations += end.steps;
    result_.stalled = end.stalled;
    result_.stage = stage;
    take(x_);
  }

  const Cone cone_;
  const double target_;
  const int limit_;
  Vecs x_, u_, best_, swept_;
  double norm_ = INFINITY;
  IslandResult result_;
};

IslandResult solve_island(const ConeProblem& problem, const VecX& start, double target, int limit) {
  switch (problem.dimension()) {
    case 2:
      return IslandSolver<2>(problem, start, target, limit).solve();
    case 3:
      return IslandSolver<3>(problem, start, target, limit).solve();
    default:
      return IslandSolver<4>(problem, start, target, limit).solve();
  }
}

const char* name_of(Stage stage) {
  return stage == Stage::gauss_seidel ? "gauss_seidel" : stage == Stage::newton ? "newton" : "proximal";
}

VecX gather(const VecX& whole, const std::vector<int>& contacts, int d) {
  if (whole.size() == 0) return {};
  VecX part(d * static_cast<int>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) part.segment(d * i, d) = whole.segment(contacts[i] * d, d);
  return part;
}

}  // namespace

ConeResult solve_cone(const ConeProblem& problem, const ConeOptions& options) {
  const int d = problem.dimension();
  const auto islands = find_islands(problem.W);
  const double whole = 0.9 * options.tolerance * (1 + problem.q.norm());
  std::vector<IslandResult> results(islands.size());
  for_each_island(static_cast<int>(islands.size()), options.threads, [&](int island) {
    const std::vector<int>& contacts = islands[island];
    const double share = std::sqrt(static_cast<double>(contacts.size()) / problem.contacts());
    results[island] = solve_island(make_island(problem, contacts), gather(options.start, contacts, d), whole * share,
                                   options.iterations);
  });
  // The slowest stage any island needed names the method.
  VecX r = VecX::Zero(problem.q.size());
  int iterations = 0;
  bool stalled = false;
  Stage stage = Stage::gauss_seidel;
  for (std::size_t island = 0; island < islands.size(); ++island) {
    for (std::size_t i = 0; i < islands[island].size(); ++i) {
      r.segment(islands[island][i] * d, d) = results[island].r.segment(d * i, d);
    }
    iterations += results[island].iterations;
    stalled = stalled || results[island].stalled;
    stage = std::max(stage, results[island].stage);
  }
  ConeResult result = make_cone_result(problem, std::move(r), options.tolerance, stalled);
  result.iterations = iterations;
  result.method = name_of(stage);
  return result;
}

}  // namespace stiction
