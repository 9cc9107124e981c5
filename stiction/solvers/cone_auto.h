#pragma once

#include "stiction/solvers/cone.h"

namespace stiction {

/// The default: scales the problem (cone_canonical.h), tries a few Gauss-Seidel sweeps on the whole, then cuts it into
/// islands (island.h) and solves each by what it needs:
///   1. Gauss-Seidel sweeps, as long as they get there in few
///   2. Newton from there (cone_newton.h)
///   3. the proximal method (cone_proximal.h), brisk, then patient, from the best point so far, then from where the
///   sweeps led
/// Each stage starts from what the one before left and ends as soon as the measured residual allows; the best point
/// wins. An island of n of nc contacts may take sqrt(n / nc) of the tolerance, so that the whole keeps it.
/// Deterministic; the result does not depend on options.threads. options.iterations bounds the steps of each stage.
[[nodiscard]] ConeResult solve_cone(const ConeProblem& problem, const ConeOptions& options = {});

}  // namespace stiction
