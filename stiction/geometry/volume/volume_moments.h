#pragma once

#include "stiction/geometry/volume/interference.h"

namespace stiction {

/// What is integrated over an interference region, in one array so that a quadrature sums all of it at once:
///     [V, int x, int y, int z, int xx, int yy, int zz, int xy, int yz, int zx,  S_B (3), T_B (3)]              (1)
/// with S_B = int n dS and T_B = int p x n dS over the part of B's surface inside A, n outward from B. A motion of B
/// moves that part, and no other, of the region's boundary:
///     dV = S_B . dx + T_B . dr                                                                               (2)
using RegionSums = Eigen::Array<double, 16, 1>;

/// Adds the piece of B's surface with vector area `area` at (or with mean moment at) the point p.
inline void add_surface(RegionSums& sums, const Vec3& p, const Vec3& area) {
  sums.segment<3>(10) += area.array();
  sums.segment<3>(13) += p.cross(area).array();
}

/// Sums about the origin of frame F, moved to a frame W.
InterferenceRegion calc_region(const RegionSums& sums, const Transform& X_WF);

/// The same sums in another frame.
RegionSums calc_transformed(const RegionSums& sums_F, const Transform& X_WF);

/// Second moments int x x' dV as a matrix.
Mat3 calc_second_moments(const RegionSums& sums);
/// Sums of a volume from its first moment and int x x' dV about the origin; no surface.
RegionSums make_sums(double volume, const Vec3& first, const Mat3& second);

/// Region of nothing.
inline InterferenceRegion make_empty_region(RegionMethod method) {
  InterferenceRegion region;
  region.method = method;
  return region;
}

}  // namespace stiction
