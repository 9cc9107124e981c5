#include "stiction/geometry/volume/volume_cap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

using std::numbers::pi;

/// Cap of height h of the ball of radius R whose pole is the origin and whose centre lies at -R pole; (1).
RegionSums calc_cap_volume_sums(double R, double h, const Vec3& pole) {
  const double h2 = h * h, h3 = h2 * h, h4 = h3 * h, h5 = h4 * h;
  const double V = pi * h2 * (3 * R - h) / 3;
  const double s1 = pi * (2 * R * h3 / 3 - h4 / 4), s2 = pi * (R * h4 / 2 - h5 / 5);
  const double across = pi / 4 * (4 * R * R * h3 / 3 - R * h4 + h5 / 5);
  return make_sums(V, -s1 * pole, across * Mat3::Identity() + (s2 - across) * pole * pole.transpose());
}

}  // namespace

LocalSums calc_ellipsoid_cap_sums(const Vec3& semi_axes, const Vec3& normal, double offset) {
  // x = D u maps the unit ball on the ellipsoid, and the half-space on (D n)'u <= offset.
  const Vec3 Dn = semi_axes.cwiseProduct(normal);
  const double scale = Dn.norm(), h = std::clamp((scale + offset) / scale, 0.0, 2.0);
  const Vec3 pole = -Dn / scale;
  const Mat3 D = semi_axes.asDiagonal();
  const double det = semi_axes.prod();
  const RegionSums unit = calc_cap_volume_sums(1, h, pole);
  LocalSums result;
  result.origin = D * pole;
  result.sums =
      make_sums(det * unit[0], det * (D * unit.segment<3>(1).matrix()), det * (D * calc_second_moments(unit) * D));
  // On the unit sphere Q = int u n' dS = int n n' dS; D maps it on det(D) D Q D^-1, and int n dS on det(D) D^-1 int n
  // dS.
  const Vec3 area = det * pi * h * (2 - h) * pole.cwiseQuotient(semi_axes);
  const double along = 2 * pi / 3 * h * (3 - 3 * h + h * h), across = pi * h * h * (1 - h / 3);
  const Mat3 Q = across * Mat3::Identity() + (along - across) * pole * pole.transpose();
  const Mat3 M = det * (D * Q * semi_axes.cwiseInverse().asDiagonal());
  const Vec3 moment(M(1, 2) - M(2, 1), M(2, 0) - M(0, 2), M(0, 1) - M(1, 0));
  result.sums.segment<3>(10) = area.array();
  result.sums.segment<3>(13) = (moment - result.origin.cross(area)).array();
  return result;
}

LocalSums calc_lens_sums(double radius_1, double radius_2, const Vec3& p) {
  const double d = p.norm();
  LocalSums result;
  if (d >= radius_1 + radius_2) return result;
  if (d <= std::abs(radius_1 - radius_2)) {
    const bool first = radius_1 <= radius_2;
    const double r = first ? radius_1 : radius_2, V = 4.0 / 3.0 * pi * r * r * r;
    result.origin = first ? Vec3(Vec3::Zero()) : p;
    result.sums = make_sums(V, Vec3::Zero(), 0.2 * r * r * V * Mat3::Identity());
    return result;
  }
  // Heights of both caps above the plane in which the spheres meet.
  // (The larger radius against the distance first: both may be much larger than the depth.)
  const double depth = std::min(radius_1, radius_2) - (d - std::max(radius_1, radius_2));
  const double h1 = (radius_2 - radius_1 + d) * depth / (2 * d), h2 = (radius_1 - radius_2 + d) * depth / (2 * d);
  const Vec3 n = p / d;
  result.origin = radius_1 * n;
  const RegionSums second = calc_cap_volume_sums(radius_2, h2, -n);
  result.sums = calc_cap_volume_sums(radius_1, h1, n) + calc_transformed(second, {Mat3::Identity(), -(h1 + h2) * n});
  // The second sphere's cap has the vector area of the disc; its normals pass through its centre.
  const Vec3 area = -pi * h1 * (2 * radius_1 - h1) * n;
  add_surface(result.sums, p - result.origin, area);
  return result;
}

}  // namespace stiction
