#pragma once

#include "stiction/solvers/cone/cone_path.h"

namespace stiction {

/// Newton's method on the smoothed natural map with a line search (cone_smoothing.h, cone_path.h), the smoothing driven
/// to zero quickly: near a solution the semismooth Newton method on the natural map (Alart and Curnier 1991), which it
/// becomes, converges quadratically. Cost of a step: one sparse factorisation of the closed contacts.
/// Finds most solutions in 5 to 20 steps; may stall in a minimum of ||Phi|| that is no solution when friction is strong
/// and the problem hyperstatic: then cone_proximal.h.
/// Paths for it: from x = 0 with a reduction that adapts; from x = 0 at a steady pace, slower and surer where friction
/// is very strong (mu of 100 and more); the same from a small e, for bodies wedged by weak friction; strictly, from
/// an e of `start`, for mass ratios of 1e4 and more and for huge friction; from a given point.
ConePath make_newton_path();
ConePath make_steady_newton_path();
ConePath make_low_newton_path();
ConePath make_strict_newton_path(double start);
ConePath make_warm_newton_path();
[[nodiscard]] ConeResult solve_cone_newton(const ConeProblem& problem, const ConeOptions& options = {});

}  // namespace stiction
