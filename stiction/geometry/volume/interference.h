#pragma once

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// How a region was computed.
enum class RegionMethod {
  none,         ///< the boxes are apart
  closed_form,  ///< exact to rounding (a cut body of revolution: one integral, to 1e-14)
  clipping,     ///< exact for polytopes
  chords,       ///< adaptive integration of chord lengths
  octree,       ///< certified bounds
};

/// The region common to two shapes, world frame W:
///     V = int dV,   p_c = (1/V) int p dV,   J_v = int ((p-p_c)'(p-p_c) I - (p-p_c)(p-p_c)') dV                  (1)
/// (gonthier-thesis-2007, eqs 4.4-4.12: "volume inertia", of density 1.)
struct InterferenceRegion {
  double volume = 0;             ///< V [m^3]; 0: no overlap, and all else is meaningless
  Vec3 centroid = Vec3::Zero();  ///< p_c [m]
  Mat3 inertia = Mat3::Zero();   ///< J_v about p_c, world axes [m^5]
  double error = 0;       ///< estimated |error| of V relative to V, rounding of the bodies' surfaces included [-]
  bool converged = true;  ///< error <= the accuracy asked for
  RegionMethod method = RegionMethod::none;
  /// dV = dV_dx . dx for a translation dx of B, A at rest [m^2]: the vector area int n dS, n outward from B, of that
  /// part of B's surface which lies inside A, so that its length is the area of the contact patch projected on its mean
  /// normal; it points from B to A. And dV = dV_dr . dr for a small rotation dr of B about p_c [m^3].
  Vec3 dV_dx = Vec3::Zero(), dV_dr = Vec3::Zero();
};

struct RegionOptions {
  double accuracy = 1e-6;  ///< of V, relative; centroid and inertia follow
  /// The direction of the chords (in W): near the contact normal where known; zero: found from the shapes.
  Vec3 normal = Vec3::Zero();
};

/// Closed forms: half-space with sphere, ellipsoid, box, polytope, cylinder, capsule, cone, torus; sphere-sphere; a
/// sphere with its centre outside of a box (volume_ball_box.h). Polytopes and boxes with each other by clipping.
/// Everything else by integration of the chord length over the contact patch
///     V = int_S f_s(s) dS   (thesis eq. 4.4),                                                                    (2)
/// every ray meeting every surface in closed form (superquadrics, parametric surfaces: by roots); volume_chords.h.
/// Computed in the frame of one body, the same one in either order of the arguments: the result depends on the place in
/// the world and on the order by rounding only. No allocation for closed forms, boxes, and polytopes of few faces.
/// Two unbounded shapes (half-spaces, hollow shapes) have no finite region: volume 0, converged = false, method none.
InterferenceRegion calc_interference(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                                     const RegionOptions& options = {});
/// Disjoint regions as one.
void add_region(InterferenceRegion& sum, const InterferenceRegion& part);

/// Certified bounds lower <= V <= upper by an adaptive octree with interval bounds on the implicit functions.
/// "Certified" holds up to the rounding of those bounds (widened by 1e-13 of their values and 1e-15 of the terms that
/// cancel in them; outward rounding is not used).
struct VolumeBounds {
  double lower = 0, upper = 0;  ///< [m^3]
  InterferenceRegion middle;    ///< the region with half of the undecided cells counted
  long cells = 0;               ///< looked at
};
/// Refines until upper - lower <= accuracy * upper or max_cells are used.
VolumeBounds calc_interference_bounds(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                                      double accuracy, long max_cells);

}  // namespace stiction
