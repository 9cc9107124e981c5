#include "stiction/geometry/closest/closest_epa.h"

#include <algorithm>
#include <limits>

namespace stiction {
namespace {

/// Barycentric weights of the point of a triangle nearest to the foot of the origin on its plane, clipped to it.
Vec3 calc_weights(const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 e1 = q - p, e2 = r - p;
  const double g11 = e1.squaredNorm(), along = e1.dot(e2) / g11;
  const Vec3 across = e2 - along * e1;
  const double l2 = -p.dot(across) / across.squaredNorm(), l1 = -p.dot(e1) / g11 - l2 * along;
  const Vec3 l = Vec3(1 - l1 - l2, l1, l2).cwiseMax(0);
  return l / l.sum();
}

}  // namespace

PolytopeExpansion::PolytopeExpansion(const CoreBody& A, const CoreBody& B)
    : A_(A), B_(B), size_(A.size + B.size), started_(start()) {}

bool PolytopeExpansion::start() {
  const auto support = [&](const Vec3& n) { return calc_difference_support(A_, B_, n); };
  points_[0] = support(Vec3::UnitX());
  points_[1] = support(-Vec3::UnitX());
  const Vec3 line = points_[1].w - points_[0].w;
  if (!(line.norm() > 0)) return false;
  // The farthest of the supports across the line, then across the triangle.
  const Vec3 u = line.unitOrthogonal(), v = line.normalized().cross(u);
  double best = -1;
  for (const Vec3& n : {u, Vec3(-u), v, Vec3(-v)}) {
    const DifferencePoint p = support(n);
    const double area = (p.w - points_[0].w).cross(line).norm();
    if (area > best) best = area, points_[2] = p;
  }
  const Vec3 across = line.cross(points_[2].w - points_[0].w);
  if (!(across.norm() > 0)) return false;
  const DifferencePoint up = support(across), down = support(-across);
  const double above = across.dot(up.w - points_[0].w), below = -across.dot(down.w - points_[0].w);
  points_[3] = above > below ? up : down;
  if (!(std::max(above, below) > 1e-14 * size_ * across.norm())) return false;
  point_count_ = 4;
  // Faces counter-clockwise seen from outside.
  if (above > below) std::swap(points_[1], points_[2]);
  add_face(0, 1, 2);
  add_face(0, 3, 1);
  add_face(0, 2, 3);
  add_face(1, 3, 2);
  for (int f = 0; f < 4; ++f)
    for (int i = 0; i < 3; ++i)
      for (int g = 0; g < 4; ++g)
        for (int j = 0; j < 3; ++j)
          if (faces_[f].vertex[i] == faces_[g].vertex[(j + 1) % 3] &&
              faces_[f].vertex[(i + 1) % 3] == faces_[g].vertex[j])
            faces_[f].neighbour[i] = g;
  return true;
}

int PolytopeExpansion::add_face(int a, int b, int c) {
  int f = 0;
  while (f < face_count_ && faces_[f].alive) ++f;
  if (f == face_count_) ++face_count_;
  Face& face = faces_[f];
  face.vertex = {a, b, c};
  face.neighbour = {};
  face.settled = false;
  const Vec3& p = points_[a].w;
  const Vec3 cross = (points_[b].w - p).cross(points_[c].w - p);
  const double length = cross.norm();
  face.alive = true;
  // A sliver has no normal: it is never the nearest.
  face.frozen = !(length > 0);
  face.normal = face.frozen ? Vec3::Zero() : Vec3(cross / length);
  face.offset = face.frozen ? std::numeric_limits<double>::infinity() : face.normal.dot(p);
  return f;
}

int PolytopeExpansion::find_nearest() const {
  int nearest = -1;
  for (int f = 0; f < face_count_; ++f) {
    const Face& face = faces_[f];
    if (face.alive && !face.frozen && !face.settled && (nearest < 0 || face.offset < faces_[nearest].offset))
      nearest = f;
  }
  return nearest;
}

void PolytopeExpansion::collect_horizon(int f, int edge, const Vec3& point) {
  Face& face = faces_[f];
  if (!face.alive) return;
  const bool visible = face.normal.dot(point - points_[face.vertex[0]].w) > 0 || face.normal.isZero(0);
  if (!visible) {
    horizon_[horizon_count_++] = {f, edge};
    return;
  }
  face.alive = false;
  visible_[visible_count_++] = f;
  for (int k = 1; k <= 2; ++k) {
    const int i = (edge + k) % 3, g = face.neighbour[i];
    int back = 0;
    while (back < 2 && faces_[g].neighbour[back] != f) ++back;
    collect_horizon(g, back, point);
  }
}

bool PolytopeExpansion::add_point(int f, const DifferencePoint& point) {
  if (point_count_ >= static_cast<int>(points_.size())) return false;
  horizon_count_ = visible_count_ = 0;
  faces_[f].alive = false;
  visible_[visible_count_++] = f;
  for (int i = 0; i < 3; ++i) {
    const int g = faces_[f].neighbour[i];
    int back = 0;
    while (back < 2 && faces_[g].neighbour[back] != f) ++back;
    collect_horizon(g, back, point.w);
  }
  // The horizon is a closed loop in order; anything else is rounding's work: take the removal back and give up on f.
  // (Faces that were removed leave room: a closed polytope has two faces a point, less four.)
  const auto alive =
      std::count_if(faces_.begin(), faces_.begin() + face_count_, [](const Face& face) { return face.alive; });
  bool closed = horizon_count_ >= 3 && alive + horizon_count_ <= static_cast<int>(faces_.size());
  for (int i = 0; i < horizon_count_ && closed; ++i) {
    const auto [g, e] = horizon_[i];
    const auto [h, d] = horizon_[(i + 1) % horizon_count_];
    closed = faces_[g].alive && faces_[g].vertex[e] == faces_[h].vertex[(d + 1) % 3];
  }
  if (!closed) {
    for (int i = 0; i < visible_count_; ++i) faces_[visible_[i]].alive = true;
    return false;
  }
  const int apex = point_count_++;
  points_[apex] = point;
  std::array<int, 512> fan;
  for (int i = 0; i < horizon_count_; ++i) {
    const auto [g, e] = horizon_[i];
    const int a = faces_[g].vertex[(e + 1) % 3], b = faces_[g].vertex[e];
    fan[i] = add_face(a, b, apex);
    faces_[fan[i]].neighbour[0] = g;
    faces_[g].neighbour[e] = fan[i];
  }
  for (int i = 0; i < horizon_count_; ++i) {
    const int next = fan[(i + 1) % horizon_count_];
    faces_[fan[i]].neighbour[1] = next;
    faces_[next].neighbour[2] = fan[i];
  }
  return true;
}

GlobalSolution PolytopeExpansion::make_solution(int f, double height) const {
  GlobalSolution result;
  const Face& face = faces_[f];
  const DifferencePoint &p = points_[face.vertex[0]], &q = points_[face.vertex[1]], &r = points_[face.vertex[2]];
  const Vec3 l = calc_weights(p.w, q.w, r.w);
  result.x = l[0] * p.a + l[1] * q.a + l[2] * r.a;
  result.y = l[0] * p.b + l[1] * q.b + l[2] * r.b;
  result.normal = face.normal;
  result.gap = -height;
  result.overlap = true;
  result.iterations = iterations_;
  return result;
}

double PolytopeExpansion::calc_bound() const {
  double least = std::numeric_limits<double>::infinity();
  for (int f = 0; f < face_count_; ++f) {
    if (faces_[f].alive) least = std::min(least, faces_[f].offset);
  }
  return -least;
}

GlobalSolution PolytopeExpansion::expand(double tolerance) {
  GlobalSolution best = find_foot(tolerance);
  if (started_) best.bound = calc_bound();
  return best;
}

GlobalSolution PolytopeExpansion::find_foot(double tolerance) {
  GlobalSolution best;
  best.overlap = true;
  if (!started_) return best;
  for (int f = 0; f < face_count_; ++f) faces_[f].settled = false;
  bool found = false;
  double bound = 0, best_slip = 0;
  while (true) {
    const int f = find_nearest();
    // All faces that may hold the foot of the origin are seen.
    if (f < 0 || (found && faces_[f].offset > bound + tolerance)) return best;
    ++iterations_;
    const DifferencePoint next = calc_difference_support(A_, B_, faces_[f].normal);
    const double height = faces_[f].normal.dot(next.w);
    const GlobalSolution s = make_solution(f, height);
    const bool full = point_count_ == static_cast<int>(points_.size());
    if (height - faces_[f].offset > tolerance && !full) {
      if (!found) best = s;
      if (!add_point(f, next)) faces_[f].frozen = true;
      continue;
    }
    // (1) holds. Of faces that lie in one plane the one that holds the foot, where x - y is along the normal.
    const Vec3 d = s.x - s.y;
    const double slip = (d - s.normal.dot(d) * s.normal).norm();
    if (!found || slip < best_slip) best = s, best_slip = slip;
    if (!found) bound = faces_[f].offset;
    found = true;
    if (slip <= tolerance || full) return best;
    faces_[f].settled = true;
  }
}

}  // namespace stiction
