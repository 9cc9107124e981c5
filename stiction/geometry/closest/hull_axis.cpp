#include "stiction/geometry/closest/hull_axis.h"

#include <cmath>

#include "stiction/geometry/closest/hull.h"

namespace stiction {
namespace {

constexpr double kSameAngle = 1e-12;      ///< by which arcs of normals may miss each other [rad]
constexpr double kSameDirection = 1e-15;  ///< axes nearer than this are one [rad]

/// The face of `s` whose plane `other` is farthest above; normal in the frame of `s`.
template <Hull S, Hull T>
HullAxis find_face_axis(const S& s, const T& other, const Transform& X_ST) {
  HullAxis best;
  best.gap = -std::numeric_limits<double>::infinity();
  int low = 0;
  for (int k = 0; k < count_faces(s); ++k) {
    const HullPlane face = face_of(s, k);
    const double above = face.normal.dot(X_ST.p) - face.offset;
    const Vec3 down = -(X_ST.R.transpose() * face.normal);
    const double gap = above - calc_height_below(other, down, above - best.gap, low);
    if (gap > best.gap) best = {face.normal, gap};
  }
  return best;
}

/// An edge with the normals of the faces that meet there.
struct HullEdge {
  Vec3 start, along;  ///< `along` unit
  Vec3 left, right;
};
template <Hull S>
HullEdge make_edge(const S& s, const PolytopeEdge& edge) {
  const Vec3 start = vertex_of(s, edge.start);
  return {start, (vertex_of(s, edge.end) - start).normalized(), face_of(s, edge.left).normal,
          face_of(s, edge.right).normal};
}
HullEdge calc_moved(const HullEdge& e, const Transform& X) {
  return {X * e.start, X.R * e.along, X.R * e.left, X.R * e.right};
}

/// Both on one side of the plane across `along`, by more than the angle allows.
bool misses(const Vec3& along, const Vec3& left, const Vec3& right) {
  const double l = along.dot(left), r = along.dot(right);
  return (l > kSameAngle && r > kSameAngle) || (l < -kSameAngle && r < -kSameAngle);
}

/// A unit normal across both directions. The second direction is made orthogonal to the first twice, so that it
/// is across both to rounding, however small their angle. False: parallel.
bool find_across(const Vec3& e, const Vec3& f, Vec3& n) {
  Vec3 across = f - e.dot(f) * e;
  across -= e.dot(across) * e;
  const double width = across.norm();
  if (!(width > 1e-15)) return false;
  n = e.cross(across / width);
  return true;
}

/// The axes within a tolerance of the best, each direction once.
class AxisList {
 public:
  AxisList(const HullAxis& first, double tolerance) : tolerance_(tolerance) { add(first); }
  const HullAxes& axes() const { return axes_; }
  double least() const { return axes_.at(0).gap - tolerance_; }

  bool has(const Vec3& n) const {
    for (int i = 0; i < axes_.count; ++i)
      if ((axes_.at(i).normal - n).squaredNorm() < kSameDirection * kSameDirection) return true;
    return false;
  }
  void add(const HullAxis& axis) {
    const bool best = axes_.count == 0 || axis.gap > axes_.at(0).gap;
    if (!best && !(axis.gap >= least())) return;
    if (best) {
      const HullAxes before = axes_;
      axes_.count = 0;
      keep(axis);
      for (int i = 0; i < before.count; ++i)
        if (before.at(i).gap >= least()) keep(before.at(i));
    } else {
      keep(axis);
    }
  }

 private:
  void keep(const HullAxis& axis) {
    if (axes_.count < static_cast<int>(axes_.items.size())) axes_.items[static_cast<std::size_t>(axes_.count++)] = axis;
  }

  HullAxes axes_;
  double tolerance_;
};

/// Two boxes: nine pairs of directions. Bodies that are their own mirror image about their centres have the larger g on
/// the side of the other's centre.
HullAxes find_box_axes(const Box& a, const Box& b, const Transform& X_AB, AxisList list) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Vec3 n;
      if (!find_across(Vec3::Unit(i), X_AB.R.col(j), n)) continue;
      if (n.dot(X_AB.p) < 0) n = -n;
      const double gap = n.dot(X_AB.p) - calc_height(a, n) - calc_height(b, X_AB.R.transpose() * n);
      if (gap >= list.least() && !list.has(n)) list.add({n, gap});
    }
  return list.axes();
}

/// Edges of B in A's frame, some at a time.
struct EdgeBatch {
  std::array<HullEdge, 32> edges;
  std::size_t count = 0;
};

template <Hull S, Hull T>
class EdgeSearch {
 public:
  EdgeSearch(const S& a, const T& b, const Transform& X_AB, const HullAxis& face, double tolerance)
      : a_(a), b_(b), X_AB_(X_AB), face_(face), list_(face, tolerance) {
    // In overlap both points of the shortest way out lie between the heights of the slab, widened by |g|.
    const double top = calc_height(a, face.normal);
    if (face.gap <= 0) lowest_ = top + 2 * face.gap - tolerance, highest_ = top - face.gap + tolerance;
  }

  HullAxes search() {
    EdgeBatch batch;
    const Vec3 up_b = X_AB_.R.transpose() * face_.normal;
    const double height_b = face_.normal.dot(X_AB_.p);
    for (int i = 0; i < count_edges(b_); ++i) {
      const PolytopeEdge& edge = edge_of(b_, i);
      const double low = std::min(up_b.dot(vertex_of(b_, edge.start)), up_b.dot(vertex_of(b_, edge.end)));
      if (height_b + low > highest_) continue;
      batch.edges[batch.count++] = calc_moved(make_edge(b_, edge), X_AB_);
      if (batch.count == batch.edges.size()) compare(batch), batch.count = 0;
    }
    compare(batch);
    return list_.axes();
  }

 private:
  void compare(const EdgeBatch& batch) {
    for (int i = 0; i < count_edges(a_); ++i) {
      const PolytopeEdge& edge = edge_of(a_, i);
      const Vec3& n = face_.normal;
      if (std::max(n.dot(vertex_of(a_, edge.start)), n.dot(vertex_of(a_, edge.end))) < lowest_) continue;
      const HullEdge e = make_edge(a_, edge);
      for (std::size_t k = 0; k < batch.count; ++k) consider(e, batch.edges[k]);
    }
  }
  void consider(const HullEdge& e, const HullEdge& f) {
    if (misses(e.along, f.left, f.right) || misses(f.along, e.left, e.right)) return;
    Vec3 n;
    if (!find_across(e.along, f.along, n)) return;
    if (n.dot(e.left + e.right) < 0) n = -n;
    if (!(n.dot(f.start - e.start) >= list_.least()) || list_.has(n)) return;
    list_.add({n, n.dot(X_AB_.p) - calc_height(a_, n) - calc_height(b_, -(X_AB_.R.transpose() * n))});
  }

  const S& a_;
  const T& b_;
  const Transform& X_AB_;
  HullAxis face_;
  AxisList list_;
  double lowest_ = -std::numeric_limits<double>::infinity(), highest_ = std::numeric_limits<double>::infinity();
};

/// Only for boxes and polytopes.
template <class Visit>
auto visit_hull(const Shape& shape, Visit&& visit) {
  if (const auto* box = std::get_if<Box>(&shape)) return visit(*box);
  return visit(std::get<Polytope>(shape));
}
template <class Visit>
auto visit_hulls(const Shape& A, const Shape& B, Visit&& visit) {
  return visit_hull(A, [&](const auto& a) { return visit_hull(B, [&](const auto& b) { return visit(a, b); }); });
}

}  // namespace

HullAxis find_face_axis_of_a(const Shape& A, const Shape& B, const Transform& X_AB) {
  return visit_hulls(A, B, [&](const auto& a, const auto& b) { return find_face_axis(a, b, X_AB); });
}

HullAxis find_face_axis_of_b(const Shape& A, const Shape& B, const Transform& X_AB) {
  const HullAxis axis =
      visit_hulls(A, B, [&](const auto& a, const auto& b) { return find_face_axis(b, a, X_AB.inverse()); });
  return {-(X_AB.R * axis.normal), axis.gap};
}

HullAxes find_best_axes(const Shape& A, const Shape& B, const Transform& X_AB, const HullAxis& face, double tolerance) {
  const auto *box_a = std::get_if<Box>(&A), *box_b = std::get_if<Box>(&B);
  if (box_a && box_b) return find_box_axes(*box_a, *box_b, X_AB, AxisList(face, tolerance));
  return visit_hulls(A, B,
                     [&](const auto& a, const auto& b) { return EdgeSearch(a, b, X_AB, face, tolerance).search(); });
}

}  // namespace stiction
