#pragma once

#include <vector>

#include "stiction/solvers/mlcp/mlcp.h"

namespace stiction {

/// A mixed problem as an LCP with the same solutions, and the way back. Three steps:
/// 1. z_i = lower_i + x_i or z_i = upper_i - x_i makes every finite bound zero; fixed rows go into q; a row with two
///    finite bounds gets a multiplier v of its upper one:
///        u = w + v,  0 <= x _|_ u >= 0,    0 <= v _|_ (upper - lower) - x >= 0.                                 (1)
/// 2. Free variables are eliminated by a principal pivot on a block b = free + s, which exchanges x_s and u_s:
///        x_b = A_bb^-1 (u_b - A_b. x - q_b),   u_free = 0.                                                      (2)
///    s is empty where the free block is regular (the usual Schur complement). Where it is singular, s is chosen
///    greedily so that A_bb is regular: the free variables that the free rows do not determine take complementarity
///    rows with them into the basis.
/// 3. Free rows that depend on others (to 1e-10 after equilibration) are dropped together with as many free
///    variables, which are set to zero. Whether the dropped rows hold, the residual of the result must show.
/// With `split` instead, step 2 writes x_free = x+ - x-, both >= 0: larger, but without a choice of block.
class MlcpReduction {
 public:
  enum class Elimination { pivot, split };

  MlcpReduction(const MlcpProblem& problem, Elimination elimination);
  const LcpProblem& lcp() const { return lcp_; }
  /// For Lemke's method: 1 on the rows of variables, 0 on those of the multipliers v, the last ones. Where every
  /// variable that is not free has two finite bounds, Lemke's method with this covering vector cannot end in a ray: x
  /// is bounded, so along one only multipliers grow, v_i > 0 needs u_i = 0 at all times, and u_i grows with v_i. Empty
  /// otherwise.
  VecX bounded_covering() const;
  VecX recover(const VecX& y) const;
  /// The LCP variables of a z of the mixed problem, as a warm start.
  VecX translate_guess(const VecX& z) const;

 private:
  struct Block {
    std::vector<int> rows, columns, exchanged;  // exchanged: s, a subset of both
  };

  void extend(const MlcpProblem& problem);
  Block choose_block() const;
  void eliminate(const Block& block);
  void split_free();

  VecX base_, sign_;           // z = base + sign x
  std::vector<int> variable_;  // z index of extended variable, -1 for a multiplier v
  std::vector<int> boxed_;     // extended index of the x belonging to each v
  int free_count_ = 0;         // extended variables are ordered: free, bounded, multipliers
  MatX A_;                     // extended problem
  VecX b_;

  Elimination elimination_;
  std::vector<int> pivot_columns_, rest_, exchanged_;  // extended indices
  MatX back_;                                          // x_columns = back y + back_offset
  VecX back_offset_;
  LcpProblem lcp_;
};

}  // namespace stiction
