#include "stiction/geometry/volume/volume_ball_box.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/geometry/volume/volume_ball_flat.h"
namespace stiction {
namespace {

using Mat2 = Eigen::Matrix2d;

/// Sums over D, around it, and over the walls.
struct BallBoxSums {
  double area = 0;            ///< A(D)
  Vec2 first = Vec2::Zero();  ///< int_D x
  Mat2 second = Mat2::Zero();
  Vec2 third = Vec2::Zero();               ///< int_D x (x.x)
  double sphere = 0;                       ///< A(S)
  double wall = 0;                         ///< sum a_k A(F_k)
  Vec2 wall_normal = Vec2::Zero();         ///< sum n_k A(F_k)
  Mat2 wall_second = Mat2::Zero();         ///< sum a_k int_Fk x x'
  Mat2 wall_cross = Mat2::Zero();          ///< sum int_Fk x n_k'
  double wall_height = 0;                  ///< sum a_k int_Fk z^2
  Vec2 wall_height_normal = Vec2::Zero();  ///< sum n_k int_Fk z^2
  double size = 0;                         ///< of the terms of A(S)
};

/// Integrals over a wall from t = 0 to `t`.
struct WallIntegrals {
  double area, first, second, height;  ///< of 1, t, t^2, z^2
  double sphere;                       ///< (3)
};
WallIntegrals integrate_wall(double R, double d, double a, double t, bool on_ball) {
  const double B = R * R - a * a, z = on_ball ? d : std::sqrt(std::max(B - t * t, 0.0));
  const double angle = std::atan2(t, z), cube = z * z * z;
  const double root = 0.5 * (t * z + B * angle);  // int Z dt
  WallIntegrals w;
  w.area = root - d * t;
  w.first = -cube / 3 - 0.5 * d * t * t;
  w.second = 0.25 * (B * root - t * cube) - d * t * t * t / 3;
  w.height = (0.75 * B * root + 0.25 * t * cube - d * d * d * t) / 3;
  const double square = a * a + t * t;
  w.sphere = R * a * angle - R * R * std::atan2(a * t * square / (R + z), a * a * z + R * t * t);
  return w;
}

void add_side(double R, double d, const FaceSide& side, BallBoxSums& sums) {
  const double a = side.a;
  const Vec2 &n = side.normal, &u = side.tangent;
  const Mat2 nn = n * n.transpose(), nu = n * u.transpose(), uu = u * u.transpose();
  // Triangles from the foot of the centre to the side.
  const double s = side.lower, t = side.upper;
  const double l1 = t - s, l2 = 0.5 * (t * t - s * s), l3 = (t * t * t - s * s * s) / 3,
               l4 = 0.25 * (t * t * t * t - s * s * s * s);
  sums.area += a / 2 * l1;
  sums.first += a / 3 * (a * l1 * n + l2 * u);
  sums.second += a / 4 * (a * a * l1 * nn + a * l2 * (nu + nu.transpose()) + l3 * uu);
  sums.third += a / 5 * (a * (a * a * l1 + l3) * n + (a * a * l2 + l4) * u);
  // The wall.
  const WallIntegrals low = integrate_wall(R, d, a, s, side.starts_on_ball);
  const WallIntegrals high = integrate_wall(R, d, a, t, side.ends_on_ball);
  const double area = high.area - low.area, w1 = high.first - low.first, w2 = high.second - low.second;
  const double height = high.height - low.height;
  sums.wall += a * area;
  sums.wall_normal += area * n;
  sums.wall_second += a * (a * a * area * nn + a * w1 * (nu + nu.transpose()) + w2 * uu);
  sums.wall_cross += (a * area * n + w1 * u) * n.transpose();
  sums.wall_height += a * height;
  sums.wall_height_normal += height * n;
  sums.sphere += high.sphere - low.sphere;
  sums.size += std::abs(high.sphere) + std::abs(low.sphere);
}

/// An arc of D's circle, of radius rho, from the angle where `sign` is -1 to that where it is 1: the primitives there.
/// `angle` may be counted from anywhere.
void add_arc_end(double R, double d, const Vec2& p, double angle, double sign, BallBoxSums& sums) {
  const double rho2 = p.squaredNorm(), x = p.x(), y = p.y();
  const Vec2 turned(y, -x);
  sums.area += sign * rho2 / 2 * angle;
  sums.first += sign * rho2 / 3 * turned;
  const double even = rho2 * rho2 * angle / 8, odd = rho2 * x * y / 8, mixed = rho2 * y * y / 8;
  Mat2 second;
  second << even + odd, mixed, mixed, even - odd;
  sums.second += sign * second;
  sums.third += sign * rho2 * rho2 / 5 * turned;
  sums.sphere += sign * R * (R - d) * angle;
  sums.size += std::abs(R * (R - d) * angle);
}

BallBoxSums sum_around_face(double R, double d, const FaceSides& a) {
  const double rho2 = (R - d) * (R + d);
  BallBoxSums sums;
  const bool whole = walk_face(
      rho2, a, [&](const FaceSide& side) { add_side(R, d, side, sums); },
      [&](const Vec2& p, double angle, double sign) { add_arc_end(R, d, p, angle, sign, sums); });
  if (whole) {
    const double turn = 2 * std::numbers::pi;
    sums.area += rho2 / 2 * turn;
    sums.second += rho2 * rho2 / 8 * turn * Mat2::Identity();
    sums.sphere += R * (R - d) * turn;
    sums.size += R * (R - d) * turn;
  }
  return sums;
}

/// (1), (2), from the sums of steep caps.
FaceCut cut_steep(double R, double d, const FaceSides& a) {
  const BallBoxSums s = sum_around_face(R, d, a);
  FaceCut cut;
  const double V = cut.volume = (R * s.sphere - d * s.area + s.wall) / 3;
  if (!(V > 0)) return cut;
  // Heights are counted from the face: of Z - d, (Z - d)^2 / 2 and (Z - d)^3 / 3.
  const double rho2 = (R - d) * (R + d), between = rho2 * s.area - s.second.trace();
  cut.first.head<2>() = -s.wall_height_normal - d * s.first;
  cut.first.z() = 0.5 * between - d * V;
  // (2)
  Mat2 across = R * R * (V * Mat2::Identity() - s.wall_cross) - d * s.second + s.wall_second;
  across = 0.1 * (across + across.transpose().eval());
  const double height = (R * R * (V + d * s.area) - d * d * d * s.area + s.wall_height) / 5;
  cut.second.topLeftCorner<2, 2>() = across;
  cut.second.topRightCorner<2, 1>() = 0.5 * (rho2 * s.first - s.third) - d * cut.first.head<2>();
  cut.second.bottomLeftCorner<1, 2>() = cut.second.topRightCorner<2, 1>().transpose();
  cut.second(2, 2) = height - d * between + d * d * V;
  cut.area = Vec3(-s.wall_normal.x(), -s.wall_normal.y(), s.area);
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  const double terms = R * s.size + d * s.area + std::abs(s.wall);
  cut.error = rounding * terms / V * std::max(1.0, R / (R - d));
  return cut;
}

}  // namespace

BallBoxCut calc_ball_box_cut(const Vec3& size, double radius, const Vec3& centre, int face, double wanted) {
  const double R = radius, side = centre[face] < 0 ? -1 : 1, d = side * centre[face] - 0.5 * size[face];
  // Axes: x and y along the box's other two, z down into it.
  const int i = (face + 1) % 3, j = (face + 2) % 3;
  Mat3 axes = Mat3::Zero();
  axes(i, 0) = axes(j, 1) = 1;
  axes(face, 2) = -side;
  const FaceSides sides = {0.5 * size[i] - centre[i], 0.5 * size[j] - centre[j], 0.5 * size[i] + centre[i],
                           0.5 * size[j] + centre[j]};
  FaceCut on_face = cut_steep(R, d, sides);
  if (R - d < flat_cap * R && !(on_face.volume > 0 && on_face.error <= wanted)) on_face = cut_flat(R, d, sides);
  BallBoxCut cut;
  cut.local.origin = centre + axes.col(2) * d;
  cut.error = on_face.error;
  if (!(on_face.volume > 0)) return cut;
  cut.local.sums = make_sums(on_face.volume, axes * on_face.first, axes * on_face.second * axes.transpose());
  // The sphere's normals pass through the centre.
  add_surface(cut.local.sums, -d * axes.col(2), axes * on_face.area);
  return cut;
}

}  // namespace stiction
