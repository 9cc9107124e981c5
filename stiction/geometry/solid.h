#pragma once

#include <string>
#include <vector>

#include "stiction/geometry/closest.h"
#include "stiction/geometry/interference.h"

namespace stiction {

/// A part of a solid: an exact shape in its place.
struct PlacedShape {
  std::string name;  ///< the part's name; empty for a body's only shape
  Shape shape;
  Transform X_BS;
};

/// A solid of one or many cells (the "cellular models" of gonthier-thesis-2007, section 5.3): the union of its parts,
/// in the body's frame B. Parts may touch but should not overlap each other: volumes and masses add up.
using Solid = std::vector<PlacedShape>;

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
