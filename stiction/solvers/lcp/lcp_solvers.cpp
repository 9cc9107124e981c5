#include "stiction/solvers/lcp/lcp_solvers.h"

#include <array>
#include <cmath>
#include <limits>

#include "stiction/base/random.h"
#include "stiction/solvers/lcp/lcp_projected_gauss_seidel.h"
#include "stiction/solvers/mlcp/mlcp_enumeration.h"

namespace stiction {
namespace {

constexpr int other_coverings = 8;

LcpResult solve_lemke_scaled(const LcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace);

constexpr std::array lcp_table{
    LcpSolver{"automatic",
              [](const LcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace) {
                return solve_lcp(problem, options, workspace);
              },
              "picks a method, verifies, refines and falls back on the others"},
    LcpSolver{"lemke", &solve_lemke_scaled,
              "complementary pivoting on a factorised basis, lexicographic in ties, equilibrated where scales differ"},
    LcpSolver{"principal_pivoting",
              [](const LcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace) {
                return solve_lcp_principal_pivoting(problem, options, workspace.principal_pivoting);
              },
              "block principal pivoting with active-set descent, for symmetric positive semidefinite matrices"},
    LcpSolver{"projected_gauss_seidel",
              [](const LcpProblem& problem, const LcpOptions& options, LcpWorkspace&) {
                return solve_lcp_projected_gauss_seidel(problem, options);
              },
              "sweeps of one-row solutions, the cheap baseline"},
    LcpSolver{"enumeration",
              [](const LcpProblem& problem, const LcpOptions& options, LcpWorkspace&) {
                return solve_mlcp_enumeration(make_mlcp(problem), options);
              },
              "all complementary cones one by one: small problems only, proves that there is no solution"},
};

// Collects what the methods found: the best point, all iterations, and why the first one gave up.
class Attempts {
 public:
  Attempts(const LcpProblem& problem, const LcpOptions& options) : problem_(problem), options_(options) {
    best_.residual = std::numeric_limits<double>::infinity();
  }
  /// True if solved.
  bool add(LcpResult result) {
    best_.iterations += result.iterations;
    refine_lcp(problem_, result);
    update_lcp_verdict(problem_, options_.tolerance, result);
    const bool first = best_.z.size() == 0;
    if (result.status == LcpStatus::ray || first) reason_ = result.status;
    if (first || result.residual < best_.residual) {
      best_.z = std::move(result.z);
      best_.residual = result.residual;
      best_.status = result.status;
    }
    return best_.status == LcpStatus::solved;
  }
  LcpResult finish() {
    if (best_.status != LcpStatus::solved) best_.status = reason_;
    return std::move(best_);
  }
  void conclude(LcpStatus reason) { reason_ = reason; }
  const LcpResult& best() const { return best_; }

 private:
  const LcpProblem& problem_;
  const LcpOptions& options_;
  LcpResult best_;
  LcpStatus reason_ = LcpStatus::stalled;
};

// Powers of two near 1 / sqrt of the largest entry, so that scaling rounds nothing.
double calc_scale(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  return std::ldexp(1.0, -static_cast<int>(std::lround(std::log2(largest) / 2)));
}

// Whether the largest entries of the rows, or of the columns, differ by more than four orders of magnitude.
bool is_badly_scaled(const MatX& M) {
  if (M.size() == 0) return false;
  const VecX rows = M.cwiseAbs().rowwise().maxCoeff();
  const VecX columns = M.cwiseAbs().colwise().maxCoeff();
  return rows.maxCoeff() > 1e4 * rows.minCoeff() || columns.maxCoeff() > 1e4 * columns.minCoeff();
}

// w_i -> r_i w_i, z_j -> z_j / c_j: D_r M D_c has entries near one, and the same solutions after rescaling.
LcpResult solve_equilibrated(const LcpProblem& problem, const LcpOptions& options, LcpLemke& lemke) {
  const auto n = problem.q.size();
  VecX r = VecX::Ones(n), c = VecX::Ones(n);
  MatX M = problem.M;
  for (int round = 0; round < 4; ++round) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double row = calc_scale(M.row(i).lpNorm<Eigen::Infinity>());
      M.row(i) *= row;
      r[i] *= row;
      const double column = calc_scale(M.col(i).lpNorm<Eigen::Infinity>());
      M.col(i) *= column;
      c[i] *= column;
    }
  }
  const VecX scaled_q = r.cwiseProduct(problem.q);
  LcpOptions cold = options;
  cold.start = nullptr;
  LcpResult result = lemke.solve({M, scaled_q}, cold);
  result.z = c.cwiseProduct(result.z);
  update_lcp_verdict(problem, options.tolerance, result);
  return result;
}

// Lemke's tests for zero are relative to the largest entry: rows of very different size are brought to one size first.
LcpResult solve_lemke_scaled(const LcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace) {
  if (is_badly_scaled(problem.M)) {
    LcpResult result = solve_equilibrated(problem, options, workspace.lemke);
    refine_lcp(problem, result);
    update_lcp_verdict(problem, options.tolerance, result);
    if (result.status == LcpStatus::solved) return result;
  }
  return solve_lcp_lemke(problem, options, workspace.lemke);
}

bool try_other_coverings(const LcpProblem& problem, const LcpOptions& options, LcpLemke& lemke, Attempts& attempts) {
  LcpOptions cold = options;
  cold.start = nullptr;
  Random random(20);
  VecX covering(problem.q.size());
  for (int i = 0; i < other_coverings; ++i) {
    for (double& d : covering) d = std::exp2(random.uniform(-3, 3));
    if (attempts.add(lemke.solve(problem, cold, &covering))) return true;
  }
  return false;
}

bool try_enumeration(const LcpProblem& problem, const LcpOptions& options, Attempts& attempts) {
  const MlcpProblem mixed = make_mlcp(problem);
  if (!options.exhaustive || count_cones(mixed) > most_enumerated_cones) return false;
  LcpOptions all = options;
  all.max_iterations = 0;
  const LcpResult result = solve_mlcp_enumeration(mixed, all);
  if (result.status == LcpStatus::no_solution) attempts.conclude(LcpStatus::no_solution);
  // Not even all cones together tell: a ray of one method is no better.
  if (result.status == LcpStatus::stalled) attempts.conclude(LcpStatus::stalled);
  return attempts.add(result);
}

}  // namespace

std::span<const LcpSolver> lcp_solvers() {
  return lcp_table;
}

const LcpSolver* find_lcp_solver(std::string_view name) {
  for (const LcpSolver& solver : lcp_table) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

LcpResult solve_lcp(const LcpProblem& problem, const LcpOptions& options, LcpWorkspace& workspace) {
  check_lcp(problem);
  Attempts attempts(problem, options);
  // An entry that is not finite leaves nothing to solve.
  if (!problem.M.allFinite() || !problem.q.allFinite()) {
    attempts.add({{LcpStatus::stalled, 0, 0}, VecX::Zero(problem.q.size())});
    return attempts.finish();
  }
  const bool symmetric = looks_symmetric_psd(problem.M);
  // Pivoting ends at rounding: what it leaves above that is worth Lemke's try, whatever the tolerance.
  if (symmetric && attempts.add(workspace.principal_pivoting.solve(problem, options)) &&
      attempts.best().residual <= std::max(1e-10, calc_lcp_rounding(problem, attempts.best().z))) {
    return attempts.finish();
  }
  const bool badly_scaled = is_badly_scaled(problem.M);
  for (const bool equilibrate : {badly_scaled, !badly_scaled}) {
    if (attempts.add(equilibrate ? solve_equilibrated(problem, options, workspace.lemke)
                                 : workspace.lemke.solve(problem, options))) {
      return attempts.finish();
    }
  }
  if (try_other_coverings(problem, options, workspace.lemke, attempts)) return attempts.finish();
  LcpOptions from_best = options;
  const VecX best = attempts.best().z;
  from_best.start = &best;
  if (attempts.add(solve_lcp_projected_gauss_seidel(problem, from_best))) return attempts.finish();
  try_enumeration(problem, options, attempts);
  return attempts.finish();
}

LcpResult solve_lcp(const LcpProblem& problem, const LcpOptions& options) {
  LcpWorkspace workspace;
  return solve_lcp(problem, options, workspace);
}

}  // namespace stiction
