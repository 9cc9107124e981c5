#include "stiction/geometry/volume/volume_slice.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_quadrature.h"
#include "stiction/geometry/volume/volume_ray.h"

namespace stiction {
namespace {

Conic calc_conic(const Quadric& f, double x) {
  return {f.A(2, 2),
          f.A(1, 2),
          f.A(1, 1),
          f.b.z() + f.A(0, 2) * x,
          f.b.y() + f.A(0, 1) * x,
          f.c + (2 * f.b.x() + f.A(0, 0) * x) * x};
}

/// Range of a conic over the square [-1, 1]^2, a little wide.
bool is_positive_everywhere(const Conic& q) {
  return q.c - 2 * (std::abs(q.y1) + std::abs(q.z1)) - 2 * std::abs(q.yz) + std::min(0.0, q.yy) + std::min(0.0, q.zz) >
         0;
}
bool is_negative_everywhere(const Conic& q) {
  return q.c + 2 * (std::abs(q.y1) + std::abs(q.z1)) + 2 * std::abs(q.yz) + std::max(0.0, q.yy) + std::max(0.0, q.zz) <
         0;
}

/// Keeps of each chord the part in [z0, z1].
void keep_between(Chords& chords, double z0, double z1, int surface) {
  int kept = 0;
  for (Chord& chord : chords) {
    if (z0 > chord.z0) chord.z0 = z0, chord.surface0 = surface;
    if (z1 < chord.z1) chord.z1 = z1, chord.surface1 = surface;
    if (chord.z0 < chord.z1) chords[kept++] = chord;
  }
  chords.shorten(kept);
}
/// Keeps the parts below z0 and above z1.
void keep_outside(Chords& chords, double z0, double z1, int surface) {
  const int count = chords.size();
  for (int k = 0; k < count; ++k) {
    Chord below = chords[k], above = chords[k];
    if (z0 < below.z1) below.z1 = z0, below.surface1 = surface;
    if (z1 > above.z0) above.z0 = z1, above.surface0 = surface;
    chords[k] = below;
    if (above.z0 < above.z1) chords.push_back(above);
  }
  int kept = 0;
  for (const Chord& chord : chords)
    if (chord.z0 < chord.z1) chords[kept++] = chord;
  chords.shorten(kept);
}

/// Cuts the chords by q(y, z) <= 0 at one y: a z^2 + 2 b z + c, roots without cancellation.
void cut(Chords& chords, const Conic& q, double y, int surface) {
  const double a = q.zz, b = q.yz * y + q.z1, c = (q.yy * y + 2 * q.y1) * y + q.c;
  if (a == 0) {
    if (b > 0) return keep_between(chords, -HUGE_VAL, -c / (2 * b), surface);
    if (b < 0) return keep_between(chords, -c / (2 * b), HUGE_VAL, surface);
    if (c > 0) chords.clear();
    return;
  }
  const double discriminant = b * b - a * c;
  if (discriminant <= 0) {
    if (a > 0) chords.clear();
    return;
  }
  const double root = -(b + std::copysign(std::sqrt(discriminant), b));
  double z0 = root / a, z1 = c / root;
  if (z1 < z0) std::swap(z0, z1);
  if (a > 0)
    keep_between(chords, z0, z1, surface);
  else
    keep_outside(chords, z0, z1, surface);
}

}  // namespace

void Slice::set(double x) {
  x_ = x;
  breaks_.clear();
  signature_ = 0;
  conics_.clear();
  active_.clear();
  turns_.clear();
  bends_.clear();
  for (const RegionSurface& surface : region_.surfaces) {
    const Conic q = calc_conic(surface.f, x);
    if (is_positive_everywhere(q)) return;
    if (!is_negative_everywhere(q)) active_.push_back(static_cast<int>(conics_.size()));
    conics_.push_back(q);
  }
  if (region_.solids.empty())
    find_breaks_by_roots();
  else
    find_breaks_by_search();
}

void Slice::calc_chords(double y, Chords& chords) const {
  chords.clear();
  chords.push_back({-1, 1, -1, -1});
  for (int i : active_) {
    cut(chords, conics_[i], y, i);
    if (chords.empty()) return;
  }
  for (int k = 0; k < static_cast<int>(region_.solids.size()); ++k) {
    const RegionSolid& solid = region_.solids[k];
    const double h = region_.half.z();
    const Vec3 p = solid.X_SF * Vec3(region_.centre + region_.half.cwiseProduct(Vec3(x_, y, 0)));
    const RayChords found = calc_ray_chords(*solid.shape, p, solid.X_SF.R.col(2), -h, h);
    const int surface = static_cast<int>(region_.surfaces.size()) + k;
    if (found.count == 0) return chords.clear();
    keep_between(chords, found.t[0][0] / h, found.t[found.count - 1][1] / h, surface);
    if (found.count == 2) keep_outside(chords, found.t[0][1] / h, found.t[1][0] / h, surface);
    if (chords.empty()) return;
  }
}

SliceSums Slice::calc_ray_sums(double y) const {
  SliceSums sums = SliceSums::Zero();
  Chords chords;
  calc_chords(y, chords);
  for (const Chord& chord : chords) {
    // int 1, z, z^2 dz along the chord.
    const double L = chord.z1 - chord.z0, m = 0.5 * L * (chord.z0 + chord.z1);
    const double mm = L / 3 * (chord.z0 * chord.z0 + chord.z0 * chord.z1 + chord.z1 * chord.z1);
    sums[0] += L, sums[1] += x_ * L, sums[2] += y * L, sums[3] += m;
    sums[4] += x_ * x_ * L, sums[5] += y * y * L, sums[6] += mm;
    sums[7] += x_ * y * L, sums[8] += y * m, sums[9] += x_ * m;
    // The ends on B (or A): n dS = gradient / |gradient_z| dx dy.
    for (int end = 0; end < 2; ++end) {
      const int surface = end == 0 ? chord.surface0 : chord.surface1;
      const int n_surfaces = static_cast<int>(region_.surfaces.size());
      if (surface < 0) continue;
      const Vec3 u(x_, y, end == 0 ? chord.z0 : chord.z1), p = region_.half.cwiseProduct(u);
      Vec3 g;
      if (surface < n_surfaces) {
        if (region_.surfaces[surface].of_b != region_.surface_of_b) continue;
        g = region_.surfaces[surface].f.gradient(u).cwiseQuotient(region_.half);
      } else {
        const RegionSolid& solid = region_.solids[surface - n_surfaces];
        if (solid.of_b != region_.surface_of_b) continue;
        g = solid.X_SF.R.transpose() * calc_implicit_gradient(*solid.shape, solid.X_SF * Vec3(region_.centre + p));
      }
      const double steep = std::abs(g.z());
      if (!(steep > 0)) continue;
      const double sign = region_.surface_of_b ? 1 : -1;
      const Vec3 area = sign * region_.half.x() * region_.half.y() / steep * g;
      sums.segment<3>(10) += area.array(), sums.segment<3>(13) += p.cross(area).array();
    }
  }
  return sums;
}

/// Where a conic turns at an end of [a, b], or beyond it but near, the chord is like a square root of the distance;
/// else it is smooth. Regions with solids: roots at both ends, to be safe.
SmoothInterval Slice::calc_interval(double a, double b) const {
  if (!region_.solids.empty()) return {a, b};
  SmoothInterval interval{a, b, false, false};
  const double near = 0.5 * (b - a);
  for (double turn : turns_) {
    if (turn < a + 1e-12 && a - turn < near) {
      const double y = std::min(turn, a);
      interval.left = interval.left_root ? std::max(interval.left, y) : y, interval.left_root = true;
    } else if (turn > b - 1e-12 && turn - b < near) {
      const double y = std::max(turn, b);
      interval.right = interval.right_root ? std::min(interval.right, y) : y, interval.right_root = true;
    }
  }
  return interval;
}

SliceSums Slice::calc_sums(double accuracy, double small_area) const {
  SliceSums total = SliceSums::Zero();
  Chords chords;
  // From one side of the cube to the other: a break that was missed at the end loses nothing.
  double a = -1;
  for (std::size_t k = 0; k <= breaks_.size(); ++k) {
    const double b = k < breaks_.size() ? breaks_[k].y : 1;
    const double middle = 0.5 * (a + b), width = b - a;
    if (!(width > 1e-14)) continue;
    calc_chords(middle, chords);
    if (!chords.empty()) {
      const SmoothInterval interval = calc_interval(a, b);
      const auto q =
          integrate_smooth<SliceSums, 12, 32>([&](double y) { return calc_ray_sums(y); }, interval,
                                              [&](double area) { return accuracy * std::max(area, small_area); });
      total += q.sums;
      total[16] += q.error;
    }
    a = b;
  }
  return total;
}

}  // namespace stiction
