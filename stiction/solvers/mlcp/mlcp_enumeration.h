#pragma once

#include "stiction/solvers/mlcp/mlcp.h"

namespace stiction {

/// Number of complementary cones of the problem: each row with one finite bound is at it or inside, each row with two
/// is at one of them or inside. Infinity if it does not fit a double.
double count_cones(const MlcpProblem& problem);
/// Up to so many all are tried where other methods fail.
inline constexpr double most_enumerated_cones = 4096;

/// Searches the complementary cones one by one: in each, every row has one unknown, z_i inside its bounds or w_i with
/// the sign of the bound z_i is at, and the n linear equations M z + q - w = 0 are solved for them: by LU where they
/// are regular, else by least squares within the bounds (Stark, Parker 1995), so that solutions in degenerate cones are
/// found too. The only method here that proves that no solution exists; the last resort of the automatic ones. A cone
/// whose equations doubles cannot solve or tell from solved (a solution of 1e400, or with rounding above the tolerance)
/// proves nothing: the end is `stalled` then.
/// Stops after max_iterations cones with iteration_limit; 0 = 2^16 up to 16 rows, above that fewer, by the cube of n,
/// but at least 2^12. Cost: O(n^3) per cone, some times that where it is singular.
LcpResult solve_mlcp_enumeration(const MlcpProblem& problem, const LcpOptions& options);

}  // namespace stiction
