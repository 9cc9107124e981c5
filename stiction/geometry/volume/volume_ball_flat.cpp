#include "stiction/geometry/volume/volume_ball_flat.h"

#include <limits>

#include "stiction/geometry/volume/volume_quadrature.h"

namespace stiction {
namespace {

using Mat2 = Eigen::Matrix2d;
constexpr int points = 8;

/// Integrals over D of H, x H, x x' H, H^2/2, x H^2/2, H^3/3 and 1; over the walls, of their normals.
struct FlatSums {
  double volume = 0, height = 0, height_square = 0, area = 0;
  Vec2 first = Vec2::Zero(), tilt = Vec2::Zero(), wall = Vec2::Zero();
  Mat2 second = Mat2::Zero();
  double size = 0;  ///< of the terms of the volume
};

/// Heights of the cap over its base.
struct Cap {
  double R, d, rho2;
  double height(double s) const { return (rho2 - s) / (std::sqrt(R * R - s) + d); }
};

/// c of (1): of H with j = 0, 1, 2; of H^2 / 2 with j = 0, 1; of H^3 / 3.
struct Rays {
  double v = 0, first = 0, second = 0, height = 0, tilt = 0, height_square = 0;
};
Rays integrate_rays(const Cap& cap, double s) {
  const GaussRule<points>& rule = gauss_rule<points>();
  Rays rays;
  for (int i = 0; i < points; ++i) {
    const double q = 0.5 * (1 + rule.x[i]), w = 0.5 * rule.w[i] * q, H = cap.height(q * q * s);
    rays.v += w * H;
    rays.first += w * q * H;
    rays.second += w * q * q * H;
    rays.height += 0.5 * w * H * H;
    rays.tilt += 0.5 * w * q * H * H;
    rays.height_square += w * H * H * H / 3;
  }
  return rays;
}

void add_side(const Cap& cap, const FaceSide& side, FlatSums& sums) {
  const GaussRule<points>& rule = gauss_rule<points>();
  const double middle = 0.5 * (side.upper + side.lower), half = 0.5 * (side.upper - side.lower);
  for (int i = 0; i < points; ++i) {
    const double t = middle + half * rule.x[i], w = half * rule.w[i], wa = w * side.a, s = side.a * side.a + t * t;
    const Vec2 p = side.a * side.normal + t * side.tangent;
    const Rays rays = integrate_rays(cap, s);
    sums.volume += wa * rays.v;
    sums.size += std::abs(wa * rays.v);
    sums.first += wa * rays.first * p;
    sums.second += wa * rays.second * p * p.transpose();
    sums.height += wa * rays.height;
    sums.tilt += wa * rays.tilt * p;
    sums.height_square += wa * rays.height_square;
    sums.area += 0.5 * wa;
    sums.wall += w * cap.height(s) * side.normal;
  }
}

/// The turn of an arc by `angle`, and what of (1) its ends say.
void add_turn(const Cap& cap, const Rays& rim, double angle, FlatSums& sums) {
  const double turn = cap.rho2 * angle;
  sums.volume += turn * rim.v;
  sums.size += std::abs(turn * rim.v);
  sums.second += 0.5 * cap.rho2 * turn * rim.second * Mat2::Identity();
  sums.height += turn * rim.height;
  sums.height_square += turn * rim.height_square;
  sums.area += 0.5 * turn;
}
void add_arc_end(const Cap& cap, const Rays& rim, const Vec2& p, double sign, FlatSums& sums) {
  const double x = p.x(), y = p.y(), rho2 = cap.rho2;
  const Vec2 turned(y, -x);
  sums.first += sign * rho2 * rim.first * turned;
  sums.tilt += sign * rho2 * rim.tilt * turned;
  Mat2 second;
  second << x * y, y * y, y * y, -x * y;
  sums.second += 0.5 * sign * rho2 * rim.second * second;
}

}  // namespace

FaceCut cut_flat(double R, double d, const FaceSides& a) {
  const Cap cap{R, d, (R - d) * (R + d)};
  const Rays rim = integrate_rays(cap, cap.rho2);
  FlatSums s;
  const bool whole = walk_face(
      cap.rho2, a, [&](const FaceSide& side) { add_side(cap, side, s); },
      [&](const Vec2& p, double angle, double sign) {
        add_arc_end(cap, rim, p, sign, s);
        add_turn(cap, rim, sign * angle, s);
      });
  if (whole) add_turn(cap, rim, 2 * std::numbers::pi, s);
  FaceCut cut;
  cut.volume = s.volume;
  if (!(s.volume > 0)) return cut;
  cut.second.topLeftCorner<2, 2>() = s.second;
  cut.second.topRightCorner<2, 1>() = s.tilt;
  cut.second.bottomLeftCorner<1, 2>() = s.tilt.transpose();
  cut.second(2, 2) = s.height_square;
  cut.first = Vec3(s.first.x(), s.first.y(), s.height);
  cut.area = Vec3(-s.wall.x(), -s.wall.y(), s.area);
  constexpr double rounding = 32 * std::numeric_limits<double>::epsilon(), quadrature = 4e-14;
  cut.error = (rounding + quadrature) * s.size / s.volume;
  return cut;
}

}  // namespace stiction
