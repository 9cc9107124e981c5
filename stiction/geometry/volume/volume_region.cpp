#include "stiction/geometry/volume/volume_region.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_clip.h"
#include "stiction/geometry/volume/volume_range.h"
#include "stiction/geometry/volume/volume_ray.h"
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

/// Rounding of a cone's quadric about its apex, over a reach from it: by what the apex moves, some units in the last
/// place of its size (surface.rounding = 1e-15 A size^2), and by its own terms, of a given size.
double calc_rounding_at_apex(const RegionSurface& surface, double reach, double term) {
  const double A = surface.f.A.cwiseAbs().maxCoeff();
  return std::min(surface.rounding, A * (reach * std::sqrt(1e-15 * surface.rounding / A) + 1e-15 * term * term));
}

/// Everything that can prove a box empty, in F.
struct Prover {
  std::vector<RegionSurface> surfaces;
  std::vector<RegionSolid> solids;

  bool is_empty_at_once(const Cube& cube) const {
    const Vec3 m = cube.centre(), h = cube.half();
    const auto rounding = [&](const RegionSurface& surface) {
      if (!surface.apex) return surface.rounding;
      const double reach = (m - *surface.apex).norm() + h.norm();
      return calc_rounding_at_apex(surface, reach, surface.apex->norm() + reach);
    };
    for (const RegionSurface& surface : surfaces)
      if (calc_range(surface.f, m, h).low > rounding(surface)) return true;
    for (const RegionSolid& solid : solids)
      if (calc_range(*solid.shape, solid.X_SF * m, solid.X_SF.R, h).low > 0) return true;
    // Sums of one surface of each body with slopes that cancel at the centre; only of those that face each other. A
    // solid is represented by a plane below its function.
    FixedVector<RegionSurface, 2> planes;
    for (const RegionSolid& solid : solids) {
      const LinearBound bound = calc_lower_plane(*solid.shape, solid.X_SF * m, h);
      const Vec3 g = solid.X_SF.R.transpose() * bound.gradient;
      if (std::isfinite(bound.value) && g.norm() > 0)
        planes.push_back({{Mat3::Zero(), 0.5 * g, bound.value - g.dot(m)}, solid.of_b});
    }
    for (const RegionSurface& plane : planes)
      if (calc_range(plane.f, m, h).low > 0) return true;
    const auto is_apart = [&](const RegionSurface& a, const RegionSurface& b) {
      const Vec3 ga = a.f.gradient(m), gb = b.f.gradient(m);
      if (!(ga.dot(gb) < 0)) return false;
      const double wa = 1 / ga.norm(), wb = 1 / gb.norm();
      return calc_range(calc_sum(a.f, wa, b.f, wb), m, h).low > wa * rounding(a) + wb * rounding(b);
    };
    const auto faces_other = [&](const RegionSurface& a, const auto& others) {
      return std::any_of(others.begin(), others.end(),
                         [&](const RegionSurface& b) { return a.of_b != b.of_b && is_apart(a, b); });
    };
    for (const RegionSurface& a : surfaces)
      if (!a.of_b && faces_other(a, surfaces)) return true;
    for (const RegionSurface& plane : planes)
      if (faces_other(plane, surfaces) || faces_other(plane, planes)) return true;
    return false;
  }
  bool is_inside(const Vec3& p) const {
    return std::all_of(surfaces.begin(), surfaces.end(), [&](const RegionSurface& s) { return s.f.value(p) <= 0; }) &&
           std::all_of(solids.begin(), solids.end(),
                       [&](const RegionSolid& s) { return calc_implicit(*s.shape, s.X_SF * p) <= 0; });
  }
  /// A slab across `axis` is also empty if all its quarters are, or their quarters.
  bool is_empty_slab(const Cube& slab, int axis, int depth) const {
    if (is_empty_at_once(slab)) return true;
    if (depth == 0) return false;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const Vec3 m = slab.centre();
    for (int quarter = 0; quarter < 4; ++quarter) {
      Cube part = slab;
      (quarter & 1 ? part.lower : part.upper)[u] = m[u];
      (quarter & 2 ? part.lower : part.upper)[v] = m[v];
      if (!is_empty_slab(part, axis, depth - 1)) return false;
    }
    return true;
  }
};

/// Drops surfaces that the whole cube lies inside of.
void cull(std::vector<RegionSurface>& surfaces, const Cube& cube) {
  const Vec3 m = cube.centre(), h = 1.001 * cube.half();
  std::erase_if(surfaces, [&](const RegionSurface& surface) { return calc_range(surface.f, m, h).high < 0; });
}

/// Cuts off slabs that are proved empty: on each side half of the cube as long as that succeeds, then a quarter, down
/// to the part `least`.
void shave(Prover& prover, Cube& cube, double least) {
  double part[6] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  // Near the apex of a cone only small boxes can be told apart from its other half.
  const bool has_apex = std::any_of(prover.surfaces.begin(), prover.surfaces.end(),
                                    [](const RegionSurface& surface) { return surface.apex.has_value(); });
  const int depth = has_apex ? 4 : 2;
  for (int round = 0; round < 200; ++round) {
    bool busy = false;
    for (int k = 0; k < 6; ++k) {
      if (part[k] < least) continue;
      busy = true;
      const int axis = k / 2;
      Cube slab = cube;
      const double width = part[k] * (cube.upper[axis] - cube.lower[axis]);
      if (k % 2 == 0)
        slab.upper[axis] = cube.lower[axis] + width;
      else
        slab.lower[axis] = cube.upper[axis] - width;
      if (!prover.is_empty_slab(slab, axis, depth))
        part[k] *= 0.5;
      else if (k % 2 == 0)
        cube.lower[axis] = slab.upper[axis];
      else
        cube.upper[axis] = slab.lower[axis];
    }
    if (!busy) return;
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

/// The surface seen from frame G; that of a cone about its apex: near it nothing cancels.
RegionSurface calc_transformed(const RegionSurface& surface, const Transform& X_GA) {
  RegionSurface result = surface;
  result.f = calc_transformed(surface.f, X_GA);
  if (surface.apex) {
    const Vec3 apex = X_GA * *surface.apex;
    result.apex = apex, result.f.b = -result.f.A * apex, result.f.c = apex.dot(result.f.A * apex);
  }
  return result;
}

Prover make_prover(const RegionPiece& a, const RegionPiece& b, const Transform& X_FA) {
  Prover prover;
  for (const RegionPiece* piece : {&a, &b}) {
    for (const RegionSurface& surface : piece->surfaces) prover.surfaces.push_back(calc_transformed(surface, X_FA));
    if (piece->solid) prover.solids.push_back({piece->solid, (X_FA * piece->X_AS).inverse(), piece->of_b});
  }
  return prover;
}

/// f(centre + diag(half) u), scaled by its largest coefficient.
RegionSurface calc_in_cube(const RegionSurface& surface, const Vec3& centre, const Vec3& half) {
  const Quadric& f = surface.f;
  RegionSurface unit = surface;
  Quadric& g = unit.f;
  g = {half.asDiagonal() * f.A * half.asDiagonal(), half.cwiseProduct(f.A * centre + f.b), f.value(centre)};
  if (surface.apex) {
    const Vec3 d = centre - *surface.apex, Ad = f.A * d;
    g.b = half.cwiseProduct(Ad), g.c = d.dot(Ad);
    const double reach = d.norm() + half.norm();
    unit.rounding = calc_rounding_at_apex(surface, reach, reach);
  }
  const double size = std::max({g.A.cwiseAbs().maxCoeff(), 2 * g.b.cwiseAbs().maxCoeff(), 1e-300});
  g.A /= size, g.b /= size, g.c /= size, unit.rounding /= size;
  return unit;
}

/// Whether a surface of A (or of B) lies along the chords, or nearly so.
bool has_upright(const UnitRegion& region, bool of_b) {
  return std::any_of(region.surfaces.begin(), region.surfaces.end(), [&](const RegionSurface& s) {
    return s.of_b == of_b && s.f.A.col(2).cwiseAbs().maxCoeff() < 1e-5 && std::abs(s.f.b.z()) < 1e-5;
  });
}

/// One point in each connected part of the boxes that may hold some of the region.
class SeedFinder {
 public:
  SeedFinder(const Prover& prover, const Cube& cube) : prover_(prover), cube_(cube) { explore(cube, 0, 0, 0, n); }
  std::vector<Vec3> find() {
    std::vector<Vec3> seeds;
    for (int i = 0; i < n * n * n; ++i) {
      if (!open_[i]) continue;
      if (const std::optional<Vec3> seed = find_inside(take_part(i))) seeds.push_back(*seed);
    }
    return seeds;
  }

 private:
  static constexpr int n = 16;
  static int index(int i, int j, int k) { return (i * n + j) * n + k; }
  Cube make_cube(int i, int j, int k, int size) const {
    const Vec3 step = (cube_.upper - cube_.lower) / n;
    return {cube_.lower + step.cwiseProduct(Vec3(i, j, k)),
            cube_.lower + step.cwiseProduct(Vec3(i + size, j + size, k + size))};
  }
  void explore(const Cube& box, int i, int j, int k, int size) {
    if (prover_.is_empty_at_once(box)) return;
    if (size == 1) {
      open_[index(i, j, k)] = true;
      return;
    }
    const int half = size / 2;
    for (int part = 0; part < 8; ++part) {
      const int pi = i + (part & 1 ? half : 0), pj = j + (part & 2 ? half : 0), pk = k + (part & 4 ? half : 0);
      explore(make_cube(pi, pj, pk, half), pi, pj, pk, half);
    }
  }
  /// The open boxes connected with one, which are closed.
  std::vector<int> take_part(int start) {
    std::vector<int> part = {start};
    open_[start] = false;
    for (std::size_t next = 0; next < part.size(); ++next) {
      const int at[3] = {part[next] / (n * n), part[next] / n % n, part[next] % n};
      for (int axis = 0; axis < 3; ++axis)
        for (int step : {-1, 1}) {
          int to[3] = {at[0], at[1], at[2]};
          to[axis] += step;
          if (to[axis] < 0 || to[axis] >= n || !open_[index(to[0], to[1], to[2])]) continue;
          open_[index(to[0], to[1], to[2])] = false;
          part.push_back(index(to[0], to[1], to[2]));
        }
    }
    return part;
  }
  /// The middle of a box, or of one of its parts, that lies in the region: boxes are halved until one is found, all of
  /// them are proved empty, or they are too many.
  std::optional<Vec3> find_inside(const std::vector<int>& part) const {
    constexpr std::size_t max_boxes = 3000;
    std::vector<Cube> boxes, halved;
    for (int box : part) boxes.push_back(make_cube(box / (n * n), box / n % n, box % n, 1));
    for (int depth = 0; depth < 7 && !boxes.empty() && boxes.size() < max_boxes; ++depth) {
      for (const Cube& box : boxes)
        if (prover_.is_inside(box.centre())) return box.centre();
      halved.clear();
      for (const Cube& box : boxes)
        for (int k = 0; k < 8; ++k) {
          const Vec3 m = box.centre();
          Cube child = box;
          for (int axis = 0; axis < 3; ++axis) (k >> axis & 1 ? child.lower : child.upper)[axis] = m[axis];
          if (!prover_.is_empty_at_once(child)) halved.push_back(child);
        }
      boxes.swap(halved);
    }
    return {};
  }

  const Prover& prover_;
  Cube cube_;
  std::vector<bool> open_ = std::vector<bool>(n * n * n, false);
};

/// The region in the frame with axes R about the centre of a box in the frame of A that holds it.
UnitRegion make_region_along(const RegionPiece& a, const RegionPiece& b, const Cube& box, const Mat3& R) {
  UnitRegion region;
  const Transform X_AF{R, box.centre()};
  const Vec3 half = R.transpose().cwiseAbs() * box.half();
  Prover prover = make_prover(a, b, X_AF.inverse());
  Cube cube{-half, half};
  cull(prover.surfaces, cube);
  if (prover.is_empty_at_once(cube)) return region;
  shave(prover, cube, 0.125);
  // A little wider, so that no surface lies in a face of the cube.
  region.X_AF = X_AF;
  region.centre = cube.centre();
  region.half = 1.0001 * cube.half();
  if (!prover.solids.empty())
    for (const Vec3& seed : SeedFinder(prover, cube).find())
      region.seeds.push_back((seed - region.centre).cwiseQuotient(region.half));
  region.solids = std::move(prover.solids);
  cull(prover.surfaces, {region.centre - region.half, region.centre + region.half});
  for (const RegionSurface& surface : prover.surfaces)
    region.surfaces.push_back(calc_in_cube(surface, region.centre, region.half));
  region.empty = false;
  return region;
}

}  // namespace

std::vector<RegionPiece> calc_pieces(const Shape& shape, const Transform& X_AS, bool of_b) {
  const auto make_piece = [&](const std::vector<Quadric>& own, const std::vector<Quadric>& cuts) {
    RegionPiece piece;
    piece.X_AS = X_AS, piece.of_b = of_b;
    // What lies in the body is no farther from the origin of A than this.
    const double distance = X_AS.p.norm();
    for (const Quadric& f : own)
      piece.surfaces.push_back({calc_transformed(f, X_AS), of_b, calc_rounding(shape, f, distance)});
    for (const Quadric& f : cuts)
      piece.surfaces.push_back({calc_transformed(f, X_AS), false, calc_rounding(shape, f, distance)});
    return piece;
  };
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    std::vector<RegionPiece> pieces;
    const double end = 0.5 * capsule->length;
    const Quadric side = calc_constraints(Cylinder{capsule->radius, capsule->length, capsule->axis})[0];
    const Quadric top = make_plane_quadric(capsule->axis, end), bottom = make_plane_quadric(-capsule->axis, end);
    const Quadric ball = calc_constraints(Sphere{capsule->radius})[0];
    pieces.push_back(make_piece({side}, {top, bottom}));
    pieces.push_back(
        make_piece({calc_transformed(ball, {Mat3::Identity(), end * capsule->axis})}, {calc_complement(top)}));
    pieces.push_back(
        make_piece({calc_transformed(ball, {Mat3::Identity(), -end * capsule->axis})}, {calc_complement(bottom)}));
    return pieces;
  }
  RegionPiece piece = make_piece(calc_constraints(shape), {});
  if (const auto* cone = std::get_if<Cone>(&shape); cone && cone->top_radius == 0)
    for (RegionSurface& surface : piece.surfaces)
      if (!surface.f.is_flat()) surface.apex = X_AS * Vec3(cone->height * cone->axis);
  if (needs_ray_roots(shape)) piece.solid = &shape;
  return {piece};
}

UnitRegion make_unit_region(const RegionPiece& a, const RegionPiece& b, const Bounds& common, const Vec3& normal_A,
                            const Vec3& tilt) {
  UnitRegion region;
  // First along the axes of A, to learn where the region is; then along its own.
  Prover prover = make_prover(a, b, {});
  Cube cube{common.lower, common.upper};
  cull(prover.surfaces, cube);
  if (prover.is_empty_at_once(cube)) return region;
  shave(prover, cube, 0.25);
  const Vec3 found = cube.centre();
  const Leading la = find_leading(a, found), lb = find_leading(b, found);
  Vec3 normal = normal_A;
  if (normal.isZero(0)) normal = la.normal - lb.normal;
  if (normal.norm() < 1e-3) normal = la.normal;
  if (normal.isZero(0)) normal = Vec3::UnitZ();
  // Origin in the middle of what was found.
  Mat3 R = make_frame(normal.normalized(), la.curvature + lb.curvature);
  if (tilt != Vec3::UnitZ()) R = make_frame((R * tilt).normalized(), la.curvature + lb.curvature);
  region = make_region_along(a, b, cube, R);
  for (int attempt = 1; attempt <= 3 && !region.empty && has_upright(region, false) && has_upright(region, true);
       ++attempt) {
    const Vec3 tilted = R * Vec3(0.31 / attempt, 0.17 * attempt, 1);
    region = make_region_along(a, b, cube, make_frame(tilted.normalized(), la.curvature + lb.curvature));
  }
  region.surface_of_b = !has_upright(region, true);
  return region;
}

}  // namespace stiction
