#include "stiction/geometry/closest/closest_cylinder.h"

#include <cmath>
#include <optional>

#include "stiction/geometry/closest/closest_convex.h"
#include "stiction/geometry/closest/closest_point.h"
#include "stiction/geometry/closest/flat_set.h"
#include "stiction/geometry/closest/hull.h"
#include "stiction/geometry/shape/radial.h"

namespace stiction {
namespace {

constexpr double kExtreme = 1e-13;   ///< of the pair's size: points of one extreme plane
constexpr double kSameCone = 1e-12;  ///< by which n may miss the normals of an edge [rad]
constexpr double kWellApart = 1e-6;  ///< of the pair's size: points whose direction is precise
constexpr double kTie = 1e-14;       ///< of the pair's size: gaps as good as each other

double square(double x) {
  return x * x;
}

/// A direction with its g; of a rim against an edge also the points, which n alone does not tell precisely.
struct Candidate {
  Vec3 n;
  double gap = 0;
  bool has_points = false;
  Vec3 x = Vec3::Zero(), y = Vec3::Zero();
};

/// A start for c sin t + d tan t = e: near the end of the arc, where both terms change fast, by the leading terms in
/// u = cos t, c (1 - u^2/2) + d/u = e; else with sin t for tan t in the smaller term.
double find_arc_start(double e, double c, double d) {
  if (d <= 0) return std::asin(std::min(1.0, e / c));
  const double beyond = e - c, root = std::cbrt(2 * d / c);
  const double u = beyond > 0 ? std::min(root, d / beyond) : std::max(root, std::sqrt(-beyond * (e + c)) / c);
  return u < 0.5 ? std::acos(u) : std::atan2(e, c + d);
}

/// The angle t of eq. (2) of closest_cylinder.h for an ellipse of semi-axes b <= a, c = a^2 - b^2, and a point (S, T),
/// T >= 0: where the distance from the arc cos t >= 0 has a local minimum. Newton's method inside an interval that
/// always holds the root.
std::optional<double> find_arc_angle(double a, double b, double c, double S, double T) {
  double low = 0, high = M_PI / 2;
  if (S < 0) {
    // The left side has one maximum on the arc: the root is before it.
    const double cube = -b * S / c;
    if (!(cube < 1)) return std::nullopt;
    high = std::acos(std::cbrt(cube));
    if (!(c * std::sin(high) + b * S * std::tan(high) > a * T)) return std::nullopt;
  } else if (!(b * S > 0) && !(c > a * T)) {
    return high;  // an edge across the axis, beyond the end of the rim that is seen as a line
  }
  double t = std::min(high, find_arc_start(a * T, c, b * S));
  for (int pass = 0; pass < 60; ++pass) {
    const double s = std::sin(t), k = std::cos(t);
    const double f = c * s + b * S * s / k - a * T;
    if (std::abs(f) <= 2e-16 * (c + a * T)) break;  // rounding, where the arc is so flat that no angle is better
    (f > 0 ? high : low) = t;
    double next = t - f / (c * k + b * S / (k * k));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = std::abs(next - t);
    t = next;
    if (step <= 1e-15) break;  // a few rounding units of an angle
  }
  return t;
}

template <Hull Block>
class CylinderPair {
 public:
  CylinderPair(const CoreBody& A, const CoreBody& B, const Block& hull)
      : A_(A), B_(B), c_(std::get<Cylinder>(*A.shape)), hull_(hull), half_(0.5 * c_.length), size_(A.size + B.size) {}

  ClosestPoints solve(double margin) {
    consider_faces();
    if (list_[0].gap > margin) return make_bound();
    if (list_[0].gap > 0 && attempt_all()) return best_;
    // In overlap both points of the shortest way out lie within |g| of the slab between the extreme planes.
    slab_n_ = list_[0].n;
    if (list_[0].gap <= 0) slab_ = calc_cylinder_height(slab_n_) - list_[0].gap + kTie * size_;
    for (int i = 0; i < count_edges(hull_); ++i) consider_edge(edge_of(hull_, i));
    for (int i = 0; i < count_vertices(hull_); ++i) consider_side(B_.X * vertex_of(hull_, i));
    if (list_[0].gap > margin) return make_bound();
    if (attempt_all()) return best_;
    if (list_[0].gap > 0 && attempt_corner()) return best_;
    return solve_convex(A_, B_, nullptr);
  }

 private:
  double calc_cylinder_height(const Vec3& n) const {
    const double along = n.dot(c_.axis);
    return c_.radius * (n - along * c_.axis).norm() + half_ * std::abs(along);
  }
  double calc_gap(const Vec3& n) const {
    return n.dot(B_.X.p) - calc_cylinder_height(n) - calc_height(hull_, -(B_.X.R.transpose() * n));
  }
  double least() const { return count_ > 0 ? list_[0].gap - kTie * size_ : -std::numeric_limits<double>::infinity(); }

  /// Keeps those as good as the best, the best first.
  void add(const Candidate& candidate) {
    if (!(candidate.gap >= least())) return;
    if (count_ == 0 || candidate.gap > list_[0].gap) {
      int kept = 1;
      const std::array<Candidate, 8> before = list_;
      list_[0] = candidate;
      for (int i = 0; i < count_ && kept < 8; ++i)
        if (before[static_cast<std::size_t>(i)].gap >= least())
          list_[static_cast<std::size_t>(kept++)] = before[static_cast<std::size_t>(i)];
      count_ = kept;
    } else if (count_ < 8) {
      list_[static_cast<std::size_t>(count_++)] = candidate;
    }
  }

  void consider_faces() {
    for (int k = 0; k < count_faces(hull_); ++k) {
      const HullPlane face = face_of(hull_, k);
      const Vec3 n = -(B_.X.R * face.normal);
      add({n, n.dot(B_.X.p) - calc_cylinder_height(n) - face.offset});
    }
    for (double side : {1.0, -1.0}) add({side * c_.axis, calc_gap(side * c_.axis)});
  }
  /// An edge of B seen along itself, in the frame of the cylinder: s along the axis, t across it.
  struct EdgeView {
    Vec3 p, end, e;
    Vec3 left, right;  ///< into B, normal to its faces
    Vec3 s, t;
    double shown = 0, flat = 0;  ///< of the axis' unit length, and of the rims' radius along s [m]
  };
  /// Some direction between u and v (or u itself) is between the normals of the edge's faces, to 1e-12 rad.
  static bool may_face(const EdgeView& edge, const Vec3& u, const Vec3& v) {
    return std::max(edge.left.dot(u), edge.right.dot(u)) > -kSameCone &&
           std::max(edge.left.dot(v), edge.right.dot(v)) > -kSameCone;
  }
  void consider_edge(const PolytopeEdge& edge) {
    EdgeView view;
    view.p = B_.X * vertex_of(hull_, edge.start);
    view.end = B_.X * vertex_of(hull_, edge.end);
    if (std::min(slab_n_.dot(view.p), slab_n_.dot(view.end)) > slab_) return;
    view.e = (view.end - view.p).normalized();
    const double slant = c_.axis.dot(view.e);
    view.s = calc_radial_unit(c_.axis, view.e);
    view.shown = view.s.dot(c_.axis);
    if (!(view.shown > 1e-15)) return;  // as a corner against the side
    view.left = -(B_.X.R * face_of(hull_, edge.left).normal);
    view.right = -(B_.X.R * face_of(hull_, edge.right).normal);
    view.flat = c_.radius * std::abs(slant);
    view.t = view.e.cross(view.s);
    if (view.t.dot(view.p) < 0) view.t = -view.t;
    for (double side : {1.0, -1.0}) {
      const Vec3 t = side * view.t;
      if (t.dot(view.p) - c_.radius >= least() && may_face(view, t, t)) add_measured({t, 0});
    }
    for (int rim = 0; rim < 2; ++rim) {
      if (may_face(view, view.s, view.t)) consider_rim(view);
      view.s = -view.s;
    }
  }
  /// The rim on the side of s against the edge.
  void consider_rim(const EdgeView& edge) {
    const double S = edge.s.dot(edge.p) - half_ * edge.shown, T = edge.t.dot(edge.p);
    // All of the arc is beyond the rim's centre: from before it the way is longer than to there.
    if (S < 0 && S < least()) return;
    const std::optional<double> angle = find_arc_angle(c_.radius, edge.flat, square(c_.radius * edge.shown), S, T);
    if (!angle) return;
    const double sine = std::sin(*angle), cosine = std::cos(*angle);
    Candidate rim;
    // Well apart the normal is the direction between the points, which tells more of it where the ellipse is flat.
    const double ds = S - edge.flat * cosine, dt = T - c_.radius * sine;
    const bool apart = ds * cosine > 0 && std::hypot(ds, dt) > kWellApart * size_;
    rim.n = (apart ? Vec3(ds * edge.s + dt * edge.t) : Vec3(c_.radius * cosine * edge.s + edge.flat * sine * edge.t))
                .normalized();
    rim.gap = rim.n.dot(edge.p) - calc_cylinder_height(rim.n);
    if (!(rim.gap >= least())) return;
    // The rim's point: u across t in the cap, towards s.
    const Vec3 a = c_.axis.dot(edge.s) < 0 ? Vec3(-c_.axis) : c_.axis;
    Vec3 u = edge.t.cross(a);
    if (u.dot(edge.s) < 0) u = -u;
    rim.x = half_ * a + c_.radius * (cosine * u + sine * edge.t);
    rim.y = edge.p + std::clamp((rim.x - edge.p).dot(edge.e), 0.0, (edge.end - edge.p).norm()) * edge.e;
    rim.has_points = true;
    add_measured(rim);
  }
  void consider_side(const Vec3& v) {
    if (slab_n_.dot(v) > slab_) return;
    const Vec3 radial = v - v.dot(c_.axis) * c_.axis;
    const double distance = radial.norm();
    if (distance > 0 && distance - c_.radius >= least()) add_measured({radial / distance, 0});
  }
  /// With g over all corners, where what one edge or corner promises is not the least.
  void add_measured(Candidate candidate) {
    candidate.gap = calc_gap(candidate.n);
    add(candidate);
  }

  bool attempt_all() {
    for (int i = 0; i < count_; ++i)
      if (attempt(list_[static_cast<std::size_t>(i)])) return true;
    return false;
  }
  bool attempt(const Candidate& candidate) {
    KktPoint point;
    point.n = candidate.n;
    point.phi = candidate.gap;
    if (candidate.has_points) {
      point.x = candidate.x;
      point.y = candidate.y;
    } else {
      find_points(candidate.n, point);
    }
    best_ = make_certified(A_, B_, point);
    return best_.certified;
  }
  /// What both have within kExtreme of their extreme planes: of the cylinder a cap, a line of the side or a point.
  void find_points(const Vec3& n, KktPoint& point) const {
    const double tolerance = kExtreme * size_;
    FlatSet corners, own;
    const Vec3 down = -(B_.X.R.transpose() * n);
    const double lowest = calc_height(hull_, down) - tolerance;
    for (int i = 0; i < count_vertices(hull_); ++i)
      if (down.dot(vertex_of(hull_, i)) >= lowest) corners.add(B_.X * vertex_of(hull_, i));
    sort_corners(n, corners);
    const double along = n.dot(c_.axis);
    const Vec3 radial = n - along * c_.axis, cap = along < 0 ? Vec3(-half_ * c_.axis) : Vec3(half_ * c_.axis);
    const double slope = radial.norm();
    if (2 * c_.radius * slope <= tolerance) {
      own.add(cap);
      const FlatPair pair = find_common(own, corners, n);
      const Vec3 d = pair.y - cap, across = d - d.dot(c_.axis) * c_.axis;
      const double distance = across.norm();
      point.y = pair.y;
      point.x = cap + (distance > c_.radius ? Vec3(c_.radius / distance * across) : across);
      return;
    }
    const Vec3 rim = c_.radius * calc_radial_unit(n, c_.axis);
    own.add(cap + rim);
    if (c_.length * std::abs(along) <= tolerance) own.add(-cap + rim);
    const FlatPair pair = find_common(own, corners, n);
    point.x = pair.x;
    point.y = pair.y;
  }
  /// Apart, with a corner nearest of all: to a rim, or to the side.
  bool attempt_corner() {
    PointProjection nearest;
    nearest.distance = std::numeric_limits<double>::infinity();
    for (int i = 0; i < count_vertices(hull_); ++i) {
      const PointProjection p = project_point(c_, B_.X * vertex_of(hull_, i));
      if (p.distance < nearest.distance) nearest = p;
    }
    KktPoint point;
    point.n = nearest.normal;
    point.x = nearest.point;
    point.phi = nearest.distance;
    point.y = point.x + point.phi * point.n;
    best_ = make_certified(A_, B_, point);
    return best_.certified;
  }
  ClosestPoints make_bound() const {
    ClosestPoints result;
    result.gap = list_[0].gap;
    result.normal = list_[0].n;
    result.residual = std::numeric_limits<double>::infinity();
    return result;
  }

  const CoreBody& A_;
  const CoreBody& B_;
  const Cylinder& c_;
  const Block& hull_;
  double half_, size_;
  Vec3 slab_n_ = Vec3::UnitZ();
  double slab_ = std::numeric_limits<double>::infinity();  ///< what is higher along slab_n_ is not looked at
  std::array<Candidate, 8> list_;
  int count_ = 0;
  ClosestPoints best_;
};

}  // namespace

ClosestPoints solve_cylinder_hull(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                                  double margin) {
  const CoreBody body_a = make_body(A, {}), body_b = make_body(B, X_WA.inverse() * X_WB);
  const auto solve = [&](const auto& hull) {
    return calc_in_world(CylinderPair(body_a, body_b, hull).solve(margin), X_WA);
  };
  if (const auto* box = std::get_if<Box>(&B)) return solve(*box);
  return solve(std::get<Polytope>(B));
}

}  // namespace stiction
