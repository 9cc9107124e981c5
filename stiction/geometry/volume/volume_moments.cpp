#include "stiction/geometry/volume/volume_moments.h"

namespace stiction {

Mat3 calc_second_moments(const RegionSums& s) {
  Mat3 P;
  P << s[4], s[7], s[9], s[7], s[5], s[8], s[9], s[8], s[6];
  return P;
}

RegionSums make_sums(double volume, const Vec3& first, const Mat3& second) {
  RegionSums s = RegionSums::Zero();
  s[0] = volume;
  s.segment<3>(1) = first.array();
  s[4] = second(0, 0), s[5] = second(1, 1), s[6] = second(2, 2);
  s[7] = second(0, 1), s[8] = second(1, 2), s[9] = second(2, 0);
  return s;
}

RegionSums calc_transformed(const RegionSums& sums_F, const Transform& X_WF) {
  const double V = sums_F[0];
  // x_W = R x_F + p: int x x' = R P R' + (R m) p' + p (R m)' + V p p'.
  const Vec3 m = X_WF.R * sums_F.segment<3>(1).matrix();
  const Mat3 mp = m * X_WF.p.transpose();
  const Mat3 P =
      X_WF.R * calc_second_moments(sums_F) * X_WF.R.transpose() + mp + mp.transpose() + V * X_WF.p * X_WF.p.transpose();
  RegionSums sums = make_sums(V, m + V * X_WF.p, P);
  const Vec3 area = X_WF.R * sums_F.segment<3>(10).matrix();
  sums.segment<3>(10) = area.array();
  sums.segment<3>(13) = (X_WF.R * sums_F.segment<3>(13).matrix() + X_WF.p.cross(area)).array();
  return sums;
}

InterferenceRegion calc_region(const RegionSums& sums, const Transform& X_WF) {
  InterferenceRegion region;
  if (!(sums[0] > 0)) return region;
  region.volume = sums[0];
  const Vec3 c = sums.segment<3>(1).matrix() / sums[0];
  region.centroid = X_WF * c;
  // J = tr(P) I - P of the second moments about the centroid, P - V c c'.
  const Mat3 P = calc_second_moments(sums) - sums[0] * c * c.transpose();
  region.inertia = X_WF.R * (P.trace() * Mat3::Identity() - P) * X_WF.R.transpose();
  const Vec3 area = sums.segment<3>(10).matrix();
  region.dV_dx = X_WF.R * area;
  region.dV_dr = X_WF.R * (sums.segment<3>(13).matrix() - c.cross(area));
  return region;
}

}  // namespace stiction
