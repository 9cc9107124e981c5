#include "stiction/geometry/volume/volume_breaks.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/volume/volume_critical.h"
#include "stiction/geometry/volume/volume_edges.h"
#include "stiction/geometry/volume/volume_range.h"
#include "stiction/geometry/volume/volume_roots.h"
#include "stiction/math/symmetric_eigen.h"

namespace stiction {
namespace {

/// The surfaces whose corners one slice has and the other has not, and the mean place of those corners.
struct Difference {
  FixedVector<int, 4> surfaces;
  Vec3 start = Vec3::Zero();
};

int count_like(const std::vector<SliceBreak>& corners, const SliceBreak& corner) {
  return static_cast<int>(std::count_if(corners.begin(), corners.end(), [&](const SliceBreak& other) {
    return other.i == corner.i && other.j == corner.j;
  }));
}

/// Newton's method on (2) of volume_chords.h; p is the start and the result.
bool solve_critical(const UnitRegion& region, const FixedVector<int, 4>& s, Vec3& p) {
  const Quadric& f = region.surfaces[s[0]].f;
  for (int step = 0; step < 12; ++step) {
    Vec3 value;
    Mat3 slope;
    const Vec3 fp = f.gradient(p);
    value[0] = f.value(p), slope.row(0) = fp;
    if (s.size() == 1) {
      value[1] = fp.y(), slope.row(1) = 2 * f.A.row(1);
      value[2] = fp.z(), slope.row(2) = 2 * f.A.row(2);
    } else {
      const Quadric& g = region.surfaces[s[1]].f;
      const Vec3 gp = g.gradient(p);
      value[1] = g.value(p), slope.row(1) = gp;
      if (s.size() == 2) {
        value[2] = fp.y() * gp.z() - fp.z() * gp.y();
        slope.row(2) = 2 * (f.A.row(1) * gp.z() + fp.y() * g.A.row(2) - f.A.row(2) * gp.y() - fp.z() * g.A.row(1));
      } else {
        const Quadric& h = region.surfaces[s[2]].f;
        value[2] = h.value(p), slope.row(2) = h.gradient(p);
      }
    }
    const double det = slope.determinant();
    if (!(std::abs(det) > 1e-14)) return false;
    const Vec3 dp = slope.inverse() * value;
    if (!(dp.norm() < 2)) return false;
    p -= dp;
    if (dp.norm() < 1e-14 || (step > 5 && dp.norm() < 1e-11)) return true;
  }
  return false;
}

}  // namespace

BreakFinder::Sample BreakFinder::take(double x) {
  slice_.set(x);
  Sample sample{x, slice_.signature(), {}};
  for (const SliceBreak& point : slice_.breaks())
    if (point.j >= 0 || (point.i >= 0 && !slice_.has_corner(point.i))) sample.corners.push_back(point);
  return sample;
}

bool BreakFinder::find_critical(const Sample& a, const Sample& b, double& x) const {
  if (!region_.solids.empty()) return false;
  Difference difference;
  int corners = 0;
  const auto note = [&](int surface) {
    if (surface < 0) return;
    for (int known : difference.surfaces)
      if (known == surface) return;
    difference.surfaces.push_back(surface);
  };
  for (const Sample* sample : {&a, &b}) {
    const Sample& other = sample == &a ? b : a;
    for (const SliceBreak& corner : sample->corners) {
      if (count_like(sample->corners, corner) == count_like(other.corners, corner)) continue;
      note(corner.i), note(corner.j);
      difference.start += Vec3(sample->x, corner.y, corner.z), ++corners;
    }
  }
  if (corners == 0 || difference.surfaces.overflow || difference.surfaces.size() > 3) return false;
  Vec3 p = difference.start / corners;
  if (!solve_critical(region_, difference.surfaces, p)) return false;
  x = p.x();
  return x > a.x && x < b.x;
}

/// Takes x as a break if slices change there; just beside it both sides may still differ from those farther away: what
/// else changes is found in turn.
bool BreakFinder::split_at(double x, const Sample& a, const Sample& b, int depth) {
  const double step = std::max(1e-6 * (b.x - a.x), 1e-13);
  const Sample left = take(x - step), right = take(x + step);
  if (left.signature == right.signature) return false;
  found_.push_back(x);
  if (left.x > a.x) refine(a, left, depth + 1);
  if (right.x < b.x) refine(right, b, depth + 1);
  return true;
}

/// Where the region ends between an empty slice and one that is not.
double BreakFinder::find_end(double empty, double full) {
  for (int step = 0; step < 40; ++step) {
    const double x = 0.5 * (empty + full);
    slice_.set(x);
    (slice_.empty() ? empty : full) = x;
  }
  return empty;
}

/// Halves [a, b], or jumps to a critical point inside, until every change is a break.
void BreakFinder::refine(const Sample& a, const Sample& b, int depth) {
  // A pole is a break though slices look alike on both sides; closer to it their corners come and go by rounding.
  constexpr double near_pole = 1e-4;
  for (double x : poles_)
    if (a.x < x - near_pole && b.x > x + near_pole) {
      found_.push_back(x);
      const Sample left = take(x - near_pole), right = take(x + near_pole);
      for (const Sample* side : {&left, &right})
        if (side->corners.empty()) found_.push_back(find_end(side->x, x));
      refine(a, left, depth + 1);
      refine(right, b, depth + 1);
      return;
    }
  if (a.signature == b.signature) return;
  const double width = b.x - a.x;
  if (width < tolerance_ || depth > 60) {
    found_.push_back(0.5 * (a.x + b.x));
    return;
  }
  // Extreme points of single surfaces in closed form, of edges and corners by Newton's method.
  for (double x : extremes_)
    if (x > a.x && x < b.x && split_at(x, a, b, depth)) return;
  double x = 0;
  if (find_critical(a, b, x) && split_at(x, a, b, depth)) return;
  const Sample middle = take(0.5 * (a.x + b.x));
  // Corners that come and go by rounding where surfaces touch: a short piece of its own.
  if (width < 1e-7 && middle.signature != a.signature && middle.signature != b.signature) {
    found_.push_back(a.x);
    found_.push_back(b.x);
    return;
  }
  refine(a, middle, depth + 1);
  refine(middle, b, depth + 1);
}

bool BreakFinder::is_proved_empty(double x0, double x1) const {
  const Vec3 m(0.5 * (x0 + x1), 0, 0), h(0.5 * (x1 - x0), 1, 1);
  for (const RegionSurface& surface : region_.surfaces)
    if (calc_range(surface.f, m, h).low > 0) return true;
  for (const RegionSurface& a : region_.surfaces)
    for (const RegionSurface& b : region_.surfaces) {
      if (a.of_b || !b.of_b) continue;
      // The sum whose steep parts along the chord cancel.
      const double ga = a.f.gradient(m).z(), gb = b.f.gradient(m).z();
      if (!(ga * gb < 0)) continue;
      const double s = std::abs(gb), t = std::abs(ga);
      const Quadric sum{s * a.f.A + t * b.f.A, s * a.f.b + t * b.f.b, s * a.f.c + t * b.f.c};
      if (calc_range(sum, m, h).low > 0) return true;
    }
  return false;
}

/// Two empty slices: nothing lies between them only if that can be proved; else look closer.
void BreakFinder::explore_empty(const Sample& a, const Sample& b, int depth) {
  if (depth == 0 || is_proved_empty(a.x, b.x)) return;
  const Sample middle = take(0.5 * (a.x + b.x));
  if (middle.corners.empty()) {
    explore_empty(a, middle, depth - 1);
    explore_empty(middle, b, depth - 1);
  } else {
    refine(a, middle, 0);
    refine(middle, b, 0);
  }
}

/// Where the least (or largest) value of f over a slice is zero: with M the part of A and r(x) the slope in the slice,
///     h(x) = A_xx x^2 + 2 b_x x + c - r(x)' M^+ r(x) = 0,
/// a quadratic. Extreme points, the lines along which a cylinder parallel to the slices is touched, planes along the
/// slices, apexes of cones.
/// Those on the region's boundary are returned.
std::vector<double> BreakFinder::find_extremes() {
  std::vector<double> on_boundary;
  for (std::size_t own = 0; own < region_.surfaces.size(); ++own) {
    const Quadric& f = region_.surfaces[own].f;
    const Eigen::Matrix2d M = f.A.bottomRightCorner<2, 2>();
    const SymmetricEigen2 eigen = calc_symmetric_eigen(M);
    std::array<double, 3> h = {f.c, 2 * f.b.x(), f.A(0, 0)};
    bool has_extreme = true, is_point = true;
    Eigen::Vector2d place0 = Eigen::Vector2d::Zero(), place1 = Eigen::Vector2d::Zero();  // (y, z) = place0 + place1 x
    for (int k = 0; k < 2; ++k) {
      const Eigen::Vector2d e = eigen.vectors.col(k);
      const double r0 = e.dot(f.b.tail<2>()), r1 = e.dot(f.A.bottomLeftCorner<2, 1>()), lambda = eigen.values[k];
      if (std::abs(lambda) > 1e-12) {
        h[0] -= r0 * r0 / lambda, h[1] -= 2 * r0 * r1 / lambda, h[2] -= r1 * r1 / lambda;
        place0 -= r0 / lambda * e, place1 -= r1 / lambda * e;
      } else {
        has_extreme = has_extreme && std::abs(r0) < 1e-13 && std::abs(r1) < 1e-13;
        is_point = false;
      }
    }
    if (!has_extreme) continue;
    const PolynomialRoots roots = find_polynomial_roots<2>(h, -1, 1, 0);
    extremes_.insert(extremes_.end(), roots.t.begin(), roots.t.begin() + roots.count);
    for (int k = 0; k < roots.count; ++k) {
      const Eigen::Vector2d yz = place0 + place1 * roots.t[k];
      const Vec3 p(roots.t[k], yz[0], yz[1]);
      bool inside = p.cwiseAbs().maxCoeff() <= 1;
      for (std::size_t other = 0; inside && other < region_.surfaces.size(); ++other)
        inside = other == own || region_.surfaces[other].f.value(p) <= 1e-9;
      if (inside || !is_point) on_boundary.push_back(p.x());
    }
    // The apex of a cone is a break, whatever its slices look like: h has a double root there.
    const double apex = -0.5 * h[1] / h[2], depth = h[0] - 0.25 * h[1] * h[1] / h[2];
    if (h[2] != 0 && std::abs(depth) < 1e-12 && std::abs(apex) < 1) found_.push_back(apex);
  }
  return on_boundary;
}

std::vector<double> BreakFinder::find() {
  constexpr int samples = 8;
  std::vector<double> places = find_extremes();
  // Evenly spaced slices, and one between any two critical places known beforehand.
  std::vector<double> x;
  for (int k = 0; k <= samples; ++k) x.push_back(k == samples ? 1.0 : -1 + 2.0 * k / samples);
  if (region_.solids.empty()) {
    const std::vector<double> corners = find_critical_places(region_);
    const EdgePlaces edges = find_edge_places(region_);
    complete_ = edges.complete;
    // A pole is a double solution: there is none where the search is complete.
    if (!complete_) poles_ = find_poles(region_);
    for (const std::vector<double>* some : {&corners, &edges.x}) {
      places.insert(places.end(), some->begin(), some->end());
      extremes_.insert(extremes_.end(), some->begin(), some->end());
    }
    std::sort(places.begin(), places.end());
    for (std::size_t k = 0; k + 1 < places.size(); ++k)
      if (places[k + 1] - places[k] > 1e-9) x.push_back(0.5 * (places[k] + places[k + 1]));
  }
  for (const Vec3& seed : region_.seeds) x.push_back(seed.x());
  std::sort(x.begin(), x.end());
  std::vector<Sample> slices;
  for (double place : x) slices.push_back(take(place));
  for (std::size_t k = 1; k < slices.size(); ++k) {
    if (slices[k - 1].corners.empty() && slices[k].corners.empty())
      explore_empty(slices[k - 1], slices[k], region_.solids.empty() ? 5 : 2);
    else
      refine(slices[k - 1], slices[k], 0);
  }
  // Poles close to a sampled slice.
  found_.insert(found_.end(), poles_.begin(), poles_.end());
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace stiction
