#pragma once

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/placed_shape.h"
#include "stiction/geometry/volume/interference.h"

namespace stiction {

/// The pair of parts with the smallest gap.
struct SolidClosest {
  ClosestPoints closest;
  int part_a = 0, part_b = 0;
};
SolidClosest calc_solid_closest(const Solid& A, const Transform& X_WA, const Solid& B, const Transform& X_WB);

/// The regions of all pairs of parts as one: volumes add, centroid and inertia by the parallel-axis theorem. The error
/// is the sum of the parts' errors, the method that of the least exact part; `converged` if all are.
InterferenceRegion calc_solid_interference(const Solid& A, const Transform& X_WA, const Solid& B, const Transform& X_WB,
                                           const RegionOptions& options = {});
/// Certified bounds, summed over the pairs of parts; `max_cells` for each pair.
VolumeBounds calc_solid_interference_bounds(const Solid& A, const Transform& X_WA, const Solid& B,
                                            const Transform& X_WB, double accuracy, long max_cells);

}  // namespace stiction
