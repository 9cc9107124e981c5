#include "stiction/geometry/volume/volume_chords.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_breaks.h"
#include "stiction/geometry/volume/volume_quadrature.h"
#include "stiction/geometry/volume/volume_ray.h"
#include "stiction/geometry/volume/volume_slice.h"

namespace stiction {
namespace {

/// Breaks with pieces graded towards short neighbours: what makes a piece end soon makes the next one steep there.
std::vector<double> calc_graded(const std::vector<double>& breaks) {
  std::vector<double> graded;
  for (std::size_t k = 0; k < breaks.size(); ++k) {
    graded.push_back(breaks[k]);
    if (k + 1 == breaks.size()) break;
    const double a = breaks[k], b = breaks[k + 1], width = b - a;
    const double before = k > 0 ? a - breaks[k - 1] : width, after = k + 2 < breaks.size() ? breaks[k + 2] - b : width;
    std::vector<double> right;
    if (before > 1e-6)
      for (double step = 3 * before; step < 0.3 * width; step *= 5) graded.push_back(a + step);
    if (after > 1e-6)
      for (double step = 3 * after; step < 0.3 * width; step *= 5) right.push_back(b - step);
    graded.insert(graded.end(), right.rbegin(), right.rend());
  }
  return graded;
}

/// Sums over the unit region in the frame of A about its centre; the last entry estimates the volume's error.
SliceSums integrate_region(const UnitRegion& region, double accuracy, bool& complete) {
  Slice slice(region);
  BreakFinder finder(region, slice, accuracy);
  // (Sampled slices are dear, and the creases of solids are breaks: no grading there.)
  const std::vector<double> breaks = region.solids.empty() ? calc_graded(finder.find()) : finder.find();
  complete = finder.complete();
  // One slice of each piece, to learn the size of the whole: small pieces need not be accurate in themselves.
  std::vector<double> areas;
  std::vector<std::size_t> looks;
  double largest_area = 0, whole = 0;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    slice.set(0.5 * (breaks[k] + breaks[k + 1]));
    areas.push_back(slice.empty() ? 0 : slice.calc_sums(1e-2, 0)[0]);
    looks.push_back(slice.signature());
    largest_area = std::max(largest_area, areas[k]), whole += areas[k] * (breaks[k + 1] - breaks[k]);
  }
  SliceSums total = SliceSums::Zero();
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    const double a = breaks[k], b = breaks[k + 1];
    if (!(b - a > 1e-13) || areas[k] == 0) continue;
    slice.expect(looks[k]);
    const auto area = [&](double x) {
      slice.set(x);
      // Slices small against the largest need not be more accurate than that one.
      SliceSums sums = slice.calc_sums(0.1 * accuracy, 0.01 * largest_area);
      largest_area = std::max(largest_area, sums[0]);
      return sums;
    };
    const auto enough = [&](double V) { return 0.8 * accuracy * std::max(V, 0.02 * whole); };
    const auto q = region.solids.empty() ? integrate_smooth<SliceSums, 20, 64>(area, {a, b}, enough)
                                         : integrate_smooth<SliceSums, 10, 64>(area, {a, b}, enough);
    total += q.sums;
    total[16] += q.error;
  }
  return total;
}

/// From the unit cube to lengths: volume sums about the cube's centre along F.
RegionSums calc_scaled_sums(const SliceSums& unit, const Vec3& h) {
  const double det = h.prod();
  RegionSums sums = unit.head<16>();
  sums[0] *= det;
  for (int i = 0; i < 3; ++i) sums[1 + i] *= det * h[i], sums[4 + i] *= det * h[i] * h[i];
  sums[7] *= det * h.x() * h.y(), sums[8] *= det * h.y() * h.z(), sums[9] *= det * h.z() * h.x();
  return sums;
}

/// Whether every place where slices change is known beforehand: one curved surface and planes, or a single edge.
bool is_simple(const UnitRegion& region) {
  const auto curved = std::count_if(region.surfaces.begin(), region.surfaces.end(),
                                    [](const RegionSurface& surface) { return !surface.f.is_flat(); });
  return region.solids.empty() && (curved < 2 || region.surfaces.size() == 2);
}

/// What rounding of the surfaces' coefficients may change the volume by: much where a shallow region lies far from the
/// bodies' centres, or at the apex of a cone, where f is small and quadratic. A surface is moved by its rounding over
/// its slope; relative to the mean chord that is the change of the volume, for a surface along the chords relative to
/// the region's least width. Widths from the second moments, the slope with its change over them.
double calc_rounding_error(const UnitRegion& region, const SliceSums& unit) {
  const double V = unit[0];
  const Vec3 middle = unit.segment<3>(1) / V;
  const Vec3 variance = (Vec3(unit.segment<3>(4) / V) - middle.cwiseAbs2()).cwiseMax(1e-30);
  const double xy = unit[7] / V - middle.x() * middle.y();
  // The ellipse of these second moments has the area 4 pi sqrt(det).
  const double patch = 4 * std::numbers::pi * std::sqrt(std::max(variance.x() * variance.y() - xy * xy, 1e-60));
  const double chord = V / patch;
  const Vec3 width = 2 * variance.cwiseSqrt();
  double relative = 0;
  for (const RegionSurface& surface : region.surfaces) {
    const Vec3 change = 2 * (surface.f.A * width.asDiagonal()).rowwise().norm();
    const Vec3 slope = (surface.f.gradient(middle).cwiseAbs2() + change.cwiseAbs2()).cwiseSqrt();
    const bool upright = slope.z() < 0.1 * slope.norm();
    double rounding = surface.rounding;
    if (surface.apex) {
      // That was over the cube's reach from the apex, not the region's.
      const Vec3 d = region.centre - *surface.apex;
      const double reach = (d + region.half.cwiseProduct(middle)).norm() + region.half.cwiseProduct(width).norm();
      rounding *= std::min(1.0, reach / (d.norm() + region.half.norm()));
    }
    relative += rounding / (upright ? slope.norm() * width.minCoeff() : slope.z() * chord);
  }
  for (const RegionSolid& solid : region.solids) {
    const double distance = region.X_AF.p.norm() + calc_size(*solid.shape);
    relative += 1e-15 * distance / (region.half.z() * chord);
  }
  return relative * V;
}

/// The sums of all parts about one point near the region.
struct PairSums {
  RegionSums sums = RegionSums::Zero();
  Vec3 origin = Vec3::Zero();
  double error = 0;  ///< of the volume, estimated [m^3]
  bool simple = true;
  bool proved_empty = true;  ///< by interval bounds
};
/// What is integrated, in the frame of A.
struct PairPieces {
  std::vector<RegionPiece> a, b;
  Bounds common;             ///< the boxes of both
  std::optional<Vec3> seed;  ///< a point of the region
  RegionOptions options;
};
PairSums integrate_pair(const PairPieces& pair, const Vec3& tilt) {
  PairSums total;
  for (const RegionPiece& a : pair.a)
    for (const RegionPiece& b : pair.b) {
      UnitRegion region = make_unit_region(a, b, pair.common, pair.options.normal, tilt);
      if (region.empty) continue;
      total.proved_empty = false;
      if (pair.seed) {
        const Vec3 u = (region.X_AF.inverse() * *pair.seed - region.centre).cwiseQuotient(region.half);
        if (u.cwiseAbs().maxCoeff() < 1) region.seeds.push_back(u);
      }
      bool complete = false;
      // Error estimates hold less well where breaks are sampled.
      const double safety = region.solids.empty() ? 1 : 0.3;
      const SliceSums unit = integrate_region(region, safety * pair.options.accuracy, complete);
      total.simple = total.simple && complete && is_simple(region);
      if (!(unit[0] > 0)) continue;
      Transform X_AC = region.X_AF;  // C: axes of F, origin in the centre of the cube
      X_AC.p = region.X_AF * region.centre;
      if (total.sums[0] == 0) total.origin = X_AC.p;
      X_AC.p -= total.origin;
      total.sums += calc_transformed(calc_scaled_sums(unit, region.half), X_AC);
      total.error += (unit[16] + calc_rounding_error(region, unit)) * region.half.prod();
    }
  return total;
}

/// Integrates along a second direction where a place at which slices change may have been missed, and along others
/// until two of them agree; the error then is at least the difference of those two.
PairSums integrate_verified(const PairPieces& pair) {
  const Vec3 tilts[4] = {Vec3::UnitZ(), Vec3(0.32, 0.21, 0.92), Vec3(-0.53, 0.61, 0.59), Vec3(0.71, -0.43, 0.55)};
  // Sampled slices may miss the same part in two directions, the more likely the larger their difference.
  const bool sampled = pair.a[0].solid || pair.b[0].solid;
  const double agreement = (sampled ? 0.2 : 1) * pair.options.accuracy;
  PairSums tries[4], best;
  best.proved_empty = false;
  double least = HUGE_VAL;
  for (int k = 0; k < 4; ++k) {
    tries[k] = integrate_pair(pair, tilts[k]);
    if (k == 0 && tries[0].simple) return tries[0];
    for (int m = 0; m < k; ++m) {
      const double difference = std::abs(tries[k].sums[0] - tries[m].sums[0]);
      if (difference >= least) continue;
      // What is missed is lost as a rule: the larger one.
      least = difference, best = tries[k].sums[0] > tries[m].sums[0] ? tries[k] : tries[m];
      best.error = std::max(best.error, difference);
    }
    if (k > 0 && best.error <= pair.options.accuracy * best.sums[0] && least <= agreement * best.sums[0]) break;
  }
  return best;
}

/// Where parts may have been missed: a result outside certified bounds gives way to the octree's.
void check_against_bounds(const Shape& A, const Shape& B, const Transform& X_AB, const RegionOptions& options,
                          InterferenceRegion& result) {
  constexpr long max_cells = 4000;
  const VolumeBounds bounds = calc_interference_bounds(A, {}, B, X_AB, options.accuracy, max_cells);
  const double slack = std::max(result.error, options.accuracy) * result.volume;
  if (result.volume + slack >= bounds.lower && result.volume - slack <= bounds.upper) return;
  result = bounds.middle;
  result.converged = result.error <= options.accuracy;
}

}  // namespace

InterferenceRegion calc_interference_by_chords(const Shape& A, const Shape& B, const Transform& X_AB,
                                               const RegionOptions& options) {
  const Bounds box_a = calc_bounds(A, {}), box_b = calc_bounds(B, X_AB);
  const Bounds common{box_a.lower.cwiseMax(box_b.lower), box_a.upper.cwiseMin(box_b.upper)};
  if (!(common.lower.array() < common.upper.array()).all()) return make_empty_region(RegionMethod::none);
  PairPieces pair{calc_pieces(A, {}, false), calc_pieces(B, X_AB, true), common, {}, options};
  ClosestPoints closest;
  if (needs_ray_roots(A) || needs_ray_roots(B)) {
    // Where slices are sampled only, the closest points tell where to look. That a gap is the smallest is sure for
    // convex bodies only.
    closest = calc_closest(A, {}, B, X_AB);
    const bool overlaps = closest.certified && closest.gap < 0;
    if (closest.certified && !overlaps && is_convex(A) && is_convex(B)) return make_empty_region(RegionMethod::none);
    if (overlaps) pair.seed = 0.5 * (closest.point_a + closest.point_b);
    if (overlaps && pair.options.normal.isZero(0)) pair.options.normal = closest.normal;
  }
  const PairSums total = integrate_verified(pair);
  InterferenceRegion result = calc_region(total.sums, {Mat3::Identity(), total.origin});
  result.method = RegionMethod::chords;
  if (total.sums[0] > 0) result.error = total.error / total.sums[0];
  result.converged = result.error <= options.accuracy;
  if (!total.simple) check_against_bounds(A, B, X_AB, options, result);
  if (result.volume == 0 && !total.proved_empty) {
    // Nothing was found; is anything there?
    if (!needs_ray_roots(A) && !needs_ray_roots(B)) closest = calc_closest(A, {}, B, X_AB);
    if (closest.certified && closest.gap < -1e-14 * (calc_size(A) + calc_size(B)))
      result.converged = false, result.error = 1;
  }
  return result;
}

}  // namespace stiction
