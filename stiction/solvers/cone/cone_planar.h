#pragma once

#include "stiction/solvers/cone/cone.h"
#include "stiction/solvers/lcp/lcp_solvers.h"

namespace stiction {

/// In the plane the cone has two edges and the problem is linear: with r_t = p - m and mu times the half-axis for mu,
///     u_n         perpendicular to  r_n,      u_t + l  perpendicular to  p
///     mu r_n - p - m  perpendicular to  l,   -u_t + l  perpendicular to  m,    all >= 0                       (1)
/// an LCP of 4 rows a contact (Stewart, Trinkle 1996, their (9) with two directions), which pivoting solves exactly, or
/// shows by a ray where it can go no further. For problems of 2 rows a contact. Dense: meant for some hundred contacts.
/// Three contacts or fewer are searched for a solution in all of the LCP's cones (mlcp_enumeration.h).
struct ConePlanarResult {
  VecX r;                   ///< the best point found, solution or not
  bool impossible = false;  ///< proven to have no solution
};
ConePlanarResult solve_cone_planar(const ConeProblem& problem, LcpWorkspace& workspace);

}  // namespace stiction
