#pragma once

#include <vector>

#include "stiction/geometry/volume/interference.h"

namespace stiction {

/// A part of a body without what other parts have of it, so that parts which overlap count once, in mass and in
/// contact.
struct CutShape {
  /// Disjoint pieces, polytopes and cells, whose union is the part without the others; in the part's frame.
  std::vector<Shape> pieces;
  MassProperties unit_density;  ///< of the pieces together, for density 1
  /// A box along the part's axes that holds all that was cut away: who keeps clear of it sees the whole part.
  Vec3 centre = Vec3::Zero(), size = Vec3::Zero();
};

/// A part and its pose in the frame of another.
struct OtherPart {
  const Shape* shape;
  Transform X;
};

enum class CutStatus {
  whole,         ///< nothing overlaps
  cut,           ///< `shape` is what is left
  swallowed,     ///< it lies inside the others: `shape` has no pieces
  not_possible,  ///< it overlaps, but it or what overlaps is no intersection of quadrics, or there are too many pieces
};
struct [[nodiscard]] CutResult {
  CutStatus status = CutStatus::whole;
  CutShape shape;
};

/// With g_1 .. g_n <= 0 the other part, the rest of a piece P is the disjoint union of
///     P and g_1 > 0;   P and g_1 <= 0 and g_2 > 0;   ...;   P and g_1 .. g_(n-1) <= 0 and g_n > 0                  (1)
/// of which the empty ones are left out. The volumes of the pieces must add up to that of P less what both have in
/// common, to 1e-6 of the part's. Overlaps below 1e-9 of the smaller part are rounding. Shapes that are intersections
/// of quadrics: box, sphere, cylinder, ellipsoid, polytope, cell.
CutResult cut_shape(const Shape& part, const std::vector<OtherPart>& others);

/// Whether two bounded shapes have volume in common, beyond rounding.
bool overlaps(const Shape& A, const Transform& X_A, const Shape& B, const Transform& X_B);

/// The sum over all pieces; a null pointer is a whole shape, as is one that the other keeps clear of.
InterferenceRegion calc_cut_interference(const Shape& A, const CutShape* cut_a, const Transform& X_WA, const Shape& B,
                                         const CutShape* cut_b, const Transform& X_WB, const RegionOptions& options);

}  // namespace stiction
