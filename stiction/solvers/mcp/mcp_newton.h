#pragma once

#include <array>

#include "stiction/solvers/lcp/lcp_solvers.h"
#include "stiction/solvers/mcp/mcp.h"
#include "stiction/solvers/mcp/mcp_merit.h"
#include "stiction/solvers/mlcp/mlcp.h"

namespace stiction {

/// One descent on Psi = 1/2 |Phi|^2 (mcp_merit.h) from one start. Every step tries, in this order, what `directions`
/// allow and takes the first that passes a line search:
/// 1. Josephy-Newton: the solution of the mixed LCP F(z) + F'(z) (x - z), found by pivoting on a dense matrix, up to
///    most_pivoted unknowns;
/// 2. one active-set step of it (McpMerit::update_natural); in place of 1 for more unknowns;
/// 3. semismooth Newton on Phi, with a small shift of F' where the system is singular (De Luca, Facchinei, Kanzow
///    1996);
/// 4. the gradient of Psi.
/// The line search is nonmonotone (Grippo, Lampariello, Lucidi 1986), against the largest of the last values.
/// It keeps its memory: without 1, nothing allocates once as large a problem of the same pattern has been solved.
class McpNewton {
 public:
  struct Directions {
    bool josephy = true;
    bool active_set = false;
    bool semismooth = true;
    bool gradient = true;
  };
  static constexpr int most_pivoted = 120;

  struct Settings {
    double tolerance = 1e-10;  ///< on the natural residual
    int limit = 100;           ///< steps
    Directions directions;
    std::size_t look_back = 5;  ///< values of Psi with which the search compares; 1: it falls at every step
  };
  /// Ends as solved, stalled, or iteration_limit; z becomes the point with the least residual.
  SolveOutcome solve(McpProblem& problem, const Settings& settings, VecX& z);
  /// Whether the last linearised mixed LCP had no solution that pivoting found.
  bool ended_on_ray() const { return ended_on_ray_; }

 private:
  bool step(McpProblem& problem, const Directions& directions);
  bool find_josephy_direction(const McpProblem& problem);
  bool find_active_set_direction(const McpProblem& problem);
  bool find_semismooth_direction();
  void calc_gradient();
  /// Halves the step until Psi(z + t d) <= reference + slope t; moves there if found.
  bool search(McpProblem& problem, double slope, int halvings);
  void note_residual(const McpProblem& problem, const VecX& z, const VecX& F);

  VecX z_, F_, trial_z_, trial_F_, best_z_, d_, gradient_, weighted_;
  McpProblem::Jacobian J_;
  McpMerit merit_, trial_, natural_;
  McpNewtonStep newton_step_;
  static constexpr std::size_t most_look_back = 5;
  std::array<double, most_look_back> last_values_{};  ///< of Psi
  std::size_t values_ = 0, look_back_ = most_look_back;
  double best_residual_ = 0;
  MlcpProblem linear_;
  LcpWorkspace workspace_;
  bool ended_on_ray_ = false;
};

}  // namespace stiction
