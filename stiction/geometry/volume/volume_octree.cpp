#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/interference.h"
#include "stiction/geometry/volume/volume_moments.h"
#include "stiction/geometry/volume/volume_range.h"

namespace stiction {
namespace {

struct OctreeSurface {
  Quadric f;
  double rounding;  ///< of its values
};
/// A shape in the octree's frame F: surfaces, or a solid that is no intersection of quadrics.
struct OctreeBody {
  std::vector<OctreeSurface> surfaces;
  const Shape* shape = nullptr;
  Transform X_SF;
};

OctreeBody make_body(const Shape& shape, const Transform& X_FS) {
  OctreeBody body{{}, &shape, X_FS.inverse()};
  for (const Quadric& constraint : calc_constraints(shape)) {
    const double rounding = calc_rounding(shape, constraint, X_FS.p.norm());
    body.surfaces.push_back({calc_transformed(constraint, X_FS), rounding});
  }
  return body;
}

/// Bounds of the part of a cell that lies inside something, relative to the cell.
struct Share {
  double low = 1, high = 1;
};

/// Share of the box |e_i| <= h_i with g'e <= t, a_i = |g_i| h_i; exact but for the directions in which the plane is
/// nearly parallel to an edge: there it is moved to the safe side (sign = -1: a lower bound, +1: an upper bound).
double calc_cut_share(Vec3 a, double t, double sign) {
  std::sort(a.begin(), a.end());
  int first = 0;
  for (; first < 2 && a[first] < 1e-3 * a[2]; ++first) t += sign * a[first];
  if (t >= a.tail(3 - first).sum()) return 1;
  if (t <= -a.tail(3 - first).sum()) return 0;
  if (a[2] == 0) return t >= 0 ? 1 : 0;
  // (1 / (n! 2^n prod a)) sum over corners of (-1)^k max(0, t + s.a)^n, k the number of minus signs
  const int n = 3 - first;
  double sum = 0, scale = 1;
  for (int corner = 0; corner < 1 << n; ++corner) {
    double reach = t, parity = 1;
    for (int i = 0; i < n; ++i) {
      const bool minus = corner >> i & 1;
      reach += minus ? -a[first + i] : a[first + i];
      if (minus) parity = -parity;
    }
    if (reach > 0) sum += parity * (n == 3 ? reach * reach * reach : n == 2 ? reach * reach : reach);
  }
  for (int i = 0; i < n; ++i) scale *= 2 * a[first + i] * (i + 1);
  return std::clamp(sum / scale, 0.0, 1.0);
}

/// The quadric lies between two planes g'e + f(m) + [least, most of e'A e].
Share calc_share(const OctreeSurface& surface, const Vec3& m, const Vec3& h) {
  const Quadric& f = surface.f;
  const ValueRange range = calc_range(f, m, h);
  const double rounding = 1e-13 * (std::abs(range.low) + std::abs(range.high)) + surface.rounding;
  if (range.low > rounding) return {0, 0};
  if (range.high <= -rounding) return {1, 1};
  const Mat3& A = f.A;
  const double mixed =
      2 * (std::abs(A(0, 1)) * h[0] * h[1] + std::abs(A(1, 2)) * h[1] * h[2] + std::abs(A(2, 0)) * h[2] * h[0]);
  double least = -mixed - rounding, most = mixed + rounding;
  for (int i = 0; i < 3; ++i) (A(i, i) < 0 ? least : most) += A(i, i) * h[i] * h[i];
  const double value = f.value(m);
  const Vec3 a = f.gradient(m).cwiseAbs().cwiseProduct(h);
  return {calc_cut_share(a, -value - most, -1), calc_cut_share(a, -value - least, 1)};
}

/// A cell is in the body as much as it is in all surfaces: at least what their lacks leave over.
Share calc_share(const OctreeBody& body, const Vec3& m, const Vec3& h) {
  Share share;
  if (body.surfaces.empty()) {
    const ValueRange range = calc_range(*body.shape, body.X_SF * m, body.X_SF.R, h);
    const double rounding = 1e-13 * (std::abs(range.low) + std::abs(range.high));
    if (range.high <= -rounding) return {1, 1};
    if (range.low > rounding) return {0, 0};
    const LinearBound plane = calc_lower_plane(*body.shape, body.X_SF * m, h);
    const Vec3 a = (body.X_SF.R.transpose() * plane.gradient).cwiseAbs().cwiseProduct(h);
    return {0, calc_cut_share(a, rounding - plane.value, 1)};
  }
  for (const OctreeSurface& surface : body.surfaces) {
    const Share one = calc_share(surface, m, h);
    share.low = std::max(0.0, share.low - (1 - one.low));
    share.high = std::min(share.high, one.high);
    if (share.high == 0) return {0, 0};
  }
  return share;
}

/// Sums of a box m +- h, filled to a share.
RegionSums calc_box_sums(const Vec3& m, const Vec3& h, double share) {
  const double V = 8 * h.prod() * share;
  return make_sums(V, V * m, V * (m * m.transpose() + Mat3((h.cwiseAbs2() / 3).asDiagonal())));
}

}  // namespace

VolumeBounds calc_interference_bounds(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                                      double accuracy, long max_cells) {
  VolumeBounds result;
  result.middle.method = RegionMethod::octree;
  // Along the axes of a superquadric if there is one: its bounds are exact there.
  const bool along_b = std::holds_alternative<Superquadric>(B);
  const Transform& X_WF = along_b ? X_WB : X_WA;
  const Transform X_FA{X_WF.R.transpose() * X_WA.R, X_WF.R.transpose() * (X_WA.p - X_WF.p)};
  const Transform X_FB{X_WF.R.transpose() * X_WB.R, X_WF.R.transpose() * (X_WB.p - X_WF.p)};
  const Bounds box_a = calc_bounds(A, X_FA), box_b = calc_bounds(B, X_FB);
  const Vec3 lower = box_a.lower.cwiseMax(box_b.lower), upper = box_a.upper.cwiseMin(box_b.upper);
  if (!(is_bounded(A) || is_bounded(B))) {
    result.upper = HUGE_VAL;
    result.middle.converged = false;
    return result;
  }
  if (!(lower.array() < upper.array()).all()) return result;
  // A little wider than the boxes, whose rounding is not certified.
  const Vec3 middle = 0.5 * (lower + upper);
  const OctreeBody a = make_body(A, {X_FA.R, X_FA.p - middle}), b = make_body(B, {X_FB.R, X_FB.p - middle});
  const double rounding = 1e-15 * (X_FA.p.norm() + X_FB.p.norm() + lower.norm() + upper.norm());
  Vec3 h = (0.5 * (1 + 1e-12) * (upper - lower)).array() + rounding;
  struct OpenCell {
    Vec3 m;
    Share share;
  };
  std::vector<OpenCell> open = {{Vec3::Zero(), {0, 1}}}, next;
  RegionSums inside = RegionSums::Zero();
  double open_low = 0, open_high = 8 * h.prod();
  while (true) {
    result.lower = inside[0] + open_low, result.upper = inside[0] + open_high;
    const bool enough = result.upper - result.lower <= accuracy * result.upper;
    if (enough || open.empty() || result.cells + 8 * static_cast<long>(open.size()) > max_cells) break;
    h *= 0.5;
    next.clear();
    open_low = open_high = 0;
    const double V = 8 * h.prod();
    for (const OpenCell& parent : open)
      for (int i = 0; i < 8; ++i) {
        const Vec3 m = parent.m + h.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
        ++result.cells;
        const Share in_a = calc_share(a, m, h);
        if (in_a.high == 0) continue;
        const Share in_b = calc_share(b, m, h);
        const Share share{std::max(0.0, in_a.low + in_b.low - 1), std::min(in_a.high, in_b.high)};
        if (share.high == 0) continue;
        if (share.low == 1) {
          inside += calc_box_sums(m, h, 1);
        } else {
          open_low += V * share.low, open_high += V * share.high;
          next.push_back({m, share});
        }
      }
    open.swap(next);
  }
  for (const OpenCell& cell : open) inside += calc_box_sums(cell.m, h, 0.5 * (cell.share.low + cell.share.high));
  result.middle = calc_region(inside, {X_WF.R, X_WF * middle});
  result.middle.method = RegionMethod::octree;
  result.middle.error = result.upper > 0 ? (result.upper - result.lower) / result.upper : 0;
  result.middle.converged = result.middle.error <= accuracy;
  return result;
}

}  // namespace stiction
