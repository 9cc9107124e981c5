#pragma once

#include <vector>

#include "stiction/solvers/cone/cone.h"
#include "stiction/solvers/lcp/lcp_solvers.h"

namespace stiction {

/// Sizes of islands, in contacts, up to which Newton's method costs little, and up to which a factorisation costs less
/// than some hundred sweeps: beyond, there are sweeps alone where options.enough allows.
inline constexpr int cone_most_cheap = 100, cone_most_factorized = 600;

/// Memory of the family, kept from solve to solve: of pivoting, one an island. Sweeps and paths own theirs.
struct ConeWorkspace {
  std::vector<LcpWorkspace> islands;
};

/// The default: scales the problem (cone_canonical.h), sweeps over the whole, then cuts it into islands (island.h) and
/// solves each by these stages. large, huge: more contacts than cone_most_cheap, cone_most_factorized. In a hurry,
/// which options.enough asks for, all paths together take 2,000 steps, 600 in large islands, and a curve 500: about a
/// second.
///
// clang-format off
///   stage               condition                              budget              reason
///   sweeps, whole       not huge                               5                   enough where nothing much happens
///   sweeps              ends where they are slow; huge:        60; large 300       cheapest where they converge
///                       accelerated (cone_anderson.h)
///   principal pivoting  no friction, up to 1,000 contacts      30 exchanges        exact (cone_frictionless.h)
///   patient proximal    a start was given, large               4,000               surest near an answer that is not unique
///   warm Newton path    a start was given                      30                  fastest near an answer
///   Newton path         not huge or above options.enough       60                  surest far from one (cone_newton.h)
/// above options.enough, else unsolved:
///   steady Newton path                                         100                 starts farther out, falls slowly
///   brisk proximal                                             150                 hyperstatic (cone_proximal.h)
///   low Newton path                                            200                 starts nearer, falls more slowly
///   strict Newton path  from 10 and 1e5                        400 each            impulses of very different size
///   proof               up to 1,000 contacts                   1                   no_solution ends it (cone_feasibility.h)
///   pivoting            2 rows a contact, up to 60 contacts    one LCP             exact in the plane (cone_planar.h)
///   curve               up to 200 rows                         3 beginnings        does not stop at folds (cone_curve.h)
///   patient proximal    from the best point and from sweeps,   4 times 4,000       friction raised step by step
///                       between them weaker friction
/// at last:
///   Newton steps        solved, above options.aim, not large   1, then 4           digits are cheap there
// clang-format on
///
/// Each stage starts from what the one before left and ends as soon as the measured residual allows; the best point
/// wins. An island whose start, given by the caller, is within ten times options.aim is left as it is. An island of n
/// of nc contacts may take sqrt(n / nc) of the tolerance, so that the whole keeps it. Deterministic; the result does
/// not depend on options.threads. options.max_iterations bounds the steps of each stage.
[[nodiscard]] ConeResult solve_cone(const ConeProblem& problem, const ConeOptions& options, ConeWorkspace& workspace);
[[nodiscard]] ConeResult solve_cone(const ConeProblem& problem, const ConeOptions& options = {});

}  // namespace stiction
