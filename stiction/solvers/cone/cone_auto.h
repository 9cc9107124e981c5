#pragma once

#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// Sizes of islands, in contacts, up to which Newton's method costs little, and up to which a factorisation costs less
/// than some hundred sweeps: beyond, there are sweeps alone where options.enough allows.
inline constexpr int cone_most_cheap = 100, cone_most_factorized = 600;

/// The default: scales the problem (cone_canonical.h), tries a few Gauss-Seidel sweeps on the whole if it is
/// not too large for that, then cuts it into islands (island.h) and solves each by what it needs:
///   1. Gauss-Seidel sweeps, as long as they get there in few; islands above cone_most_factorized: up to 300, their
///      starts accelerated (cone_anderson.h), and no further than the tolerance
///   2. principal pivoting where no contact has friction (cone_frictionless.h)
///   3. Newton, from the caller's start if there is one, then from zero by several paths, and the brisk proximal method
///      (cone_newton.h, cone_proximal.h)
/// and, where no solution has not been proven impossible (cone_feasibility.h):
///   4. pivoting on the linear problem that it is in the plane, up to 60 contacts (cone_planar.h)
///   5. the curve that does not stop at folds, up to 200 rows, from three beginnings (cone_curve.h)
///   6. the patient proximal method, from the best point so far and from where the sweeps led
/// Where options.enough is given there is a limit to the work: 2,000 steps for all of 3 and 6, 600 in islands above
/// cone_most_cheap, and 500 for a curve: a second at most.
/// Each stage starts from what the one before left and ends as soon as the measured residual allows; the best point
/// wins. An island whose start, given by the caller, is within ten times options.aim is left as it is. An island of n
/// of nc contacts may take sqrt(n / nc) of the tolerance, so that the whole keeps it. Deterministic; the result does
/// not depend on options.threads. options.iterations bounds the steps of each stage.
[[nodiscard]] ConeResult solve_cone(const ConeProblem& problem, const ConeOptions& options = {});

}  // namespace stiction
