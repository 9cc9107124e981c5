#pragma once

#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// Cholesky factorisation with complete (diagonal) pivoting of a symmetric positive SEMIdefinite matrix, scaled to unit
/// diagonal first:
///     P' S A S P = L L',   S = diag(1 / sqrt(a_ii)),   L (n x rank) lower trapezoidal                          (1)
/// At each stage the largest remaining diagonal entry is the pivot; once it falls to `tolerance` or below, the
/// remaining unknowns depend on those already taken and are dropped (N. J. Higham, Accuracy and Stability of Numerical
/// Algorithms, 2nd ed. 2002, section 10.3, algorithm 10.2 in its outer-product form). Departures: the scaling, which
/// makes the tolerance a number without unit (the squared sine of the angle between a row and those before it, where A
/// = G M^-1 G'); the stop at a given tolerance instead of n * eps.
///
/// Assumes symmetry: only the lower triangle of A is read. Cannot tell an indefinite matrix from a semidefinite one: a
/// negative pivot ends the factorisation like a small one. An entry a_ii <= 0 or not finite drops its unknown.
/// Cost: n rank^2 - 2/3 rank^3 multiplications and additions, 2 rank^2 a solve. Sized on construction, or when
/// a matrix of another size arrives; allocates nothing otherwise.
class PivotedCholesky {
 public:
  explicit PivotedCholesky(int size = 0) { resize(size); }

  /// Returns the rank found.
  int factorize(const Eigen::Ref<const MatX>& A, double tolerance = 1e-10);
  /// x = the solution of the equations kept; the dropped unknowns are 0 and their equations are left alone, which
  /// solves A x = b wherever b lies in the range of A. In place.
  void solve_in_place(Eigen::Ref<VecX> x);

  int rank() const { return rank_; }
  /// order()[k]: the unknown taken k-th; the first rank() are kept.
  const std::vector<int>& order() const { return order_; }
  /// The largest pivot that was dropped, 0 if none: how near the tolerance the decision was.
  double dropped_pivot() const { return dropped_pivot_; }

 private:
  void resize(int size);
  void load_scaled(const Eigen::Ref<const MatX>& A);
  void swap_unknowns(int k, int p);
  void eliminate(int k);

  int size_ = 0;
  int rank_ = 0;
  double dropped_pivot_ = 0;
  MatX L_;
  VecX scale_, y_;
  std::vector<int> order_;
};

}  // namespace stiction
