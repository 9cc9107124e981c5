#include "stiction/geometry/closest/closest_concave.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/geometry/closest/closest_convex.h"
#include "stiction/geometry/closest/closest_residual.h"
#include "stiction/geometry/volume/interference.h"

namespace stiction {
namespace {

using Ids = std::array<int, 3>;

bool is_inside(const CoreBody& body, const Vec3& x, double tolerance) {
  const Vec3 x_S = body.X.inverse() * x;
  if (count_constraints(*body.shape) > 0)
    return find_active_constraints(*body.shape, x_S, 1e300).items[0].distance <= tolerance;
  return calc_implicit(*body.shape, x_S) <= tolerance;
}

/// Move x (cell frame) onto the constraints by Gauss-Newton steps of least length, G'(GG')^-1 f.
bool project_on_constraints(const Cell& cell, const Ids& ids, int count, double size, Vec3& x) {
  for (int pass = 0; pass < 12; ++pass) {
    Mat3 G = Mat3::Zero();
    Vec3 f = Vec3::Zero();
    for (int i = 0; i < count; ++i) {
      const Quadric& q = cell.constraints[ids[i]];
      const Vec3 gradient = q.gradient(x);
      const double slope = std::max(gradient.norm(), 1e-300);
      G.row(i) = gradient.transpose() / slope;
      f[i] = q.value(x) / slope;
    }
    if (f.lpNorm<Eigen::Infinity>() < 1e-12 * size) return true;
    // Rows that are not used become unit rows of a regular Gram matrix.
    Mat3 gram = G * G.transpose();
    for (int i = count; i < 3; ++i) gram(i, i) = 1;
    if (!(gram.determinant() > 1e-8)) return false;
    const Vec3 step = G.transpose() * (gram.inverse() * f);
    if (!(step.norm() < 4 * size)) return false;
    x -= step;
  }
  return false;
}

class ConcaveSearch {
 public:
  ConcaveSearch(const CoreBody& A, const CoreBody& B)
      : A_(A), B_(B), cell_(std::get<Cell>(*A.shape)), size_(A.size + B.size), bounded_b_(is_bounded(*B.shape)) {
    if (!bounded_b_) return;
    for (int i = 0; i < 3; ++i) {
      ends_b_[2 * i] = B.support(B.X.R.col(i) + Vec3(1e-3, 2e-3, 3e-3));
      ends_b_[2 * i + 1] = B.support(-B.X.R.col(i) + Vec3(1e-3, 2e-3, 3e-3));
    }
  }

  ClosestPoints solve() {
    if (bounded_b_) {
      if (solve_hull()) return found_.front();
      climb_complements();
    }
    try_all_sets();
    if (found_.empty()) {
      thorough_ = true;
      try_all_sets();
    }
    return choose();
  }
  /// Of the solutions found, those of places where the bodies touch or may come to touch.
  void list(std::vector<ClosestPoints>& places) const {
    const double tolerance = 1e-9 * size_;
    for (const ClosestPoints& s : found_) {
      if (s.gap >= 0 || (is_inside(B_, s.point_a, tolerance) && is_inside(A_, s.point_b, tolerance)))
        places.push_back(s);
    }
  }

 private:
  void try_all_sets() {
    const int n = static_cast<int>(cell_.constraints.size());
    for (int i = 0; i < n; ++i) {
      try_set({i, 0, 0}, 1);
      for (int j = i + 1; j < n; ++j) {
        try_set({i, j, 0}, 2);
        for (int k = j + 1; k < n; ++k) try_set({i, j, k}, 3);
      }
    }
  }

  void attempt(const FeatureList& features, const KktPoint& start) {
    FeaturePair pair{features, thorough_ ? find_features_by_normal(B_, start.y, -start.n, 0.3 * B_.size)
                                         : find_features(B_, start.y)};
    const ClosestPoints trial =
        polish(pair, start, size_, [&](const KktPoint& point) { return make_certified(A_, B_, point); });
    if (trial.certified)
      found_.push_back(trial);
    else if (trial.residual < nearest_miss_.residual)
      nearest_miss_ = trial;
  }

  static Shape make_hull(const Cell& cell) {
    Cell hull = cell;
    hull.constraints.resize(cell.n_convex);
    hull.convex = true;
    hull.inside = cell.convex_inside;
    return hull;
  }

  /// The convex constraints alone. True if that settles it: apart, with the point in the cell.
  bool solve_hull() {
    const Shape shape_a = make_hull(cell_);
    const CoreBody H = make_body(shape_a, A_.X);
    ClosestPoints s;
    if (const auto* cell_b = std::get_if<Cell>(B_.shape); cell_b && !cell_b->convex) {
      const Shape shape_b = make_hull(*cell_b);
      s = solve_convex(H, make_body(shape_b, B_.X), nullptr);
      if (!is_inside(B_, s.point_b, 1e-12 * size_)) return false;
    } else {
      s = solve_convex(H, B_, nullptr);
    }
    if (!s.certified || !is_inside(A_, s.point_a, 1e-12 * size_)) return false;
    update_certificate(*A_.shape, A_.X, *B_.shape, B_.X, s);
    if (!s.certified) return false;
    found_.push_back(s);
    return s.gap > 0;
  }

  FeatureList make_features(const Ids& ids, int count) const {
    FeatureList list;
    list.items[0] = make_constraint_feature(*A_.shape, A_.X, ids.data(), count);
    list.items[0].body = &A_;
    list.count = 1;
    return list;
  }

  void climb_complements() {
    for (int k = cell_.n_convex; k < static_cast<int>(cell_.constraints.size()); ++k) {
      const Quadric f = calc_transformed(cell_.constraints[k], A_.X);
      for (int d = 0; d < 27; ++d) {
        Vec3 y = B_.support(Vec3(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1) + Vec3(1e-3, 2e-3, 3e-3));
        for (int pass = 0; pass < 30; ++pass) {
          const Vec3 next = B_.support(-f.gradient(y));
          if (!(f.value(next) < f.value(y))) break;
          y = next;
        }
        KktPoint start;
        start.y = y;
        start.n = f.gradient(y).normalized();
        start.x = y - f.value(y) / f.gradient(y).norm() * start.n;
        attempt(make_features({k, 0, 0}, 1), start);
      }
    }
  }

  /// Points of the cell on these constraints, spread over it; the three nearest to B that are not neighbours.
  void try_set(const Ids& ids, int count) {
    bool curved = false;
    for (int i = 0; i < count; ++i) curved |= !cell_.constraints[ids[i]].is_flat();
    const int steps = curved ? (count < 3 ? 5 : 3) : (count < 3 ? 3 : 1);
    struct Start {
      Vec3 x;
      CoreProjection on_b;
    };
    std::vector<Start> starts;
    // The last ones are near B, which may be small beside the cell.
    const int spread = steps * steps * steps;
    for (int g = 0; g < spread + (bounded_b_ ? 7 : 1); ++g) {
      const Vec3 share = (Vec3(g % steps, g / steps % steps, g / (steps * steps)) + Vec3::Constant(0.5)) / steps;
      Vec3 x = cell_.lower + share.cwiseProduct(cell_.upper - cell_.lower);
      if (g == spread) x = A_.X.inverse() * B_.X.p;
      if (g > spread) x = A_.X.inverse() * ends_b_[g - spread - 1];
      if (!project_on_constraints(cell_, ids, count, A_.size, x)) continue;
      const Vec3 x_F = A_.X * x;
      if (!is_inside(A_, x_F, 1e-9 * A_.size)) continue;
      const double apart = 1e-3 * (B_.size > 0 ? std::min(A_.size, B_.size) : A_.size);
      const bool known =
          std::any_of(starts.begin(), starts.end(), [&](const Start& s) { return (s.x - x_F).norm() < apart; });
      if (!known) starts.push_back({x_F, project_on_core(B_, x_F)});
    }
    std::sort(starts.begin(), starts.end(),
              [](const Start& a, const Start& b) { return a.on_b.distance < b.on_b.distance; });
    const FeatureList features = make_features(ids, count);
    for (std::size_t i = 0; i < std::min<std::size_t>(starts.size(), 4); ++i) {
      KktPoint start;
      start.x = starts[i].x;
      start.y = starts[i].on_b.y;
      // Outward of A: the other way round where B's nearest point lies inside A.
      Vec3 outward = Vec3::Zero();
      for (int k = 0; k < count; ++k) outward += features.items[0].gradient(k, start.x).normalized();
      start.n = outward.dot(starts[i].on_b.normal) > 0 ? starts[i].on_b.normal : Vec3(-starts[i].on_b.normal);
      attempt(features, start);
      // Overlapping, B's shortest way out need not be A's: along the face's own normal too.
      if (starts[i].on_b.distance < 0.1 * A_.size && count == 1) {
        start.n = outward;
        attempt(features, start);
      }
    }
  }

  /// Whether the straight way between two points runs inside both shapes.
  bool joined(const Vec3& p, const Vec3& q) const {
    for (int i = 0; i <= 8; ++i) {
      const Vec3 x = p + i / 8.0 * (q - p);
      if (!is_inside(A_, x, 1e-9 * size_) || !is_inside(B_, x, 1e-9 * size_)) return false;
    }
    return true;
  }

  /// By a coarse octree with certified bounds; of a point, which has no volume, by its place.
  bool is_overlap_proven() const {
    if (bounded_b_ && !(B_.size > 0)) return is_inside(A_, B_.X.p, 0);
    constexpr double accuracy = 1e-2;
    constexpr long cells = 4000;
    return calc_interference_bounds(*A_.shape, A_.X, *B_.shape, B_.X, accuracy, cells).lower > 0;
  }

  ClosestPoints choose() const {
    const double tolerance = 1e-9 * size_;
    std::vector<const ClosestPoints*> deep;  // both points in both shapes
    const ClosestPoints *apart = nullptr, *common = nullptr, *shallowest = nullptr;
    const auto keep = [](const ClosestPoints*& best, const ClosestPoints& s, bool better) {
      if (!best || better) best = &s;
    };
    for (const ClosestPoints& s : found_) {
      if (s.gap >= 0) {
        keep(apart, s, apart && s.gap < apart->gap);
        continue;
      }
      keep(shallowest, s, shallowest && s.gap > shallowest->gap);
      if (!is_inside(B_, s.point_a, tolerance)) continue;
      keep(common, s, common && s.gap > common->gap);
      if (is_inside(A_, s.point_b, tolerance)) deep.push_back(&s);
    }
    const ClosestPoints* deepest = nullptr;
    for (const ClosestPoints* s : deep) {
      const Vec3 middle = 0.5 * (s->point_a + s->point_b);
      const bool longer_way = std::any_of(deep.begin(), deep.end(), [&](const ClosestPoints* t) {
        return t->gap > s->gap && joined(middle, 0.5 * (t->point_a + t->point_b));
      });
      if (!longer_way && (!deepest || s->gap < deepest->gap)) deepest = s;
    }
    for (const ClosestPoints* s : {deepest, common, apart})
      if (s) return *s;
    if (!shallowest) return nearest_miss_;
    // It solves the equations, but its points do not show that the shapes overlap.
    if (is_overlap_proven()) return *shallowest;
    ClosestPoints doubtful = *shallowest;
    doubtful.certified = false;
    doubtful.residual = std::max(doubtful.residual, 1.0);
    return doubtful;
  }

  const CoreBody& A_;
  const CoreBody& B_;
  const Cell& cell_;
  double size_;
  bool bounded_b_;
  bool thorough_ = false;       ///< all sets of B's constraints near the start, not only those active there
  std::array<Vec3, 6> ends_b_;  ///< farthest points of B (of its hull) along its axes
  std::vector<ClosestPoints> found_;
  ClosestPoints nearest_miss_{0, Vec3::Zero(), Vec3::Zero(), Vec3::UnitZ(), 1e300, false, 0};
};

ClosestPoints calc_mirrored(ClosestPoints s) {
  std::swap(s.point_a, s.point_b);
  s.normal = -s.normal;
  return s;
}

}  // namespace

std::vector<ClosestPoints> solve_concave_all(const CoreBody& A, const CoreBody& B) {
  ConcaveSearch search(A, B);
  std::vector<ClosestPoints> places = {search.solve()};
  const auto* cell_b = std::get_if<Cell>(B.shape);
  // Two cells with complements: where points spread over A's surface did not do, those over B's may.
  if (!places[0].certified && cell_b && !cell_b->convex) {
    ConcaveSearch other(B, A);
    const ClosestPoints found = calc_mirrored(other.solve());
    if (found.residual < places[0].residual) {
      places = {found};
      other.list(places);
      for (std::size_t i = 1; i < places.size(); ++i) places[i] = calc_mirrored(places[i]);
      return places;
    }
  }
  search.list(places);
  return places;
}

ClosestPoints solve_concave(const CoreBody& A, const CoreBody& B) {
  return solve_concave_all(A, B).front();
}

}  // namespace stiction
