#pragma once

#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// Weights that prove a cone problem to have no solution. A solution needs u_n = N r + q_n >= 0, N the normal rows of
/// W. By Farkas' lemma no r at all, within the cones or not, gives that if there is
///     y >= 0,   N'y = 0,   q_n'y < 0                                                                          (1)
/// for then y'u_n = q_n'y < 0 whatever r is. For r within the cones -N'y in K* is enough; with a symmetric positive
/// semidefinite W that is no more than (1), for others it is looked for with one contact only, y = e_i. Bodies wedged
/// between walls that close in are of this kind: y are the weights of the walls. In floating point N'y = 0 holds to
/// 1e-9: what is proven is that a solution would need impulses of 1e9 times |q_n| / max W. Found as the non-negative
/// least-squares solution of N'y = 0, q_n'y = -1 (Lawson, Hanson 1974), which is an LCP with a symmetric PSD matrix.
/// Cost: dense, the cube of the number of contacts. Empty where there is no such proof; a solution need not exist then.
VecX find_infeasibility_proof(const ConeProblem& problem);

}  // namespace stiction
