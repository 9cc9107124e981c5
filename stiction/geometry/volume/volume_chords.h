#pragma once

#include "stiction/geometry/volume/interference.h"

namespace stiction {

/// Interference region of any two shapes, at least one of them bounded, A's frame being the frame of the result, by
/// integration of chords over the contact patch (gonthier-thesis-2007, eq. 4.4):
///     V = int dx int dy sum_chords (z1 - z0),   and likewise for all moments of (1) in volume_moments.h         (1)
/// z along the contact normal. A chord's ends are roots of quadratics (torus: quartic; superquadric, parametric:
/// bracketed roots), its moments are polynomials.
///
/// Accuracy comes from knowing where the integrands are not smooth. In a slice x = const every surface is a conic: the
/// breaks in y are the corners of the slice (crossings of two conics) and the turning points of its arcs, all found
/// before integration. In x they are the points where the list of corners changes: the corners of the region, and the
/// extreme points in x of its edges and faces; Newton's method finds them from a nearby slice:
///     one surface    f = f_y = f_z = 0
///     an edge        f = g = 0, f_y g_z - f_z g_y = 0                                                          (2)
///     a corner       f = g = h = 0
/// and halving where it fails. Between breaks x = m - r cos t makes all ends smooth and Gauss panels converge
/// exponentially. Breaks that were missed cost panels, not accuracy: panels are halved until their own error estimates
/// add up to the accuracy asked for; the result says whether they did.
///
/// For regions of quadrics all critical points are listed before any slice is looked at: those with a closed form
/// (volume_critical.h) and, on edges of two curved surfaces, by a search that is complete (volume_edges.h); so a part
/// of the region, or a void in it, cannot hide between two slices. Where surfaces touch, that search stays open; and a
/// torus, superquadric or parametric surface is sampled only. There, and for more than one edge of two quadrics, the
/// volume is computed along a second direction, and along others until two agree; their difference enters the error.
///
/// For solids that are sampled the closest points (closest.h) give the direction of the chords and a point where slices
/// and rays start to look; rays find the ends of chords, the creases of superquadrics and the corners of a slice by
/// roots.
///
/// `error` has three parts: the quadrature's, the difference of two directions, and rounding of the surfaces. Results
/// that are not known to be complete are held against a coarse octree; where nothing is found but closest points tell
/// of an overlap, the result is not converged.
///
/// Cannot: certify. A small part of a region with a solid that is missed in two directions stays unseen
/// (calc_interference_bounds does certify).
InterferenceRegion calc_interference_by_chords(const Shape& A, const Shape& B, const Transform& X_AB,
                                               const RegionOptions& options);

}  // namespace stiction
