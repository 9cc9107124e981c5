#pragma once

#include "stiction/geometry/volume/volume_cap.h"

namespace stiction {

/// A body of revolution about the z axis whose profile r(z) consists of at most three pieces, each straight or a
/// circular arc about a centre on the axis.
struct RevolvedPiece {
  double z0 = 0, z1 = 0;     ///< z0 < z1
  double r0 = 0, slope = 0;  ///< straight: r = r0 + slope (z - z0)
  double arc_radius = 0;     ///< > 0: r^2 = arc_radius^2 - (z - arc_centre)^2
  double arc_centre = 0;
  double ring_radius = 0;  ///< > 0: a torus, r = ring_radius +- that arc: sections are rings
};
struct RevolvedSolid {
  RevolvedPiece pieces[3];
  int count = 0;
};

/// The part of the solid in the half-space sin_tilt x + cos_tilt z <= offset, sin_tilt >= 0. A section z = const is a
/// circular segment of half-angle a, -r <= x <= (offset - cos_tilt z)/sin_tilt = -r cos a, with
///     area = r^2 G_0,   int (x + r)^k = r^(2+k) G_k,   G_k = int_0^a 2 sin^2 p (1 - cos p)^k dp                (1)
/// in closed form; the integral over z is by Gauss panels between the heights where the plane touches the section's
/// circle, after a substitution that makes both ends smooth: exact to rounding (error asked: 1e-14). A true closed form
/// would need no quadrature for the cylinder and elliptic integrals for nothing; this one form serves cylinder, capsule
/// and cone alike, in every position of the plane; of a torus the segment of the hole is subtracted. Sums of the
/// surface are those of the SOLID.
LocalSums calc_revolved_cut_sums(const RevolvedSolid& solid, double sin_tilt, double cos_tilt, double offset);

}  // namespace stiction
