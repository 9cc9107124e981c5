#pragma once

#include "stiction/geometry/volume/volume_clip.h"

namespace stiction {

/// A directed edge of a polygon in a plate, with the linear function p + g . x over that polygon.
struct PlateEdge {
  double ax, ay, bx, by;
  double p, gx, gy;
};

/// The chord length f_s of a polyhedral region along the normal of a plate (gonthier-thesis-2007, eq. 4.4) as a sum of
/// linear functions over polygons: each face of the region, seen along the normal, adds its height, with the sign of
/// its orientation. Exact. Coordinates x, y along u, w about the region's centroid.
struct PlatePressure {
  FixedVector<PlateEdge, 160> edges;
  Vec3 u = Vec3::UnitX(), w = Vec3::UnitY();  ///< n = u x w
  double size = 0;                            ///< largest distance of a corner from the centroid [m]
  double volume = 0;                          ///< int f_s [m^3]
  double gyration = 0;                        ///< r_gyr about n [m]
};

/// Of a box or polytope with a half-space, box or polytope, of few faces (small_clip_faces) together; false: of others.
/// edges and size are set, u and w from the normal.
bool find_plate_pressure(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                         const Vec3& centroid, const Vec3& normal, PlatePressure& plate);

}  // namespace stiction
