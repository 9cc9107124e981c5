#include "stiction/geometry/closest/closest_convex.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/closest/closest_epa.h"
#include "stiction/geometry/closest/closest_residual.h"
#include "stiction/geometry/shape/smaller_size.h"

namespace stiction {
namespace {

const ClosestPoints& better(const ClosestPoints& a, const ClosestPoints& b) {
  return b.residual < a.residual ? b : a;
}

/// Newton's method on the features near x and y.
ClosestPoints polish_near(const CoreBody& A, const CoreBody& B, const KktPoint& start) {
  return polish({find_features(A, start.x), find_features(B, start.y)}, start, A.size + B.size,
                [&](const KktPoint& point) { return make_certified(A, B, point); });
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
ClosestPoints take(const CoreBody& A, const CoreBody& B, const GlobalSolution& s) {
  KktPoint p = make_start(s);
  p.phi = p.n.dot(p.y - p.x);
  return make_certified(A, B, p);
}

/// Where a surface is so flat that the normal does not tell its points apart, Newton's point on it may lie outside the
/// other body's face: slide both points along, so that one, then the other, is its body's nearest.
ClosestPoints slide(const CoreBody& A, const CoreBody& B, const ClosestPoints& result) {
  KktPoint p;
  p.n = result.normal;
  p.x = result.point_a - A.radius * p.n;
  p.y = result.point_b + B.radius * p.n;
  p.phi = result.gap + A.radius + B.radius;
  ClosestPoints best = result;
  const auto attempt = [&] {
    best = better(best, make_certified(A, B, p));
    return best.certified;
  };
  for (int pass = 0; pass < 3; ++pass) {
    const Vec3 y = project_on_core(B, p.y).y;
    p.y = y, p.x = y - p.phi * p.n;
    if (attempt()) break;
    const Vec3 x = project_on_core(A, p.x).y;
    p.x = x, p.y = x + p.phi * p.n;
    if (attempt()) break;
  }
  return best;
}

/// Newton's method on all sets of constraints near the points, in the order in which they fit the normal.
ClosestPoints polish_by_normal(const CoreBody& A, const CoreBody& B, const ClosestPoints& near) {
  KktPoint start;
  start.n = near.normal;
  start.x = near.point_a - A.radius * start.n;
  start.y = near.point_b + B.radius * start.n;
  ClosestPoints best = near;
  for (double share : {1e-9, 1e-6, 1e-3}) {
    const FeaturePair pair{find_features_by_normal(A, start.x, start.n, share * A.size),
                           find_features_by_normal(B, start.y, -start.n, share * B.size)};
    best = better(
        best, polish(pair, start, A.size + B.size, [&](const KktPoint& point) { return make_certified(A, B, point); }));
    if (best.certified) break;
  }
  return best;
}

ClosestPoints solve_apart(const CoreBody& A, const CoreBody& B, const GlobalSolution& first) {
  const double size = A.size + B.size;
  ClosestPoints best = polish_near(A, B, make_start(first));
  if (best.certified) return best;
  const GlobalSolution precise = solve_gjk(A, B, first.normal, 1e-15 * size);
  best = better(best, take(A, B, precise));
  if (best.certified) return best;
  return better(best, polish_near(A, B, make_start(precise)));
}

/// Bodies nearly in one axis: solutions form nearly a circle about it, and the way out lies where the axes are apart.
ClosestPoints polish_across(const CoreBody& A, const CoreBody& B) {
  ClosestPoints best;
  best.residual = 1e300;
  const Vec3 between = B.X.p - A.X.p;
  for (int i = 0; i < 6; ++i) {
    const Vec3 axis = i < 3 ? A.X.R.col(i) : B.X.R.col(i - 3);
    const Vec3 across = between - axis.dot(between) * axis;
    const double length = across.norm();
    if (!(length > 1e-14 * (A.size + B.size))) continue;
    KktPoint start;
    start.n = across / length;
    const Vec3 x = A.support(start.n), y = B.support(-start.n);
    start.phi = start.n.dot(y - x);
    // One body's support, and on the other one the point opposite to it.
    for (const bool from_a : {true, false}) {
      start.x = from_a ? x : Vec3(y - start.phi * start.n);
      start.y = from_a ? Vec3(x + start.phi * start.n) : y;
      const ClosestPoints trial = slide(A, B, make_certified(A, B, start));
      if (trial.certified && (!best.certified || trial.gap > best.gap)) best = trial;
    }
  }
  return best;
}

ClosestPoints solve_overlap(const CoreBody& A, const CoreBody& B) {
  const double size = A.size + B.size;
  PolytopeExpansion expansion(A, B);
  ClosestPoints best;
  best.residual = 1e300;
  // Coarse steps by the size of the pair, fine ones by that of the smaller body.
  const double smaller = calc_smaller_size(A.size, B.size);
  double last = 1e300, possible = 1e300;
  ClosestPoints open;
  open.residual = 1e300;
  for (double step : {1e-2 * size, 1e-4 * size, 1e-3 * smaller, 1e-5 * smaller, 1e-7 * smaller, 1e-9 * smaller,
                      1e-11 * smaller, 1e-13 * smaller}) {
    const double tolerance = std::max(step, 1e-15 * size);
    if (tolerance >= last) continue;
    last = tolerance;
    const GlobalSolution s = expansion.expand(tolerance);
    if (s.normal.isZero(0)) break;
    ClosestPoints trial = take(A, B, s);
    if (!trial.certified) trial = better(trial, polish_near(A, B, make_start(s)));
    trial.iterations = s.iterations;
    // Of two certified results the shallower one; a certified one before any other.
    if (trial.certified ? (!best.certified || trial.gap > best.gap)
                        : (!best.certified && trial.residual < best.residual))
      best = trial;
    if (!trial.certified && trial.residual < open.residual) open = trial;
    // No depth below the bound is possible: done when the best is as good as that.
    possible = s.bound - A.radius - B.radius;
    if (best.certified && best.gap >= possible - 1e-7 * std::abs(possible) - 1e-10 * size) return best;
  }
  // A shorter way out may exist: where solutions form a family (bodies of one axis), the expansion runs out of points
  // before it has closed in on them. From the point nearest to it, on the features that fit; else nothing is certain.
  const double too_deep = possible - 1e-3 * std::abs(possible) - 1e-10 * size;
  const auto consider = [&](const ClosestPoints& trial) {
    if (trial.certified && trial.gap > (best.certified ? best.gap : too_deep)) best = trial;
  };
  const ClosestPoints near = slide(A, B, open.residual < best.residual ? open : best);
  consider(near.certified ? near : polish_by_normal(A, B, near));
  consider(polish_across(A, B));
  // By so much it may be too deep: then the residual says so.
  if (best.gap < too_deep) {
    best.certified = false;
    best.residual = std::max(best.residual, (possible - best.gap) / size);
  }
  return best;
}

}  // namespace

ClosestPoints make_certified(const CoreBody& A, const CoreBody& B, const KktPoint& cores) {
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

ClosestPoints solve_convex(const CoreBody& A, const CoreBody& B, ClosestCache* cache) {
  const double size = A.size + B.size;
  Vec3 direction = B.X.p - A.X.p;
  if (cache && !cache->normal_A.isZero(0)) direction = cache->normal_A;
  if (direction.isZero(0)) direction = Vec3::UnitZ();
  // Features of the smaller body must be told apart.
  const double resolved = std::max(1e-10 * calc_smaller_size(A.size, B.size), 1e-15 * size);
  const GlobalSolution global = solve_gjk(A, B, direction, resolved);
  ClosestPoints result;
  result.residual = 1e300;
  if (!global.overlap && global.gap > 1e-12 * size) {
    result = solve_apart(A, B, global);
    result.iterations = global.iterations;
  }
  if (!result.certified) result = better(result, solve_overlap(A, B));
  if (!result.certified && result.residual < 1e-6) {
    result = slide(A, B, result);
    if (!result.certified) result = better(result, polish_by_normal(A, B, result));
  }
  if (cache) cache->normal_A = result.normal;
  return result;
}

}  // namespace stiction
