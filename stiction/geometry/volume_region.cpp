#include "stiction/geometry/volume_region.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/cell.h"
#include "stiction/geometry/surface.h"
#include "stiction/geometry/volume_range.h"
#include "stiction/geometry/volume_ray.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

struct Cube {
  Vec3 lower, upper;
  Vec3 centre() const { return 0.5 * (lower + upper); }
  Vec3 half() const { return 0.5 * (upper - lower); }
};

Quadric calc_sum(const Quadric& f, double a, const Quadric& g, double b) {
  return {a * f.A + b * g.A, a * f.b + b * g.b, a * f.c + b * g.c};
}

/// Value over slope: about the distance from the surface.
double calc_distance(const Quadric& f, const Vec3& x) {
  return f.value(x) / std::max(f.gradient(x).norm(), 1e-300);
}

/// Everything that can prove a box empty, in F.
struct Prover {
  std::vector<RegionSurface> surfaces;
  std::vector<RegionSolid> solids;
  std::vector<Quadric> sums;

  /// Sums of one surface of each body with slopes that cancel at the centre; only of those that face each other.
  void update_sums(const Vec3& centre) {
    sums.clear();
    for (const RegionSurface& a : surfaces) {
      if (a.of_b) continue;
      const Vec3 ga = a.f.gradient(centre);
      for (const RegionSurface& b : surfaces) {
        const Vec3 gb = b.f.gradient(centre);
        if (b.of_b && ga.dot(gb) < 0) sums.push_back(calc_sum(a.f, 1 / ga.norm(), b.f, 1 / gb.norm()));
      }
    }
  }
  bool is_empty(const Cube& cube) const {
    const Vec3 m = cube.centre(), h = cube.half();
    for (const Quadric& f : sums)
      if (calc_range(f, m, h).low > 0) return true;
    for (const RegionSurface& surface : surfaces)
      if (calc_range(surface.f, m, h).low > 0) return true;
    for (const RegionSolid& solid : solids)
      if (calc_range(*solid.shape, solid.X_SF * m, solid.X_SF.R, h).low > 0) return true;
    return false;
  }
};

/// Drops surfaces that the whole cube lies inside of.
void cull(std::vector<RegionSurface>& surfaces, const Cube& cube) {
  const Vec3 m = cube.centre(), h = 1.001 * cube.half();
  std::erase_if(surfaces, [&](const RegionSurface& surface) { return calc_range(surface.f, m, h).high < 0; });
}

/// Cuts off slabs that are proved empty: first half of the cube, then quarters and eighths.
void shave(Prover& prover, Cube& cube) {
  for (int round = 0; round < 60; ++round) {
    prover.update_sums(cube.centre());
    bool shaved = false;
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side) {
        for (double part : {0.5, 0.25, 0.125}) {
          Cube slab = cube;
          const double width = part * (cube.upper[axis] - cube.lower[axis]);
          (side == 0 ? slab.upper : slab.lower)[axis] =
              side == 0 ? cube.lower[axis] + width : cube.upper[axis] - width;
          if (!prover.is_empty(slab)) continue;
          (side == 0 ? cube.lower : cube.upper)[axis] = (side == 0 ? slab.upper : slab.lower)[axis];
          shaved = true;
          break;
        }
      }
    if (!shaved) return;
    cull(prover.surfaces, cube);
  }
}

/// The surface that is nearest to x or farthest beyond it: the one that matters there.
struct Leading {
  Vec3 normal = Vec3::Zero();
  Mat3 curvature = Mat3::Zero();
};
Leading find_leading(const RegionPiece& piece, const Vec3& x) {
  Leading leading;
  if (piece.solid) {
    const Vec3 n = calc_implicit_gradient(*piece.solid, piece.X_AS.inverse() * x);
    if (n.norm() > 0) leading.normal = piece.X_AS.R * n.normalized();
    return leading;
  }
  double largest = -HUGE_VAL;
  for (const RegionSurface& surface : piece.surfaces) {
    const Vec3 g = surface.f.gradient(x);
    const double distance = calc_distance(surface.f, x);
    if (g.norm() > 0 && distance > largest)
      largest = distance, leading = {g.normalized(), surface.f.hessian() / g.norm()};
  }
  return leading;
}

/// z along the normal, x along the smallest curvature of both surfaces together.
Mat3 make_frame(const Vec3& normal, const Mat3& curvature) {
  Vec3 u, v;
  calc_tangents(normal, u, v);
  const double uu = u.dot(curvature * u), vv = v.dot(curvature * v), uv = u.dot(curvature * v);
  // The angle of the principal axis of larger curvature.
  const double angle = 0.5 * std::atan2(2 * uv, uu - vv);
  Mat3 R;
  R.col(1) = std::cos(angle) * u + std::sin(angle) * v;
  R.col(2) = normal;
  R.col(0) = R.col(1).cross(R.col(2));
  return R;
}

Prover make_prover(const RegionPiece& a, const RegionPiece& b, const Transform& X_FA) {
  Prover prover;
  for (const RegionPiece* piece : {&a, &b}) {
    for (const RegionSurface& surface : piece->surfaces)
      prover.surfaces.push_back({calc_transformed(surface.f, X_FA), surface.of_b});
    if (piece->solid) prover.solids.push_back({piece->solid, (X_FA * piece->X_AS).inverse(), piece->of_b});
  }
  return prover;
}

/// The cube about a box given in A, as seen along F.
Cube make_cube(const Vec3& lower, const Vec3& upper, const Transform& X_FA) {
  const Vec3 m = X_FA * Vec3(0.5 * (lower + upper)), h = X_FA.R.cwiseAbs() * (0.5 * (upper - lower));
  return {m - h, m + h};
}

/// f(centre + diag(half) u), scaled by its largest coefficient.
Quadric calc_in_cube(const Quadric& f, const Vec3& centre, const Vec3& half) {
  Quadric unit{half.asDiagonal() * f.A * half.asDiagonal(), half.cwiseProduct(f.A * centre + f.b), f.value(centre)};
  const double size = std::max({unit.A.cwiseAbs().maxCoeff(), 2 * unit.b.cwiseAbs().maxCoeff(), 1e-300});
  unit.A /= size, unit.b /= size, unit.c /= size;
  return unit;
}

}  // namespace

std::vector<RegionPiece> calc_pieces(const Shape& shape, const Transform& X_AS, bool of_b) {
  const auto make_piece = [&](const std::vector<Quadric>& own, const std::vector<Quadric>& cuts) {
    RegionPiece piece;
    piece.X_AS = X_AS, piece.of_b = of_b;
    for (const Quadric& f : own) piece.surfaces.push_back({calc_transformed(f, X_AS), of_b});
    for (const Quadric& f : cuts) piece.surfaces.push_back({calc_transformed(f, X_AS), false});
    return piece;
  };
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    std::vector<RegionPiece> pieces;
    const double end = 0.5 * capsule->length;
    const Quadric side = calc_constraints(Cylinder{capsule->radius, capsule->length, capsule->axis})[0];
    const Quadric top = make_plane_quadric(capsule->axis, end), bottom = make_plane_quadric(-capsule->axis, end);
    const Quadric ball = calc_constraints(Sphere{capsule->radius})[0];
    pieces.push_back(make_piece({side}, {top, bottom}));
    pieces.push_back(make_piece({calc_transformed(ball, {Mat3::Identity(), end * capsule->axis})}, {calc_complement(top)}));
    pieces.push_back(
        make_piece({calc_transformed(ball, {Mat3::Identity(), -end * capsule->axis})}, {calc_complement(bottom)}));
    return pieces;
  }
  RegionPiece piece = make_piece(calc_constraints(shape), {});
  if (needs_ray_roots(shape)) piece.solid = &shape;
  return {piece};
}

UnitRegion make_unit_region(const RegionPiece& a, const RegionPiece& b, const Vec3& lower, const Vec3& upper,
                            const Vec3& normal_A) {
  UnitRegion region;
  // First along the axes of A, to learn where the region is; then along its own.
  Transform X_FA;
  Prover prover = make_prover(a, b, X_FA);
  Cube cube = make_cube(lower, upper, X_FA);
  if (prover.is_empty(cube)) return region;
  shave(prover, cube);
  for (int pass = 0; pass < 2; ++pass) {
    const Vec3 x = X_FA.inverse() * cube.centre();
    const Leading la = find_leading(a, x), lb = find_leading(b, x);
    Vec3 normal = normal_A;
    if (normal.isZero(0)) normal = la.normal - lb.normal;
    if (normal.norm() < 1e-3) normal = la.normal;
    if (normal.isZero(0)) normal = Vec3::UnitZ();
    const Vec3 centre = cube.centre();
    const Vec3 first_lower = X_FA.inverse() * centre - X_FA.R.transpose().cwiseAbs() * cube.half();
    const Vec3 first_upper = X_FA.inverse() * centre + X_FA.R.transpose().cwiseAbs() * cube.half();
    // Origin in the middle of what was found.
    const Mat3 R_AF = make_frame(normal.normalized(), la.curvature + lb.curvature);
    X_FA = Transform{R_AF, x}.inverse();
    prover = make_prover(a, b, X_FA);
    cube = make_cube(first_lower.cwiseMax(lower), first_upper.cwiseMin(upper), X_FA);
    if (prover.is_empty(cube)) return region;
    shave(prover, cube);
  }
  // A little wider, so that no surface lies in a face of the cube.
  region.X_AF = X_FA.inverse();
  region.centre = cube.centre();
  region.half = 1.0001 * cube.half();
  region.solids = std::move(prover.solids);
  cull(prover.surfaces, {region.centre - region.half, region.centre + region.half});
  for (const RegionSurface& surface : prover.surfaces)
    region.surfaces.push_back({calc_in_cube(surface.f, region.centre, region.half), surface.of_b});
  region.empty = false;
  return region;
}

}  // namespace stiction
