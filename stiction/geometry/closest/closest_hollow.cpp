#include "stiction/geometry/closest/closest_hollow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "stiction/geometry/closest/closest_convex.h"
#include "stiction/geometry/shape/radial.h"

namespace stiction {
namespace {

/// The wall nearest to a point y in the hollow, as a start.
KktPoint make_wall_point(const CoreBody& A, const Vec3& y) {
  const CoreProjection wall = project_on_core(A, y);
  KktPoint p;
  p.x = wall.y;
  p.y = y;
  p.n = wall.normal;
  p.phi = wall.distance;
  return p;
}

/// b <- support_B(away from the centre), until the distance no longer grows.
KktPoint climb(const CoreBody& A, const CoreBody& B, const Vec3& direction) {
  KktPoint best = make_wall_point(A, B.support(direction));
  for (int i = 0; i < 60; ++i) {
    const KktPoint next = make_wall_point(A, B.support(-best.n));
    if (!(next.phi < best.phi - std::min(1e-9 * std::min(A.size, B.size), 1e-14 * A.size))) break;
    best = next;
  }
  return best;
}

void take_lower(ClosestPoints& best, const ClosestPoints& trial) {
  if (trial.certified ? (!best.certified || trial.gap < best.gap) : (!best.certified && trial.residual < best.residual))
    best = trial;
}

/// All corners.
template <class Corners>
ClosestPoints solve_corners(const CoreBody& A, const CoreBody& B, const Corners& corners) {
  KktPoint lowest;
  lowest.phi = 1e300;
  for (const Vec3& corner : corners) {
    const KktPoint p = make_wall_point(A, B.X * corner);
    if (p.phi < lowest.phi) lowest = p;
  }
  return make_certified(A, B, lowest);
}

ClosestPoints solve_by_climbing(const CoreBody& A, const CoreBody& B) {
  ClosestPoints best;
  best.residual = 1e300;
  std::array<KktPoint, 26> tops;
  int count = 0;
  for (int k = 0; k < 27; ++k) {
    const Vec3 d(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    if (d.isZero(0)) continue;
    const KktPoint top = climb(A, B, B.X.R * d);
    bool known = false;
    for (int i = 0; i < count; ++i) known |= (tops[i].y - top.y).norm() < 1e-3 * B.size;
    if (!known) tops[count++] = top;
  }
  for (int i = 0; i < count; ++i) {
    const ClosestPoints trial =
        polish({find_features(A, tops[i].x), find_features(B, tops[i].y)}, tops[i], A.size + B.size,
               [&](const KktPoint& point) { return make_certified(A, B, point); });
    if (trial.gap <= tops[i].phi - B.radius + 1e-6 * A.size) take_lower(best, trial);
    take_lower(best, make_certified(A, B, tops[i]));
  }
  return best;
}

/// A cylinder about an axis, between two heights along it, in the cell's frame.
struct RoundBar {
  Vec3 centre, axis;
  double radius = 0, low = 0, high = 0;

  double height(const Vec3& x) const { return axis.dot(x - centre); }
  Vec3 radial(const Vec3& x) const { return x - centre - height(x) * axis; }
  Vec3 at(double height) const { return centre + height * axis; }
};

/// Complement k of a cell as a bore between two planes across it.
std::optional<RoundBar> find_bore(const Cell& cell, int k) {
  const QuadricForm form = calc_form(calc_complement(cell.constraints[static_cast<std::size_t>(k)]));
  const Vec3& l = form.eigenvalues;
  const bool is_round = l[0] == 0 && l[1] > 0 && l[2] - l[1] <= 1e-9 * l[2] && form.value < 0;
  if (!is_round) return {};
  RoundBar bore{form.centre, form.axes.col(0), std::sqrt(-2 * form.value / (l[1] + l[2]))};
  bore.low = -std::numeric_limits<double>::infinity();
  bore.high = -bore.low;
  for (int i = 0; i < cell.n_convex; ++i) {
    const Quadric& f = cell.constraints[static_cast<std::size_t>(i)];
    if (!f.is_flat()) continue;
    const Vec3 normal = 2 * f.b;
    const double along = normal.dot(bore.axis), distance = -f.c - normal.dot(bore.centre);
    if (std::abs(std::abs(along) - normal.norm()) > 1e-12 * normal.norm()) continue;
    if (along > 0)
      bore.high = std::min(bore.high, distance / along);
    else
      bore.low = std::max(bore.low, distance / along);
  }
  if (!std::isfinite(bore.low) || !std::isfinite(bore.high)) return {};
  return bore;
}

/// Is the bar within the bore as far as it is between the bore's edges?
bool is_in_bore(const RoundBar& bar, const RoundBar& bore) {
  constexpr double least_along = 0.9, allowed = 0.05;
  const double along = bar.axis.dot(bore.axis);
  if (std::abs(along) < least_along) return false;
  const double ends[] = {bore.height(bar.at(bar.low)), bore.height(bar.at(bar.high))};
  const double low = std::max(bore.low, std::min(ends[0], ends[1]));
  const double high = std::min(bore.high, std::max(ends[0], ends[1]));
  if (!(low < high)) return false;
  for (const double height : {low, high}) {
    const Vec3 x = bar.at((height - bore.height(bar.centre)) / along);
    if (bore.radial(x).norm() + bar.radius / std::abs(along) > (1 + allowed) * bore.radius) return false;
  }
  return true;
}

/// The one or two points of a circle whose distance from the axis of a bar is extreme: sign * distance^2 has a minimum.
struct CircleExtremes {
  std::array<Vec3, 2> points;
  int count = 0;

  CircleExtremes(const Vec3& centre, const Vec3& axis, double radius, const RoundBar& bar, double sign) {
    constexpr int samples = 16;
    const Vec3 across = bar.axis - axis * axis.dot(bar.axis), offset = bar.radial(centre);
    const Vec3 u = calc_any_radial_unit(across.norm() > 1e-12 ? across : offset, axis), v = axis.cross(u);
    const auto point = [&](double angle) {
      return Vec3(centre + radius * (std::cos(angle) * u + std::sin(angle) * v));
    };
    // distance^2 = |w|^2 with w = radial(point); half its first and second derivative
    const auto slope = [&](double angle) {
      const Vec3 tangent = -std::sin(angle) * u + std::cos(angle) * v;
      return sign * bar.radial(point(angle)).dot(tangent);
    };
    std::array<double, samples + 1> slopes;
    for (int i = 0; i < samples; ++i) slopes[static_cast<std::size_t>(i)] = slope(2 * M_PI * (i - 0.5) / samples);
    slopes[samples] = slopes[0];
    for (int i = 0; i < samples && count < 2; ++i) {
      double low = 2 * M_PI * (i - 0.5) / samples, high = low + 2 * M_PI / samples;
      double slope_low = slopes[static_cast<std::size_t>(i)], slope_high = slopes[static_cast<std::size_t>(i) + 1];
      if (!(slope_low < 0 && slope_high >= 0)) continue;
      // Regula falsi (Illinois): the slope is smooth, with one change of sign.
      double angle = 0.5 * (low + high);
      for (int pass = 0; pass < 60 && high - low > 1e-15; ++pass) {
        const double next = low - slope_low * (high - low) / (slope_high - slope_low);
        const double change = std::abs(next - angle);
        angle = next;
        const double s = slope(angle);
        if (s == 0 || change < 1e-15) break;
        if (s < 0) {
          low = angle, slope_low = s;
          slope_high *= 0.5;
        } else {
          high = angle, slope_high = s;
          slope_low *= 0.5;
        }
      }
      points[static_cast<std::size_t>(count++)] = point(angle);
    }
    // A circle about the axis has no extremes: two points of it.
    if (count == 0) points = {point(0), point(M_PI)}, count = 2;
  }
};

struct BoreContacts {
  const Cell& cell;
  int k;  ///< the bore's constraint
  RoundBar bore, peg;
  const Transform& X_WA;
  double margin;
  std::vector<ContactPoint>& points;

  /// Does the cell's surface at x belong to the bore?
  bool is_on_cell(const Vec3& x) const {
    const double tolerance = 1e-9 * bore.radius;
    for (int i = 0; i < static_cast<int>(cell.constraints.size()); ++i) {
      if (i != k && cell.constraints[static_cast<std::size_t>(i)].value(x) > tolerance) return false;
    }
    return true;
  }
  void add(const Vec3& a, const Vec3& b, const Vec3& normal, double gap, int id) const {
    if (gap <= margin && is_on_cell(a)) points.push_back({X_WA * a, X_WA * b, X_WA.R * normal, gap, id});
  }
  /// A point of the peg's core, with a radius about it, against the wall.
  void add_on_wall(const Vec3& core, double radius, int id) const {
    const Vec3 out = bore.radial(core);
    const double distance = out.norm();
    const Vec3 n = distance > 0 ? Vec3(out / distance) : calc_any_radial_unit(Vec3::UnitX(), bore.axis);
    add(core + (bore.radius - distance) * n, core + radius * n, -n, bore.radius - distance - radius, id);
  }
  void add_rims() const {
    for (int end = 0; end < 2; ++end) {
      const Vec3 centre = peg.at(end == 0 ? peg.low : peg.high);
      const CircleExtremes rim(centre, peg.axis, peg.radius, bore, -1);
      for (int i = 0; i < rim.count; ++i) add_on_wall(rim.points[static_cast<std::size_t>(i)], 0, end + 2 * i);
    }
  }
  void add_round_ends() const {
    for (int end = 0; end < 2; ++end) add_on_wall(peg.at(end == 0 ? peg.low : peg.high), peg.radius, end);
  }
  void add_edges() const {
    for (int edge = 0; edge < 2; ++edge) {
      const Vec3 centre = bore.at(edge == 0 ? bore.low : bore.high);
      const CircleExtremes circle(centre, bore.axis, bore.radius, peg, 1);
      for (int i = 0; i < circle.count; ++i) {
        const Vec3& a = circle.points[static_cast<std::size_t>(i)];
        const double height = peg.height(a);
        if (height < peg.low || height > peg.high) continue;
        const Vec3 out = peg.radial(a);
        const double distance = out.norm();
        if (!(distance > 0)) continue;
        add(a, a - (distance - peg.radius) / distance * out, -out / distance, distance - peg.radius, 4 + edge + 2 * i);
      }
    }
  }
};

}  // namespace

ClosestPoints solve_hollow(const CoreBody& A, const CoreBody& B) {
  if (B.core == CoreBody::Core::point) return make_certified(A, B, make_wall_point(A, B.X.p));
  if (B.core == CoreBody::Core::segment) {
    const KktPoint p = make_wall_point(A, B.X.p + B.half), q = make_wall_point(A, B.X.p - B.half);
    return make_certified(A, B, q.phi < p.phi ? q : p);
  }
  if (const auto* box = std::get_if<Box>(B.shape)) {
    std::array<Vec3, 8> corners;
    for (int i = 0; i < 8; ++i)
      corners[i] = 0.5 * box->size.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    return solve_corners(A, B, corners);
  }
  if (const auto* polytope = std::get_if<Polytope>(B.shape)) return solve_corners(A, B, polytope->vertices);
  return solve_by_climbing(A, B);
}

bool add_bore_contacts(const Cell& cell, const Transform& X_WA, const Shape& peg, const Transform& X_WB, double margin,
                       std::vector<ContactPoint>& points) {
  const auto* cylinder = std::get_if<Cylinder>(&peg);
  const auto* capsule = std::get_if<Capsule>(&peg);
  if (!cylinder && !capsule) return false;
  const Transform X_AB = X_WA.inverse() * X_WB;
  RoundBar bar{X_AB.p, X_AB.R * (cylinder ? cylinder->axis : capsule->axis),
               cylinder ? cylinder->radius : capsule->radius};
  bar.high = 0.5 * (cylinder ? cylinder->length : capsule->length);
  bar.low = -bar.high;
  for (int k = cell.n_convex; k < static_cast<int>(cell.constraints.size()); ++k) {
    const std::optional<RoundBar> bore = find_bore(cell, k);
    if (!bore || !is_in_bore(bar, *bore)) continue;
    const BoreContacts contacts{cell, k, *bore, bar, X_WA, margin, points};
    if (cylinder)
      contacts.add_rims();
    else
      contacts.add_round_ends();
    contacts.add_edges();
    return true;
  }
  return false;
}

}  // namespace stiction
