#pragma once

#include <string>
#include <vector>

#include "stiction/stepping/stepper.h"

namespace stiction::cli {

/// A step as one would write it down by hand, everything at the start of the step:
///     M (v+ - v) = h f + G' lambda + J' r,   W = J M^-1 J'                                                    (1)
/// lambda is what fits (1) best, and `misfit` what is left: 0 where the formulation takes its matrices at the start
/// (berard, anitescu_potra), of the order of h where it takes them elsewhere in the step.
struct StepMatrices {
  double t = 0, h = 0;
  std::vector<std::string> velocities, constraints, rows;  ///< what the entries are called
  MatX M, G, J, W;
  VecX v, v_end, hf, phi, gap, mu;  ///< gap, mu: one a contact
  VecX lambda, r, u_end;
  double misfit = 0;  ///< largest entry of (1) that is left [N s, N m s]
};

/// Takes the step that begins at `state`, which becomes its end.
StepMatrices take_step_apart(const System& system, Stepper& stepper, double h, State& state);
/// As text, matrices row by row.
std::string format_step(const StepMatrices& step, const std::string& method);

}  // namespace stiction::cli
