#pragma once

#include "stiction/solvers/cone/cone.h"
#include "stiction/solvers/lcp/lcp_principal_pivoting.h"

namespace stiction {

/// True if no contact bears friction: all mu are 0.
bool is_frictionless(const ConeProblem& problem);

/// Without friction the cone is the normal half-line, r_t = 0, and the problem is an LCP on the normal rows,
///     u_n = W_nn r_n + q_n,   0 <= r_n  perpendicular to  u_n >= 0                                            (1)
/// solved by principal pivoting (lcp_principal_pivoting.h) from the set {r_n > 0} of `start`: exact, and
/// mostly done in ten exchanges. Dense: meant for some thousand contacts at most. For unsymmetric W, and where thirty
/// exchanges do not end it (strongly hyperstatic problems), `start` comes back.
VecX solve_frictionless(const ConeProblem& problem, const VecX& start, LcpPrincipalPivoting& pivoting);

}  // namespace stiction
