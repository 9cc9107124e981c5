#include "stiction/geometry/closest/flat_set.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

/// The nearest point to y of a segment seen along n, whose own direction is across n to rounding.
Vec3 find_on_side(const Vec3& p, const Vec3& q, const Vec3& y) {
  const Vec3 e = q - p;
  const double length2 = e.squaredNorm();
  const double t = length2 > 0 ? std::clamp((y - p).dot(e) / length2, 0.0, 1.0) : 0;
  return p + t * e;
}

double calc_apart(const Vec3& x, const Vec3& y, const Vec3& n) {
  const Vec3 d = y - x;
  return (d - n.dot(d) * n).norm();
}

/// The point of the set nearest to y seen along n.
struct Foot {
  Vec3 x;
  double apart;
};
Foot find_foot(const FlatSet& set, const Vec3& y, const Vec3& n) {
  if (set.count == 1) return {set.at(0), calc_apart(set.at(0), y, n)};
  bool inside = set.count > 2;
  for (int side = 0; inside && side < set.count; ++side)
    inside = (set.end_of(side) - set.at(side)).cross(n).dot(y - set.at(side)) <= 0;
  if (inside) return {y - n.dot(y - set.at(0)) * n, 0};
  Foot best{Vec3::Zero(), std::numeric_limits<double>::infinity()};
  for (int side = 0; side < set.count_sides(); ++side) {
    const Vec3 x = find_on_side(set.at(side), set.end_of(side), y);
    const double apart = calc_apart(x, y, n);
    if (apart < best.apart) best = {x, apart};
  }
  return best;
}

/// Where two sides cross seen along n: x = p + s e, y = q + t f. The direction across e comes from f itself, so that
/// sides along each other cross where their distance is 0 to rounding.
bool find_side_crossing(const Vec3& p, const Vec3& e, const Vec3& q, const Vec3& f, FlatPair& pair) {
  const double length = e.norm();
  if (!(length > 0)) return false;
  const Vec3 along = e / length;
  Vec3 across = f - along.dot(f) * along;
  across -= along.dot(across) * along;
  const double width = across.norm();
  if (!(width > 1e-15 * f.norm())) return false;
  across /= width;
  const double t = std::clamp(across.dot(p - q) / across.dot(f), 0.0, 1.0);
  pair.y = q + t * f;
  pair.x = p + std::clamp(along.dot(pair.y - p) / length, 0.0, 1.0) * e;
  return true;
}

}  // namespace

void sort_corners(const Vec3& n, FlatSet& set) {
  if (set.count < 3) return;
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < set.count; ++i) centre += set.at(i);
  centre /= set.count;
  const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
  // Rises with the angle, from -2 to 2.
  std::array<double, FlatSet::kMostPoints> order;
  for (int i = 0; i < set.count; ++i) {
    const Vec3 r = set.at(i) - centre;
    const double a = u.dot(r), b = v.dot(r), share = a / (std::abs(a) + std::abs(b) + 1e-300);
    order[static_cast<std::size_t>(i)] = b < 0 ? share - 1 : 1 - share;
  }
  for (int i = 1; i < set.count; ++i)
    for (int j = i; j > 0 && order[static_cast<std::size_t>(j)] < order[static_cast<std::size_t>(j - 1)]; --j) {
      std::swap(order[static_cast<std::size_t>(j)], order[static_cast<std::size_t>(j - 1)]);
      std::swap(set.points[static_cast<std::size_t>(j)], set.points[static_cast<std::size_t>(j - 1)]);
    }
}

FlatPair find_common(const FlatSet& a, const FlatSet& b, const Vec3& n) {
  FlatPair best;
  best.apart = std::numeric_limits<double>::infinity();
  for (int i = 0; i < b.count && best.apart > 0; ++i) {
    const Foot foot = find_foot(a, b.at(i), n);
    if (foot.apart < best.apart) best = {foot.x, b.at(i), foot.apart};
  }
  for (int i = 0; i < a.count && best.apart > 0; ++i) {
    const Foot foot = find_foot(b, a.at(i), n);
    if (foot.apart < best.apart) best = {a.at(i), foot.x, foot.apart};
  }
  for (int i = 0; i < a.count_sides(); ++i)
    for (int j = 0; j < b.count_sides() && best.apart > 0; ++j) {
      FlatPair pair;
      if (!find_side_crossing(a.at(i), a.end_of(i) - a.at(i), b.at(j), b.end_of(j) - b.at(j), pair)) continue;
      pair.apart = calc_apart(pair.x, pair.y, n);
      if (pair.apart < best.apart) best = pair;
    }
  return best;
}

}  // namespace stiction
