#include "stiction/geometry/volume/volume_wall_pair.h"

#include <algorithm>

#include "stiction/geometry/shape/constraint_visit.h"

namespace stiction {
namespace {

/// Directions are the same, planes pass through the axis: rounding of a scene's numbers, relative [-].
constexpr double wall_rounding = 1e-12;

/// The circular cylinder whose complement f is: A = -(I - k k') s; none for other quadrics.
bool find_bore(const Quadric& f, BoreWall& wall) {
  const double s = -0.5 * f.A.trace();
  if (!(s > 0)) return false;
  const Mat3 kk = Mat3::Identity() + f.A / s;
  Eigen::Index column = 0;
  kk.colwise().squaredNorm().maxCoeff(&column);
  const Vec3 k = kk.col(column).normalized();
  if ((kk - k * k.transpose()).cwiseAbs().maxCoeff() > wall_rounding) return false;
  // f = -s |x - p|^2 + s (k.(x - p))^2 + s R^2: the point p of the axis nearest to the origin.
  const Vec3 p = f.b / s;
  const double square = f.c / s + p.squaredNorm();
  if (!(square > 0) || std::abs(k.dot(p)) > wall_rounding * (p.norm() + std::sqrt(square))) return false;
  wall.radius = std::sqrt(square);
  wall.X_AF.p = p;
  wall.X_AF.R.col(2) = k;
  return true;
}

/// One of the cell's planes; false: not of a wall.
bool add_plane(const Quadric& f, BoreWall& wall, FixedVector<Vec3, 2>& radial) {
  if (!f.is_flat()) return false;
  const double size = 2 * f.b.norm();
  const Vec3 n = 2 * f.b / size, k = wall.X_AF.R.col(2);
  const double offset = -f.c / size - n.dot(wall.X_AF.p), along = n.dot(k);
  if (std::abs(along) > 1 - wall_rounding) {
    (along > 0 ? wall.z1 : wall.z0) = along > 0 ? std::min(wall.z1, offset) : std::max(wall.z0, -offset);
    return true;
  }
  if (std::abs(along) > wall_rounding) return false;
  if (std::abs(offset) <= wall_rounding * wall.radius) {
    radial.push_back(n);
    return !radial.overflow;
  }
  wall.outer = std::min(wall.outer, offset);
  return offset > wall.radius;
}

void set_sector(const FixedVector<Vec3, 2>& radial, BoreWall& wall) {
  const Vec3 k = wall.X_AF.R.col(2);
  Vec3 middle = k.unitOrthogonal();
  if (radial.size() == 1) {
    middle = -radial[0], wall.half = 0.5 * std::numbers::pi;
  } else if (radial.size() == 2) {
    const Vec3 sum = -(radial[0] + radial[1]);
    // Normals to each other's negatives: a half-circle.
    middle = sum.norm() > wall_rounding ? Vec3(sum.normalized()) : k.cross(radial[0]);
    wall.half = std::asin(std::clamp(-radial[0].dot(middle), 0.0, 1.0));
  }
  wall.X_AF.R.col(0) = middle, wall.X_AF.R.col(1) = k.cross(middle);
}

RoundAxis find_axis(const Cylinder& s) {
  return {s.axis, s.radius};
}
RoundAxis find_axis(const Cone& s) {
  return {s.axis, s.radius};
}
template <class Other>
RoundAxis find_axis(const Other&) {
  return {};
}

/// Shapes that may be a wall, and those that may stand in one.
bool may_be_wall(const Shape& shape) {
  return std::visit(
      [](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        return std::is_same_v<S, Cell> || std::is_same_v<S, HollowCylinder>;
      },
      shape);
}
bool may_be_peg(const Shape& shape) {
  return std::visit([](const auto& s) { return find_axis(s).radius > 0; }, shape);
}

std::optional<BoreWall> find_wall(const Shape& shape) {
  BoreWall wall;
  FixedVector<Vec3, 2> radial;
  bool fits = true;
  int bores = 0;
  const auto look_for_bore = [&](const Quadric& f) {
    if (!f.is_flat()) fits = fits && find_bore(f, wall), ++bores;
  };
  const auto look_at_planes = [&](const Quadric& f) {
    if (f.is_flat()) fits = fits && add_plane(f, wall, radial);
  };
  std::visit([&](const auto& s) { visit_constraints(s, look_for_bore); }, shape);
  if (!fits || bores != 1) return {};
  std::visit([&](const auto& s) { visit_constraints(s, look_at_planes); }, shape);
  if (!fits) return {};
  set_sector(radial, wall);
  return wall;
}

}  // namespace

std::optional<WallPair> find_wall_pair(const Shape& wall, const Shape& body, const Transform& X_AB) {
  if (!may_be_wall(wall) || !may_be_peg(body)) return {};
  const std::optional<BoreWall> found = find_wall(wall);
  if (!found) return {};
  WallPair pair{*found, {}, {}, {}, {}};
  const Transform X_FB = found->X_AF.inverse() * X_AB;
  const auto take = [&](const Quadric& f) { pair.body.push_back(calc_transformed(f, X_FB)); };
  std::visit([&](const auto& s) { visit_constraints(s, take); }, body);
  pair.bounds = calc_bounds(body, X_FB);
  pair.centre = X_FB.p;
  pair.axis = std::visit([](const auto& s) { return find_axis(s); }, body);
  pair.axis.axis = X_FB.R * pair.axis.axis;
  const Bounds& box = pair.bounds;
  const double farthest = box.lower.head<2>().cwiseAbs().cwiseMax(box.upper.head<2>().cwiseAbs()).norm();
  if (pair.body.overflow || farthest > found->outer) return {};
  return pair;
}

}  // namespace stiction
