#include "stiction/geometry/volume/volume_ball_box.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace stiction {
namespace {

using Vec2 = Eigen::Vector2d;
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

/// A side of the face and its piece inside the ball, lower <= t <= upper.
struct FaceSide {
  Vec2 normal, tangent;
  double a;
  double lower, upper;
  bool starts_on_ball, ends_on_ball;  ///< else at a corner of the face
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

/// Sides and arcs of D: the face cut by the circle where its plane meets the sphere. Which corners lie inside of it is
/// asked once, so that arcs and sides follow each other whatever rounding does.
BallBoxSums sum_around_face(double R, double d, const std::array<double, 4>& a) {
  BallBoxSums sums;
  const double rho2 = (R - d) * (R + d);
  std::array<bool, 4> outside;  // the corner behind side k
  for (std::size_t k = 0; k < 4; ++k) outside[k] = a[k] * a[k] + a[(k + 1) % 4] * a[(k + 1) % 4] >= rho2;
  // An arc that ends at the first side and begins at the last lacks a whole turn.
  bool any_side = false, any_arc = false, lacks_turn = false;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t next = (k + 1) % 4, last = (k + 3) % 4;
    const bool misses = a[k] * a[k] >= rho2 || (outside[k] && a[next] <= 0) || (outside[last] && a[last] <= 0);
    if (misses) continue;
    const double half = std::sqrt(rho2 - a[k] * a[k]), middle = 0.5 * std::numbers::pi * static_cast<double>(k);
    const Vec2 n(k == 0 ? 1 : k == 2 ? -1 : 0, k == 1 ? 1 : k == 3 ? -1 : 0), u(-n.y(), n.x());
    const FaceSide side{
        n, u, a[k], outside[last] ? -half : -a[last], outside[k] ? half : a[next], outside[last], outside[k]};
    add_side(R, d, side, sums);
    any_side = true;
    if (!side.starts_on_ball && !side.ends_on_ball) continue;
    const double reach = std::atan2(half, a[k]);
    if (side.starts_on_ball) {
      lacks_turn = lacks_turn || !any_arc;
      add_arc_end(R, d, a[k] * n - half * u, middle - reach, 1, sums);
    }
    if (side.ends_on_ball) {
      add_arc_end(R, d, a[k] * n + half * u, middle + reach, -1, sums);
    }
    any_arc = true;
  }
  if (!any_side) lacks_turn = a[0] > 0 && a[1] > 0 && a[2] > 0 && a[3] > 0;
  if (lacks_turn) {
    const double turn = 2 * std::numbers::pi;
    sums.area += rho2 / 2 * turn;
    sums.second += rho2 * rho2 / 8 * turn * Mat2::Identity();
    sums.sphere += R * (R - d) * turn;
    sums.size += R * (R - d) * turn;
  }
  return sums;
}

}  // namespace

BallBoxCut calc_ball_box_cut(const Vec3& size, double radius, const Vec3& centre, int face) {
  const double R = radius, side = centre[face] < 0 ? -1 : 1, d = side * centre[face] - 0.5 * size[face];
  // Axes: x and y along the box's other two, z down into it.
  const int i = (face + 1) % 3, j = (face + 2) % 3;
  Mat3 axes = Mat3::Zero();
  axes(i, 0) = axes(j, 1) = 1;
  axes(face, 2) = -side;
  const BallBoxSums s = sum_around_face(
      R, d,
      {0.5 * size[i] - centre[i], 0.5 * size[j] - centre[j], 0.5 * size[i] + centre[i], 0.5 * size[j] + centre[j]});
  BallBoxCut cut;
  cut.local.origin = centre + axes.col(2) * d;
  // (1)
  const double V = (R * s.sphere - d * s.area + s.wall) / 3;
  if (!(V > 0)) return cut;
  // Heights are counted from the face: of Z - d, (Z - d)^2 / 2 and (Z - d)^3 / 3.
  const double rho2 = (R - d) * (R + d), between = rho2 * s.area - s.second.trace();
  Vec3 first;
  first.head<2>() = -s.wall_height_normal - d * s.first;
  first.z() = 0.5 * between - d * V;
  // (2)
  Mat2 across = R * R * (V * Mat2::Identity() - s.wall_cross) - d * s.second + s.wall_second;
  across = 0.1 * (across + across.transpose().eval());
  const double height = (R * R * (V + d * s.area) - d * d * d * s.area + s.wall_height) / 5;
  Mat3 second;
  second.topLeftCorner<2, 2>() = across;
  second.topRightCorner<2, 1>() = 0.5 * (rho2 * s.first - s.third) - d * first.head<2>();
  second.bottomLeftCorner<1, 2>() = second.topRightCorner<2, 1>().transpose();
  second(2, 2) = height - d * between + d * d * V;
  cut.local.sums = make_sums(V, axes * first, axes * second * axes.transpose());
  // The sphere's normals pass through the centre.
  const Vec3 area = axes * Vec3(-s.wall_normal.x(), -s.wall_normal.y(), s.area);
  add_surface(cut.local.sums, -d * axes.col(2), area);
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  const double terms = R * s.size + d * s.area + std::abs(s.wall);
  cut.error = rounding * terms / V * std::max(1.0, R / (R - d));
  return cut;
}

}  // namespace stiction
