#pragma once

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/closest/closest_body.h"
#include "stiction/geometry/closest/closest_kkt.h"

namespace stiction {

/// Closest points of any two convex bodies in the work frame. Three phases: a global one on the support maps (GJK
/// apart, an expanding polytope in overlap), Newton's method on the features it points to (closest_kkt.h), and the
/// certificate, which decides. If no set of features gives it, the global phase goes on to full precision, where its
/// own bound (1) of closest_gjk.h and closest_epa.h is the certificate.
ClosestPoints solve_convex(const CoreBody& A, const CoreBody& B, ClosestCache* cache);

/// Shapes' closest points from those of their cores, with residual and certificate.
ClosestPoints make_certified(const CoreBody& A, const CoreBody& B, const KktPoint& cores);

/// The result of B and A as that of A and B.
inline ClosestPoints calc_swapped(ClosestPoints r) {
  std::swap(r.point_a, r.point_b);
  r.normal = -r.normal;
  return r;
}
/// A result in frame F, in W.
inline ClosestPoints calc_in_world(ClosestPoints r, const Transform& X_WF) {
  r.point_a = X_WF * r.point_a;
  r.point_b = X_WF * r.point_b;
  r.normal = X_WF.R * r.normal;
  return r;
}

/// The two feature lists from which Newton's method may start.
struct FeaturePair {
  FeatureList a, b;
};
/// Newton's method on all pairs of features from `start`, dropping constraints whose multipliers come out negative and
/// adding those of cells that the point violates, as active-set methods do. `certify` turns the point of the cores into
/// a measured result; the first certified one is returned, else that of smallest residual.
template <class Certify>
ClosestPoints polish(const FeaturePair& features, const KktPoint& start, double length, Certify&& certify) {
  ClosestPoints best;
  best.residual = 1e300;
  for (int i = 0; i < features.a.count; ++i)
    for (int j = 0; j < features.b.count; ++j) {
      Feature a = features.a.items[i], b = features.b.items[j];
      for (int changes = 0; changes < 6; ++changes) {
        KktPoint point = start;
        solve_kkt(a, b, length, point);
        const ClosestPoints trial = certify(point);
        if (trial.residual < best.residual) best = trial;
        if (best.certified) return best;
        const bool dropped_a = drop_negative(a, point.lambda_a), dropped_b = drop_negative(b, point.lambda_b);
        if (dropped_a || dropped_b) continue;
        if (!(point.residual < 1e-9)) break;
        const bool added_a = add_violated(a, point.x, 1e-13 * length),
                   added_b = add_violated(b, point.y, 1e-13 * length);
        if (!added_a && !added_b) break;
      }
    }
  return best;
}

}  // namespace stiction
