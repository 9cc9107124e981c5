#pragma once

#include <vector>

#include "stiction/solvers/lcp/lcp.h"
#include "stiction/solvers/lcp/lcp_lemke_basis.h"

namespace stiction {

/// Lemke's complementary pivoting (Lemke 1965; Cottle, Pang, Stone 1992, algorithm 4.4.5). An artificial variable z0
/// with a covering vector d > 0,
///     w = M z + q + d z0,                                                                                      (1)
/// makes z = 0 feasible; then the complement of the variable that left enters, until z0 leaves (solved) or nothing
/// blocks the entering one (ray). Ties in the ratio test are broken by the lexicographic order of the rows of
/// [B^-1 q, B^-1] (algorithm 4.9.3), so that degenerate problems cannot cycle; z0 leaves whenever it is among the tied.
///
/// Departures: the basis is held as the inverse of its kernel (LcpLemkeBasis), not as a tableau, and its accuracy is
/// measured every few pivots: the basic variables are corrected, the kernel refactorised when it has lost digits.
/// Warm start: with a guess, the method starts at the basis {z_i: guess_i > 0} and the covering vector d = B 1, which
/// is Lemke's method on the principal pivotal transform of the problem; a singular block makes it start cold.
///
/// Processes: P, PSD, copositive-plus, strictly copositive and other matrices. May end on a ray although a solution
/// exists for others. Cost: O(k^2 + n k) per pivot, with k basic z.
class LcpLemke {
 public:
  /// `covering` (n, > 0 where q < 0, else >= 0) replaces d = 1 in a cold start. Memory is kept from call to call.
  LcpResult solve(const LcpProblem& problem, const LcpOptions& options, const VecX* covering = nullptr);

 private:
  struct Candidate {
    int variable = -1;  // pair index, n for z0
    bool is_z = false;
    double value = 0;
    double rate = 0;  // of decrease, > 0
  };
  enum class Start { at_solution, ready, singular };

  void resize(const LcpProblem& problem);
  Start start_cold(const VecX* covering);
  Start start_warm(const VecX& guess);
  Start enter_artificial();
  LcpStatus pivot_until_done(int limit, int& iterations);
  void calc_direction(int entering, bool entering_is_z);
  bool find_leaving(bool entering_is_z, Candidate& leaving, double& step);
  void collect_candidates(bool entering_is_z);
  void collect_tied(double step);
  Candidate break_tie();
  bool is_lexicographically_less(const VecX& a, const VecX& b) const;
  bool exchange(int entering, bool entering_is_z, const Candidate& leaving, double step);
  void recompute_values();
  bool renew();
  bool keep_accurate();
  void extract_solution();

  const LcpProblem* problem_ = nullptr;
  int n_ = 0;
  double largest_M_ = 0, largest_q_ = 0;
  LcpLemkeBasis basis_;
  VecX d_;       // covering vector
  VecX x_, dx_;  // kernel variables (z_C, z0) and their rates
  VecX w_, dw_;  // all w and their rates
  VecX z_, dependence_, best_dependence_;
  std::vector<int> rows_, columns_;
  std::vector<Candidate> candidates_, tied_;
  int driving_ = -1;             // the pair of which neither is basic
  bool driving_left_z_ = false;  // which of the two left last
};

/// As listed in the table of solvers.
LcpResult solve_lcp_lemke(const LcpProblem& problem, const LcpOptions& options, LcpLemke& workspace);

}  // namespace stiction
