#include "stiction/geometry/closest/closest_hull.h"

#include "stiction/geometry/closest/closest_convex.h"
#include "stiction/geometry/closest/closest_gjk.h"
#include "stiction/geometry/closest/flat_set.h"
#include "stiction/geometry/closest/hull.h"
#include "stiction/geometry/closest/hull_axis.h"

namespace stiction {
namespace {

constexpr double kSamePlane = 1e-13;    ///< of the pair's size: corners of one extreme plane
constexpr double kSameGap = 1e-14;      ///< of the pair's size: axes as good as each other
constexpr double kNearTouching = 1e-6;  ///< of the pair's size: below, GJK's direction is less precise than an edge's

/// Corners within `tolerance` of the extreme plane of normal n, in the work frame, sorted about `up`.
void find_extreme(const CoreBody& body, const Vec3& n, const Vec3& up, double tolerance, FlatSet& set) {
  const Vec3 n_S = body.X.R.transpose() * n;
  std::visit(
      [&](const auto& s) {
        if constexpr (Hull<std::decay_t<decltype(s)>>) {
          const double lowest = calc_height(s, n_S) - tolerance;
          for (int i = 0; i < count_vertices(s); ++i)
            if (n_S.dot(vertex_of(s, i)) >= lowest) set.add(body.X * vertex_of(s, i));
        }
      },
      *body.shape);
  sort_corners(up, set);
}

class HullPair {
 public:
  HullPair(const CoreBody& A, const CoreBody& B)
      : A_(A), B_(B), size_(A.size + B.size), face_a_(find_face_axis_of_a(*A.shape, *B.shape, B.X)) {}

  ClosestPoints solve(double margin) {
    if (face_a_.gap > margin) return make_bound(face_a_);
    face_b_ = find_face_axis_of_b(*A_.shape, *B_.shape, B_.X);
    const bool by_a = face_a_.gap >= face_b_.gap - kSameGap * size_;
    const HullAxis &first = by_a ? face_a_ : face_b_, &second = by_a ? face_b_ : face_a_;
    if (first.gap > margin) return make_bound(first);
    if (first.gap > 0 && attempt(first)) return best_;
    // The edges of two boxes cost less than GJK, those of polytopes may cost more.
    const bool boxes = std::holds_alternative<Box>(*A_.shape) && std::holds_alternative<Box>(*B_.shape);
    if (!boxes && first.gap > kNearTouching * size_ && attempt_gjk(first.normal)) return best_;
    // Of axes as good as each other to rounding one has the common point.
    const HullAxes axes = find_best_axes(*A_.shape, *B_.shape, B_.X, first, kSameGap * size_);
    if (axes.at(0).gap > margin) return make_bound(axes.at(0));
    for (int i = 0; i < axes.count; ++i)
      if (attempt(axes.at(i))) return best_;
    if (second.gap >= axes.at(0).gap - kSameGap * size_ && attempt(second)) return best_;
    if (axes.at(0).gap > 0 && attempt_gjk(axes.at(0).normal)) return best_;
    return solve_convex(A_, B_, nullptr);
  }

 private:
  static ClosestPoints make_bound(const HullAxis& axis) {
    ClosestPoints result;
    result.gap = axis.gap;
    result.normal = axis.normal;
    result.residual = std::numeric_limits<double>::infinity();
    return result;
  }
  /// Common points along the axis; true if they are certified.
  bool attempt(const HullAxis& axis) {
    const Vec3& n = axis.normal;
    FlatSet a, b;
    find_extreme(A_, n, n, kSamePlane * size_, a);
    find_extreme(B_, -n, n, kSamePlane * size_, b);
    const FlatPair pair = find_common(a, b, n);
    KktPoint point;
    point.n = n;
    point.x = pair.x;
    point.y = pair.y;
    point.phi = axis.gap;
    best_ = make_certified(A_, B_, point);
    return best_.certified;
  }
  bool attempt_gjk(const Vec3& direction) {
    const GlobalSolution found = solve_gjk(A_, B_, direction, 1e-15 * size_);
    if (found.overlap) return false;
    const Vec3& n = found.normal;
    return attempt({n, n.dot(B_.support(-n) - A_.support(n))});
  }

  const CoreBody& A_;
  const CoreBody& B_;
  double size_;
  HullAxis face_a_, face_b_;
  ClosestPoints best_;
};

}  // namespace

bool is_hull(const Shape& shape) {
  return std::visit([](const auto& s) { return Hull<std::decay_t<decltype(s)>>; }, shape);
}

ClosestPoints solve_hulls(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB, double margin) {
  const CoreBody body_a = make_body(A, {}), body_b = make_body(B, X_WA.inverse() * X_WB);
  return calc_in_world(HullPair(body_a, body_b).solve(margin), X_WA);
}

}  // namespace stiction
