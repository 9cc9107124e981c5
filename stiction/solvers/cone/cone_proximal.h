#pragma once

#include "stiction/solvers/cone/cone_path.h"

namespace stiction {

/// Proximal-point method for hyperstatic and badly scaled problems: every step solves, by one step of Newton's method,
/// the problem with A + alpha (x - x_k), whose weight alpha rises when the step had to be cut and falls when not
/// (Rockafellar 1976, in the form of Acary and Cadoux's regularised Newton), while the central path of cone_smoothing.h
/// is followed closely. Brisk, it takes some tens of factorisations; patient, up to some thousand, and gets through
/// where friction is strong and contacts are many more than the bodies' freedoms.
ConePath make_brisk_proximal_path();
ConePath make_patient_proximal_path();
/// Brisk first, patient from there.
[[nodiscard]] ConeResult solve_cone_proximal(const ConeProblem& problem, const ConeOptions& options = {});

}  // namespace stiction
