#pragma once

#include "stiction/geometry/volume/volume_moments.h"

namespace stiction {

/// Closed forms of regions bounded by a sphere or an ellipsoid. A spherical cap of height h (0 <= h <= 2R), s its depth
/// below the pole, has discs of squared radius 2Rs - s^2 as sections:
///     V = pi h^2 (3R - h)/3,          int s = pi (2R h^3/3 - h^4/4),      int s^2 = pi (R h^4/2 - h^5/5),
///     int x^2 = int y^2 = pi/4 (4R^2 h^3/3 - R h^4 + h^5/5)                                                  (1)
/// Counted from the pole nothing cancels, however flat the cap.
/// The half-space is n'x <= offset, |n| = 1, in the frame of the shape; the results are in that frame, about the `pole`
/// (of the first cap), which they return; surface sums are those of the round body (of the SECOND sphere in
/// calc_lens_sums): the other body's are their negatives.
struct LocalSums {
  RegionSums sums = RegionSums::Zero();
  Vec3 origin = Vec3::Zero();  ///< the sums are about this point, axes unchanged
};

LocalSums calc_ellipsoid_cap_sums(const Vec3& semi_axes, const Vec3& normal, double offset);
/// Two balls, the second with its centre at p: a lens of two caps, or the smaller ball.
LocalSums calc_lens_sums(double radius_1, double radius_2, const Vec3& p);

}  // namespace stiction
