#include "stiction/geometry/closest/closest_gjk.h"

#include <algorithm>
#include <array>
#include <limits>

namespace stiction {
namespace {

struct Simplex {
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights{};
  int count = 0;
};

/// Weights of the nearest point to the origin of the affine hull of up to three points; all zero if they are not
/// independent.
std::array<double, 3> calc_affine_weights(const Vec3* p, int count) {
  if (count == 1) return {1, 0, 0};
  const Vec3 e1 = p[1] - p[0];
  const double g11 = e1.squaredNorm(), b1 = -p[0].dot(e1);
  if (!(g11 > 0)) return {};
  if (count == 2) return {1 - b1 / g11, b1 / g11, 0};
  // e2 made orthogonal to e1, which keeps its precision in slender triangles where the Gram determinant loses it.
  const Vec3 e2 = p[2] - p[0];
  const double along = e1.dot(e2) / g11;
  const Vec3 across = e2 - along * e1;
  const double g22 = across.squaredNorm();
  if (!(g22 > 1e-28 * e2.squaredNorm())) return {};
  const double l2 = -p[0].dot(across) / g22, l1 = b1 / g11 - l2 * along;
  return {1 - l1 - l2, l1, l2};
}

bool encloses_origin(const Simplex& s) {
  Mat3 edges;
  for (int i = 0; i < 3; ++i) edges.col(i) = s.points[i].w - s.points[3].w;
  const double det = edges.determinant();
  if (!(std::abs(det) > 1e-14 * edges.col(0).norm() * edges.col(1).norm() * edges.col(2).norm())) return false;
  const Vec3 l = edges.inverse() * -s.points[3].w;
  return l.minCoeff() >= 0 && l.sum() <= 1;
}

/// The nearest point of the simplex to the origin; keeps only the points that carry it.
Vec3 update_nearest(Simplex& s) {
  double best = std::numeric_limits<double>::infinity();
  Vec3 nearest = Vec3::Zero();
  std::array<double, 4> best_weights{};
  for (unsigned subset = 1; subset < (1u << s.count); ++subset) {
    std::array<Vec3, 3> p;
    std::array<int, 3> index{};
    int count = 0;
    for (int i = 0; i < s.count && count <= 3; ++i)
      if (subset >> i & 1u) {
        if (count < 3) p[count] = s.points[i].w, index[count] = i;
        ++count;
      }
    if (count > 3) continue;
    const std::array<double, 3> l = calc_affine_weights(p.data(), count);
    if (!(*std::min_element(l.begin(), l.begin() + count) > 0)) continue;
    Vec3 v = Vec3::Zero();
    for (int i = 0; i < count; ++i) v += l[i] * p[i];
    if (v.squaredNorm() < best) {
      best = v.squaredNorm();
      nearest = v;
      best_weights = {};
      for (int i = 0; i < count; ++i) best_weights[index[i]] = l[i];
    }
  }
  int kept = 0;
  for (int i = 0; i < s.count; ++i) {
    const auto from = i, to = kept;
    if (best_weights[from] > 0) s.points[to] = s.points[from], s.weights[to] = best_weights[from], ++kept;
  }
  s.count = kept;
  return nearest;
}

/// The direction of v, the nearest point of the simplex: across the simplex's edges to rounding, also where v is so
/// short that rounding has turned it.
Vec3 calc_direction(const Simplex& s, const Vec3& v) {
  const double length = v.norm();
  if (!(length > 0)) return Vec3::Zero();
  Vec3 u = v / length;
  if (s.count < 2) return u;
  const Vec3 e1 = (s.points[1].w - s.points[0].w).normalized();
  Vec3 e2 = Vec3::Zero();
  if (s.count == 3) {
    const Vec3 e = s.points[2].w - s.points[0].w;
    e2 = e - e1.dot(e) * e1;
    e2 = (e2 - e1.dot(e2) * e1).normalized();
  }
  for (int pass = 0; pass < 2; ++pass) {
    u -= e1.dot(u) * e1;
    u -= e2.dot(u) * e2;
    const double left = u.norm();
    if (!(left > 0)) return v / length;
    u /= left;
  }
  return u;
}

}  // namespace

DifferencePoint calc_difference_support(const CoreBody& A, const CoreBody& B, const Vec3& n) {
  const Vec3 a = A.support(n), b = B.support(-n);
  return {a - b, a, b};
}

GlobalSolution solve_gjk(const CoreBody& A, const CoreBody& B, const Vec3& direction, double tolerance) {
  GlobalSolution result;
  const double size = A.size + B.size;
  Simplex simplex;
  simplex.points[0] = calc_difference_support(A, B, direction);
  simplex.weights[0] = 1;
  simplex.count = 1;
  Vec3 v = simplex.points[0].w;
  double lower = -std::numeric_limits<double>::infinity();
  for (result.iterations = 1; result.iterations < 200; ++result.iterations) {
    const double distance = v.norm();
    if (distance <= 1e-15 * size) {
      result.overlap = true;
      break;
    }
    const DifferencePoint next = calc_difference_support(A, B, -v);
    lower = std::max(lower, v.dot(next.w) / distance);
    if (distance - lower <= tolerance) break;
    // A point seen before: rounding is reached.
    bool seen = false;
    for (int i = 0; i < simplex.count; ++i) seen |= simplex.points[i].w == next.w;
    if (seen) break;
    Simplex larger = simplex;
    larger.points[larger.count++] = next;
    if (larger.count == 4 && encloses_origin(larger)) {
      result.overlap = true;
      break;
    }
    const Vec3 nearest = update_nearest(larger);
    if (!(nearest.norm() < distance)) break;
    simplex = larger;
    v = nearest;
  }
  for (int i = 0; i < simplex.count; ++i) {
    result.x += simplex.weights[i] * simplex.points[i].a;
    result.y += simplex.weights[i] * simplex.points[i].b;
  }
  const double distance = v.norm();
  result.normal = -calc_direction(simplex, v);
  result.gap = result.overlap ? 0 : distance;
  result.bound = result.overlap ? 0 : lower;
  return result;
}

}  // namespace stiction
