#include "stiction/solvers/mcp/mcp_solvers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/base/random.h"
#include "stiction/solvers/mcp/mcp_newton.h"

namespace stiction {
namespace {

constexpr int most_steps = 2000;  // of a solve, where the caller sets no limit
constexpr int steps_per_descent = 150;
constexpr int steps_per_proximal = 20;
constexpr int proximal_steps = 60;
constexpr int descents_between = 10;  // proximal steps between two tries of the original problem
constexpr std::array distances{0.1, 1.0, 10.0, 1.0, 10.0, 100.0};

constexpr std::array mcp_table{
    McpSolver{"automatic",
              [](McpProblem& problem, const McpOptions& options, McpWorkspace& workspace) {
                return solve_mcp(problem, options, workspace);
              },
              "all directions, proximal iterations and new starts where they stall"},
    McpSolver{"josephy_newton", &solve_mcp_josephy_newton, "Newton steps whose mixed LCP is solved by pivoting"},
    McpSolver{"semismooth_newton", &solve_mcp_semismooth_newton, "Newton steps on the Fischer-Burmeister function"},
};

int calc_limit(const McpOptions& options) {
  return options.max_iterations > 0 ? options.max_iterations : most_steps;
}

// F(z) + lambda (z - center)
class ProximalMcp final : public McpProblem {
 public:
  explicit ProximalMcp(McpProblem& of) : problem_(of) {
    lower = of.lower;
    upper = of.upper;
  }
  void calc_F(const VecX& z, VecX& F) override {
    problem_.calc_F(z, F);
    F += lambda * (z - center);
  }
  void calc_J(const VecX& z, Jacobian& J) override {
    problem_.calc_J(z, J);
    for (int i = 0; i < J.rows(); ++i) J.coeffRef(i, i) += lambda;
  }
  double lambda = 1;
  VecX center;

 private:
  McpProblem& problem_;
};

// The whole search: one budget of Newton steps, one best point.
class Search {
 public:
  Search(McpProblem& problem, const McpOptions& options, McpNewton& newton)
      : problem_(problem),
        tolerance_(options.tolerance),
        limit_(calc_limit(options)),
        newton_(newton),
        proximal_(problem) {
    best_.residual = std::numeric_limits<double>::infinity();
  }

  bool descend(const VecX& start) {
    const int limit = std::min(steps_per_descent, limit_ - best_.iterations);
    point_ = start;
    const SolveOutcome outcome = newton_.solve(problem_, {tolerance_, limit, {}}, point_);
    best_.iterations += outcome.iterations;
    if (outcome.residual < best_.residual || best_.z.size() == 0) {
      best_.residual = outcome.residual;
      best_.z = point_;
      ray_ = newton_.ended_on_ray();
    }
    return best_.residual <= tolerance_;
  }

  bool follow_proximal(const VecX& start) {
    proximal_.center = start.cwiseMax(problem_.lower).cwiseMin(problem_.upper);
    if (!std::isfinite(calc_mcp_residual(problem_, proximal_.center))) return false;
    McpProblem::Jacobian J;
    problem_.calc_J(proximal_.center, J);
    if (!std::isfinite(J.squaredNorm())) return false;
    proximal_.lambda = std::max(1e-3, MatX(J).cwiseAbs().rowwise().sum().maxCoeff());
    for (int k = 1; k <= proximal_steps && !is_exhausted(); ++k) {
      point_ = proximal_.center;
      const SolveOutcome outcome = newton_.solve(proximal_, {1e-8, steps_per_proximal, {}}, point_);
      best_.iterations += outcome.iterations;
      if (outcome.status == McpStatus::solved) {
        proximal_.center = point_;
        proximal_.lambda *= 0.7;
      } else {
        proximal_.lambda *= 4;
      }
      if (k % descents_between == 0 && descend(VecX(proximal_.center))) return true;
    }
    return false;
  }

  bool is_exhausted() const { return best_.iterations >= limit_; }

  McpResult finish() {
    best_.residual = calc_mcp_residual(problem_, best_.z);
    if (best_.residual <= tolerance_) {
      best_.status = McpStatus::solved;
    } else if (is_exhausted()) {
      best_.status = McpStatus::iteration_limit;
    } else {
      best_.status = ray_ ? McpStatus::ray : McpStatus::stalled;
    }
    return std::move(best_);
  }

  const VecX& best() const { return best_.z; }

 private:
  McpProblem& problem_;
  const double tolerance_;
  const int limit_;
  McpNewton& newton_;
  ProximalMcp proximal_;
  VecX point_;
  McpResult best_;
  bool ray_ = false;
};

McpResult solve_plain(McpProblem& problem, const McpOptions& options, McpNewton::Directions directions,
                      McpNewton& newton) {
  McpResult result;
  result.z = calc_start(options, problem.lower.size());
  check_mcp(problem, result.z);
  static_cast<SolveOutcome&>(result) =
      newton.solve(problem, {options.tolerance, calc_limit(options), directions}, result.z);
  if (result.status == McpStatus::stalled && newton.ended_on_ray()) result.status = McpStatus::ray;
  return result;
}

}  // namespace

std::span<const McpSolver> mcp_solvers() {
  return mcp_table;
}

const McpSolver* find_mcp_solver(std::string_view name) {
  for (const McpSolver& solver : mcp_table) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

McpResult solve_mcp_josephy_newton(McpProblem& problem, const McpOptions& options, McpWorkspace& workspace) {
  return solve_plain(problem, options, {.josephy = true, .semismooth = false}, workspace.newton);
}

McpResult solve_mcp_semismooth_newton(McpProblem& problem, const McpOptions& options, McpWorkspace& workspace) {
  return solve_plain(problem, options, {.josephy = false, .semismooth = true}, workspace.newton);
}

McpResult solve_mcp(McpProblem& problem, const McpOptions& options, McpWorkspace& workspace) {
  const VecX start = calc_start(options, problem.lower.size());
  check_mcp(problem, start);
  Search search(problem, options, workspace.newton);
  if (search.descend(start) || search.follow_proximal(start) || search.follow_proximal(search.best())) {
    return search.finish();
  }
  Random random(20);
  VecX other = VecX::Zero(start.size());
  for (const double distance : distances) {
    if (search.is_exhausted() || search.descend(other) || search.follow_proximal(other)) break;
    for (Eigen::Index i = 0; i < start.size(); ++i) {
      other[i] = start[i] + distance * random.uniform(-1, 1) * (1 + std::abs(start[i]));
    }
  }
  return search.finish();
}

McpResult solve_mcp(McpProblem& problem, const McpOptions& options) {
  McpWorkspace workspace;
  return solve_mcp(problem, options, workspace);
}

}  // namespace stiction
