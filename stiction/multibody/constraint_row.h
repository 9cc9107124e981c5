#pragma once

#include <optional>

#include "stiction/multibody/instant.h"
#include "stiction/multibody/pair_measure.h"

namespace stiction {

/// The kinds of ConstraintRow that act between a pair of frames.
using PairRow = std::variant<RowPoint, RowNormal, RowDistance, RowScrew>;
/// Nothing for a coupler, which acts on coordinates.
std::optional<PairRow> find_pair_row(const ConstraintRow& row);

/// phi and its gradient (constraint.h), in Measure::value, F_a and F_b. `z` counts the whole turns of screws.
Measure calc_row(const PairRow& row, const PairPose& pose, const VecX& z);
/// gamma of (1) in constraint.h.
double calc_row_gamma(const PairRow& row, const PairPose& pose, const PairMotion& motion);

/// A coupler: phi (needs positions only), phidot with its part phi_t, and gamma.
double calc_coupler(const RowCoupler& row, const Instant& instant);
struct CouplerRate {
  double rate = 0;
  double phi_t = 0;
};
CouplerRate calc_coupler_rate(const RowCoupler& row, const Instant& instant);
double calc_coupler_gamma(const RowCoupler& row, const Instant& instant);

}  // namespace stiction
