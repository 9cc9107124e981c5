#pragma once

#include <vector>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// Signed gap and closest points of two shapes (world frame W):
///     a_A on the surface of A, a_B on that of B, nhat unit from A to B,
///     nhat in the normal cone of A at a_A, -nhat in that of B at a_B,
///     a_B - a_A = phi nhat                                                             (1)
/// which is eq. (9) of compliant-implicit-2007 with phi as the signed distance, eq. (7) of contact-kinematics-2003:
/// phi > 0 apart, 0 touching, < 0 overlapping by |phi|, the points then being those of deepest penetration along
/// parallel normals. For convex shapes phi = max over unit n of (-h_A(n) - h_B(-n)), h the support functions: apart the
/// maximum is unique; overlapping, the shortest way out is taken, unless a warm start follows the one found before.
///
/// DEPARTURE: (1) holds also at edges and corners, where the paper's gradients do not exist: there nhat is any
/// direction of the normal cone. Non-convex shapes have many solutions of (1). Apart, the one of smallest phi. In
/// overlap:
///   hollow shapes: the smallest phi, that is the deepest point;
///   torus: the smallest phi of those where the tube's circle is locally deepest in the other body; where there is
///   none,
///     as when the circle cuts through the body, the solution of least depth that the search finds (closest_torus.h);
///   cells with complements: of each connected part of the common region the shortest way out, of these the deepest; if
///     no solution has its points in both solids, the shallowest of the others (closest_concave.h).
/// LIMIT: the search over non-convex shapes is by starts, not exhaustive: about 1 pair in 1000 with a cell with
/// complements finds no solution of (1); such a result is not certified.
struct ClosestPoints {
  double gap = 0;               ///< phi [m]
  Vec3 point_a = Vec3::Zero();  ///< a_A
  Vec3 point_b = Vec3::Zero();  ///< a_B
  Vec3 normal = Vec3::UnitZ();  ///< nhat, from A to B
  double residual = 0;          ///< measured, see calc_closest_residual [-]
  bool certified = false;       ///< residual <= 1e-12 (closed forms: by the same measure)
  int iterations = 0;           ///< 0: closed form
};

/// What a pair remembers from one call to the next. Plain data; a fresh one is a cold start. Results of a warm and a
/// cold start agree to the certificate wherever the solution is unique.
struct ClosestCache {
  Vec3 normal_A = Vec3::Zero();  ///< nhat in A's frame; zero: none yet
};

/// Both shapes with their poses in W. Never throws for valid shapes; a result that is not certified says so. Two
/// unbounded shapes have gap -infinity, not certified, but for half-spaces back to back.
/// Cost: sphere with half-space 15 ns, ellipsoids 0.5 us warm, 0.7 (apart) to 2.5 us (overlapping) cold, boxes and
/// small polytopes 0.5-2 us, other convex pairs 10-400 us in the mean, up to 3 ms; convex cells 0.1-1 ms, up to 15;
/// torus with a convex cell 6 ms, up to 60; cells with complements 5-40 ms, up to 400.
ClosestPoints calc_closest(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                           ClosestCache* cache = nullptr);

/// How far a result is from (1), relative to `size` = calc_size(A) + calc_size(B), the half-space counting 0, or, where
/// larger, to |phi|; independent of how the result was found:
///   the distance of each point from its surface, |a_B - a_A - phi nhat|, and for each convex shape the excess
///   (h_A(nhat) - nhat'a_A) of a plane of normal nhat over the point (0 where nhat is in the normal cone).
/// For non-convex shapes the angle of nhat to the normal cone of the active constraints, times the shape's size, takes
/// the last one's place; for a half-space the angle to its normal. `residual` in a result is taken in the frame of
/// one of the shapes for all but closed forms: rounding of world coordinates is not in it.
double calc_closest_residual(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                             const ClosestPoints& result);

/// What lies between the planes of normal nhat on both shapes, min nhat'x over B - max nhat'x over A: for any unit nhat
/// a lower bound of the gap, also of shapes that are not convex. -infinity where a shape is unbounded [m]. Some 20 ns.
double calc_gap_between_planes(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                               const Vec3& nhat);

/// One of several points in which a pair touches.
struct ContactPoint {
  Vec3 point_a, point_b;  ///< [m]
  Vec3 normal;            ///< from A to B
  double gap = 0;         ///< [m]
  int id = 0;             ///< stays the same while the same features touch: for warm starts
  bool certified = true;  ///< of the closest points of the pair; closed forms always are
};
/// All points in which the pair touches or comes within `margin` of it [m], in a fixed order: the closest points, and
/// where faces or edges lie along each other the corners of their common region (box on plane: 4; cylinder lying on a
/// plane: 2; standing: 4 points of the rim, so placed that the true lowest point is one of them; box on box by
/// clipping). The number and places do not jump under tiny rotations: a point is reported as soon as its gap is at most
/// the margin. Appends to `points`. A cell with complements offers
/// every solution of (1) that the search finds, a peg in its round bore the rims and edges of both (closest_hollow.h).
/// Returns whether that is all: the closest points are certified, or planes hold the pair apart by more than the
/// margin. Else points may be missing or wrong.
/// LIMIT: faces of cells are not clipped: a convex cell has its closest points only.
bool calc_contact_points(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB, double margin,
                         std::vector<ContactPoint>& points);

}  // namespace stiction
