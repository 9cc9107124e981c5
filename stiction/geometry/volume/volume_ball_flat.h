#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "stiction/math/vector.h"

namespace stiction {

using Vec2 = Eigen::Vector2d;

/// Distances from the foot of a ball's centre to the four sides of a face, turning left from +x; < 0: beyond.
using FaceSides = std::array<double, 4>;

/// A side of the face and its piece inside the ball, lower <= t <= upper.
struct FaceSide {
  Vec2 normal, tangent;
  double a;
  double lower, upper;
  bool starts_on_ball, ends_on_ball;  ///< else at a corner of the face
};

/// Sides and arcs of D, the face cut by the circle of radius^2 rho2 where its plane meets the sphere:
/// on_side(FaceSide); on_arc(place, angle, sign) at both ends of an arc, from the angle where `sign` is -1 to that
/// where it is 1. True: a whole turn is to be added. Which corners lie inside of the circle is asked once, so that arcs
/// and sides follow each other whatever rounding does.
template <class OnSide, class OnArc>
bool walk_face(double rho2, const FaceSides& a, const OnSide& on_side, const OnArc& on_arc) {
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
    on_side(side);
    any_side = true;
    if (!side.starts_on_ball && !side.ends_on_ball) continue;
    const double reach = std::atan2(half, a[k]);
    if (side.starts_on_ball) {
      lacks_turn = lacks_turn || !any_arc;
      on_arc(a[k] * n - half * u, middle - reach, 1.0);
    }
    if (side.ends_on_ball) on_arc(a[k] * n + half * u, middle + reach, -1.0);
    any_arc = true;
  }
  return any_side ? lacks_turn : a[0] > 0 && a[1] > 0 && a[2] > 0 && a[3] > 0;
}

/// A cut in axes with z down into the box, about the foot of the centre on the face; they may be left-handed.
struct FaceCut {
  double volume = 0;
  Vec3 first = Vec3::Zero();   ///< int x dV
  Mat3 second = Mat3::Zero();  ///< int x x' dV
  Vec3 area = Vec3::Zero();    ///< int_S n dA of the sphere
  double error = 0;            ///< as BallBoxCut::error
};

/// Caps whose height is below this part of R count as flat: there (1) of volume_ball_box.h cancels to 1/25, and Gauss's
/// 8 points leave 4e-14, as the singularity, at R, lies 3.5 half-lengths of a side from its middle. With twice as much
/// 9e-12, with half 1e-16 [-].
inline constexpr double flat_cap = 0.04;

/// The cut of volume_ball_box.h for flat caps. From the foot of the centre on the face, with H(s) = Z - d =
/// (rho^2 - s) / (Z + d), s = x^2 + y^2, in which nothing cancels, and p the points of the sides and arcs around D,
///     int_D x^j H^m dA = oint (p x dp) p^j c,   c = int_0^1 q^(1+j) H(q^2 p.p)^m dq                             (1)
/// along sides and in q by Gauss's rule, along arcs in closed form, where p.p and c are constant.
/// ROUNDING: V as the difference of its parts, some 1e-15, but for caps of which a corner cuts off almost all.
FaceCut cut_flat(double R, double d, const FaceSides& a);

}  // namespace stiction
