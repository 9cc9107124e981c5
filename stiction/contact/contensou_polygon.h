#pragma once

#include "stiction/geometry/volume/plate_pressure.h"

namespace stiction {

/// Coulomb friction of a patch whose pressure is linear over polygons, exactly: with v the slip at its centroid and w
/// the spin about its normal, in units of mu f_n,
///     f = (1/V) int p (v + w x rho) / |v + w x rho| dS,   t = (1/V) int p rho x (v + w x rho) / |..| dS            (1)
/// About the centre of rotation c = n x v / w the direction of slip is that of the angle alone. The integral over a
/// polygon is the sum of those over the triangles from c to its edges; in the frame of an edge, h its distance from c,
/// s along it, R^2 = h^2 + s^2, p = p_c + g . (x - c),
///     int p e_phi = h int (h t - s m)/R (p_c/2 + (g_m h + g_t s)/3) ds                                            (2)
///     int p r     = h int R (p_c/3 + (g_m h + g_t s)/4) ds                                                        (3)
/// in closed form. Where c is far, beyond 30 sizes of the patch, (1) by a rule of degree 5 on triangles, to 1e-7.
struct PolygonFriction {
  Vec3 slide = Vec3::Zero();  ///< f of (1), tangential, at most 1; the force on B is -mu f_n slide [-]
  double spin = 0;            ///< t of (1) divided by r_gyr, with the sign of the moment against w [-]
};
/// v tangential, not both v and w zero.
PolygonFriction calc_polygon_friction(const PlatePressure& plate, const Vec3& v, double w);

}  // namespace stiction
