#include "stiction/geometry/closest_convex.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/closest_epa.h"
#include "stiction/geometry/closest_residual.h"

namespace stiction {
namespace {

/// The feature without its most negative multiplier; false if there is none.
bool drop_negative(Feature& feature, const std::array<double, 3>& lambda) {
  if (feature.kind != Feature::Kind::surfaces || feature.two_sided || feature.count < 2) return false;
  const int worst = static_cast<int>(std::min_element(lambda.begin(), lambda.begin() + feature.count) - lambda.begin());
  if (!(lambda[worst] < -1e-9)) return false;
  for (int k = worst; k + 1 < feature.count; ++k) {
    feature.surfaces[k] = feature.surfaces[k + 1];
    feature.ids[k] = feature.ids[k + 1];
  }
  --feature.count;
  return true;
}

const ClosestPoints& better(const ClosestPoints& a, const ClosestPoints& b) {
  return b.residual < a.residual ? b : a;
}

KktPoint make_start(const GlobalSolution& s) {
  KktPoint start;
  start.x = s.x;
  start.y = s.y;
  start.n = s.normal;
  start.phi = s.gap;
  return start;
}

/// The global phase's own points with its normal, as they are.
ClosestPoints take(const ConvexBody& A, const ConvexBody& B, const GlobalSolution& s) {
  KktPoint p = make_start(s);
  p.phi = p.n.dot(p.y - p.x);
  return make_certified(A, B, p);
}

ClosestPoints solve_apart(const ConvexBody& A, const ConvexBody& B, const GlobalSolution& first) {
  const double size = A.size + B.size;
  ClosestPoints best = polish(A, B, make_start(first));
  if (best.certified) return best;
  const GlobalSolution precise = solve_gjk(A, B, first.normal, 1e-14 * size);
  best = better(best, take(A, B, precise));
  if (best.certified) return best;
  return better(best, polish(A, B, make_start(precise)));
}

ClosestPoints solve_overlap(const ConvexBody& A, const ConvexBody& B) {
  const double size = A.size + B.size;
  PolytopeExpansion expansion(A, B);
  ClosestPoints best;
  best.residual = 1e300;
  for (double share : {1e-2, 1e-4, 1e-6, 1e-8, 1e-11, 2e-13}) {
    const GlobalSolution s = expansion.expand(share * size);
    if (s.normal.isZero(0)) break;
    ClosestPoints trial = take(A, B, s);
    if (!trial.certified) trial = better(trial, polish(A, B, make_start(s)));
    trial.iterations = s.iterations;
    // Of two certified results the shallower one; a certified one before any other.
    if (trial.certified ? (!best.certified || trial.gap > best.gap) : (!best.certified && trial.residual < best.residual))
      best = trial;
    // No depth below the bound is possible: done when the best is as good as that.
    const double possible = s.bound - A.radius - B.radius;
    if (best.certified && best.gap >= possible - 1e-7 * std::abs(possible) - 1e-10 * size) break;
  }
  return best;
}

}  // namespace

ClosestPoints make_certified(const ConvexBody& A, const ConvexBody& B, const KktPoint& cores) {
  ClosestPoints result;
  result.normal = cores.n;
  result.point_a = cores.x + A.radius * cores.n;
  result.point_b = cores.y - B.radius * cores.n;
  result.gap = cores.phi - A.radius - B.radius;
  result.iterations = cores.iterations;
  const double scale = std::max(A.size + B.size, std::abs(result.gap));
  double error = (result.point_b - result.point_a - result.gap * result.normal).norm();
  if (A.shape) error = std::max(error, calc_side_residual(*A.shape, A.X, result.point_a, result.normal, scale));
  if (B.shape) error = std::max(error, calc_side_residual(*B.shape, B.X, result.point_b, -result.normal, scale));
  result.residual = std::isfinite(error) ? error / scale : 1e300;
  result.certified = result.residual <= kClosestCertificate;
  return result;
}

ClosestPoints polish(const ConvexBody& A, const ConvexBody& B, const KktPoint& start) {
  ClosestPoints best;
  best.residual = 1e300;
  const FeatureList features_a = find_features(A, start.x), features_b = find_features(B, start.y);
  for (int i = 0; i < features_a.count; ++i)
    for (int j = 0; j < features_b.count; ++j) {
      Feature a = features_a.items[i], b = features_b.items[j];
      // Drop what carries nothing, as an active-set method does.
      for (int drops = 0; drops < 4; ++drops) {
        KktPoint point = start;
        solve_kkt(a, b, A.size + B.size, point);
        const ClosestPoints trial = make_certified(A, B, point);
        if (trial.residual < best.residual) best = trial;
        if (best.certified) return best;
        const bool dropped_a = drop_negative(a, point.lambda_a), dropped_b = drop_negative(b, point.lambda_b);
        if (!dropped_a && !dropped_b) break;
      }
    }
  return best;
}

ClosestPoints solve_convex(const ConvexBody& A, const ConvexBody& B, ClosestCache* cache) {
  const double size = A.size + B.size;
  Vec3 direction = B.X.p - A.X.p;
  if (cache && !cache->normal_A.isZero(0)) direction = cache->normal_A;
  if (direction.isZero(0)) direction = Vec3::UnitZ();
  const GlobalSolution global = solve_gjk(A, B, direction, 1e-10 * size);
  ClosestPoints result;
  result.residual = 1e300;
  if (!global.overlap && global.gap > 1e-12 * size) {
    result = solve_apart(A, B, global);
    result.iterations = global.iterations;
  }
  if (!result.certified) result = better(result, solve_overlap(A, B));
  if (cache) cache->normal_A = result.normal;
  return result;
}

}  // namespace stiction
