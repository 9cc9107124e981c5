#pragma once

#include <array>

#include "stiction/geometry/shape/shape.h"
#include "stiction/math/transform.h"

namespace stiction {

/// A direction n from A to B, in A's frame, with the distance of two boxes or polytopes along it:
///     g(n) = min over b in B, a in A of n'(b - a) = -h_A(n) - h_B(-n)                                        (1)
/// The signed gap is the largest g over all unit n; any single g is a lower bound of it.
struct HullAxis {
  Vec3 normal = Vec3::UnitZ();
  double gap = 0;  ///< g(n) [m]
};

/// The best axis among the normals of A's faces, and among those of B's.
HullAxis find_face_axis_of_a(const Shape& A, const Shape& B, const Transform& X_AB);
HullAxis find_face_axis_of_b(const Shape& A, const Shape& B, const Transform& X_AB);

/// Axes as good as each other to rounding, the best first; at most 16.
struct HullAxes {
  std::array<HullAxis, 16> items;
  int count = 0;

  const HullAxis& at(int i) const { return items[static_cast<std::size_t>(i)]; }
};

/// `face`, the better of the two axes above, and the axes across an edge of A and an edge of B: those with the largest
/// g, to within `tolerance` [m]. In overlap the largest g of all directions is at a face of A - B, that is at one of
/// these axes (S. Gottschalk, Separating axis theorem, TR96-024, UNC 1996): it is the signed gap and the shortest way
/// out. Apart it is a lower bound still, attained where the closest points lie inside a face or inside two edges.
/// Faces nearly along each other have several axes of the same g, of which one has the closest points.
/// Of the pairs of edges only those count whose arcs of normals cross on the Gauss map (D. Gregorius, Game Developers
/// Conference 2013); DEPARTURE: arcs that miss each other by 1e-12 rad still count, and g is measured over all corners,
/// so that no rounding of that test loses or adds an axis. In overlap, edges that the shortest way out cannot touch
/// are left out: both points lie within |g| of the slab between the bodies' extreme planes.
/// Two boxes need no such test: nine pairs of directions are all.
HullAxes find_best_axes(const Shape& A, const Shape& B, const Transform& X_AB, const HullAxis& face, double tolerance);

}  // namespace stiction
