#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_ray.h"
#include "stiction/geometry/volume/volume_roots.h"
#include "stiction/geometry/volume/volume_slice.h"
#include "stiction/math/roots.h"

namespace stiction {
namespace {

/// This much off a surface counts as on it, and corners this close as one.
constexpr double on_surface = 1e-11, same = 1e-8;
/// To which a change between rays is found.
constexpr double search_tolerance = 1e-10;

std::size_t mix(std::size_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

bool is_line(const Conic& q) {
  return q.zz == 0 && q.yz == 0 && q.yy == 0;
}

/// Heights at which q(y, z) = 0; also just above or below a turn.
int find_heights(const Conic& q, double y, double* z) {
  const double a = q.zz, b = q.yz * y + q.z1, c = (q.yy * y + 2 * q.y1) * y + q.c;
  if (std::abs(a) < 1e-14 * (std::abs(b) + std::abs(c))) {
    if (std::abs(b) < 1e-14 * std::abs(c)) return 0;
    z[0] = -c / (2 * b);
    return 1;
  }
  const double root = -(b + std::copysign(std::sqrt(std::max(b * b - a * c, 0.0)), b));
  z[0] = root / a;
  z[1] = root == 0 ? z[0] : c / root;
  return 2;
}

}  // namespace

void Slice::add_if_inside(double y, double z, int i, int j) {
  if (!(std::abs(y) <= 1 + boundary_slack && std::abs(z) <= 1 + boundary_slack)) return;
  for (int k : active_)
    if (k != i && k != j && conics_[k].value(y, z) > boundary_slack) return;
  for (const SliceBreak& other : breaks_)
    if (other.i == i && other.j == j && std::abs(other.y - y) + std::abs(other.z - z) < same) return;
  breaks_.push_back({y, z, i, j});
}

/// Newton's method on q_i = q_j = 0, kept only while it improves.
void Slice::polish(int i, int j, double& y, double& z) const {
  const Conic &p = conics_[i], &q = conics_[j];
  double error = std::abs(p.value(y, z)) + std::abs(q.value(y, z));
  for (int step = 0; step < 10 && error > 1e-15; ++step) {
    const double fp = p.value(y, z), fq = q.value(y, z);
    const double py = p.slope_y(y, z), pz = p.slope_z(y, z), qy = q.slope_y(y, z), qz = q.slope_z(y, z);
    const double det = py * qz - pz * qy;
    if (det == 0) return;
    const double y_new = y - (fp * qz - fq * pz) / det, z_new = z - (py * fq - qy * fp) / det;
    const double error_new = std::abs(p.value(y_new, z_new)) + std::abs(q.value(y_new, z_new));
    if (!(error_new < error)) return;
    y = y_new, z = z_new, error = error_new;
  }
}

/// Points of the conic with a tangent along z: its discriminant b^2 - a c in z, quadratic in y, vanishes.
void Slice::add_turns(int i) {
  const Conic& q = conics_[i];
  if (q.zz == 0) return;
  const std::array<double, 3> discriminant = {q.z1 * q.z1 - q.zz * q.c, 2 * (q.yz * q.z1 - q.zz * q.y1),
                                              q.yz * q.yz - q.zz * q.yy};
  const PolynomialRoots roots = find_polynomial_roots<2>(discriminant, -2, 2, 0);
  if (roots.count == 0 && discriminant[2] != 0) {
    // Both arms of a sharp hyperbola: between them the chord bends, if not with a corner.
    const double y = -0.5 * discriminant[1] / discriminant[2], apart = discriminant[0] / discriminant[2] - y * y;
    if (apart > 0 && apart < 0.05 && std::abs(y) < 1) bends_.push_back(y);
  }
  for (int k = 0; k < roots.count; ++k) {
    turns_.push_back(roots.t[k]);
    add_if_inside(roots.t[k], -(q.yz * roots.t[k] + q.z1) / q.zz, i, -1);
  }
}

/// i is a line: walk along it, whichever way it runs.
void Slice::add_line_crossings(int i, int j) {
  const Conic &line = conics_[i], &q = conics_[j];
  const double norm2 = line.y1 * line.y1 + line.z1 * line.z1;
  if (norm2 == 0) return;
  // (y, z) = point + t direction
  const double py = -0.5 * line.c * line.y1 / norm2, pz = -0.5 * line.c * line.z1 / norm2, norm = std::sqrt(norm2);
  const double dy = -line.z1 / norm, dz = line.y1 / norm;
  const std::array<double, 3> c = {q.value(py, pz), q.slope_y(py, pz) * dy + q.slope_z(py, pz) * dz,
                                   (q.zz * dz + 2 * q.yz * dy) * dz + q.yy * dy * dy};
  if (is_line(q)) {
    const double t = -c[0] / c[1];
    if (c[1] != 0 && std::abs(t) < 2) add_if_inside(py + t * dy, pz + t * dz, std::min(i, j), std::max(i, j));
    return;
  }
  const PolynomialRoots roots = find_polynomial_roots<2>(c, -2, 2, 0);
  for (int k = 0; k < roots.count; ++k) {
    const double y = py + roots.t[k] * dy, z = pz + roots.t[k] * dz;
    if (std::abs(q.value(y, z)) < on_surface) add_if_inside(y, z, std::min(i, j), std::max(i, j));
  }
}

/// Two conics a z^2 + 2 b z + c: the resultant in z, of degree 4 in y,
///     (a1 c2 - a2 c1)^2 - 4 (a1 b2 - a2 b1)(b1 c2 - b2 c1) = 0
/// gives candidates that Newton's method makes sharp. A candidate too many costs a panel, one too few is left to the
/// adaptive quadrature.
void Slice::add_crossings(int i, int j) {
  const Conic &p = conics_[i], &q = conics_[j];
  if (is_line(p)) return add_line_crossings(i, j);
  if (is_line(q)) return add_line_crossings(j, i);
  // Coefficients ascending in y.
  const double u[3] = {p.zz * q.c - q.zz * p.c, 2 * (p.zz * q.y1 - q.zz * p.y1), p.zz * q.yy - q.zz * p.yy};
  const double v[2] = {p.zz * q.z1 - q.zz * p.z1, p.zz * q.yz - q.zz * p.yz};
  const double w[4] = {p.z1 * q.c - q.z1 * p.c, p.yz * q.c + 2 * p.z1 * q.y1 - q.yz * p.c - 2 * q.z1 * p.y1,
                       2 * p.yz * q.y1 + p.z1 * q.yy - 2 * q.yz * p.y1 - q.z1 * p.yy, p.yz * q.yy - q.yz * p.yy};
  const std::array<double, 5> resultant = {
      u[0] * u[0] - 4 * v[0] * w[0], 2 * u[0] * u[1] - 4 * (v[0] * w[1] + v[1] * w[0]),
      u[1] * u[1] + 2 * u[0] * u[2] - 4 * (v[0] * w[2] + v[1] * w[1]),
      2 * u[1] * u[2] - 4 * (v[0] * w[3] + v[1] * w[2]), u[2] * u[2] - 4 * v[1] * w[3]};
  const PolynomialRoots roots = find_polynomial_roots<4>(resultant, -1 - boundary_slack, 1 + boundary_slack, 1e-9);
  for (int k = 0; k < roots.count; ++k) {
    // The common height is -u/2v where the conics do not have the same axis; else any height of either.
    const double t = roots.t[k], common = -0.5 * (u[0] + (u[1] + u[2] * t) * t), part = v[0] + v[1] * t;
    double heights[4] = {common / part};
    int count = 1;
    if (std::abs(part) < 1e-3) {
      count = find_heights(p, t, heights);
      count += find_heights(q, t, heights + count);
    }
    for (int n = 0; n < count; ++n) {
      double y = roots.t[k], z = heights[n];
      if (!(std::abs(z) < 1.5)) continue;
      polish(i, j, y, z);
      if (std::abs(y - roots.t[k]) < 1e-2 && std::abs(p.value(y, z)) + std::abs(q.value(y, z)) < on_surface)
        add_if_inside(y, z, i, j);
    }
  }
}

void Slice::find_breaks_by_roots() {
  for (std::size_t a = 0; a < active_.size(); ++a) {
    add_turns(active_[a]);
    for (std::size_t b = a + 1; b < active_.size(); ++b) add_crossings(active_[a], active_[b]);
  }
  std::sort(breaks_.begin(), breaks_.end(), [](const SliceBreak& a, const SliceBreak& b) { return a.y < b.y; });
  for (const SliceBreak& point : breaks_)
    if (point.j >= 0 || !has_corner(point.i))
      signature_ += mix((static_cast<std::size_t>(point.i) << 20) + point.j + 7);
  if (bends_.empty() || breaks_.empty()) return;
  for (double y : bends_)
    if (y > breaks_.front().y && y < breaks_.back().y) breaks_.push_back({y, 0, -1, -1});
  std::sort(breaks_.begin(), breaks_.end(), [](const SliceBreak& a, const SliceBreak& b) { return a.y < b.y; });
}

bool Slice::has_corner(int i) const {
  return std::any_of(breaks_.begin(), breaks_.end(),
                     [&](const SliceBreak& point) { return point.j >= 0 && (point.i == i || point.j == i); });
}

RaySample Slice::take_ray(double y) const {
  RaySample ray;
  ray.y = y;
  calc_chords(y, ray.chords);
  for (const Chord& chord : ray.chords)
    ray.signature = mix(ray.signature + (static_cast<std::size_t>(find_part(chord.surface0, y, chord.z0)) << 20) +
                        find_part(chord.surface1, y, chord.z1));
  return ray;
}

Vec3 Slice::calc_in_solid(int solid, double y, double z) const {
  return region_.solids[solid].X_SF * Vec3(region_.centre + region_.half.cwiseProduct(Vec3(x_, y, z)));
}

/// A number for a smooth part of the boundary: a superquadric has creases, sharp or faint, in its planes of symmetry.
int Slice::find_part(int surface, double y, double z) const {
  const int solid = surface - static_cast<int>(region_.surfaces.size());
  if (solid < 0 || !std::holds_alternative<Superquadric>(*region_.solids[solid].shape)) return 8 * (surface + 2);
  const Vec3 p = calc_in_solid(solid, y, z);
  return 8 * (surface + 2) + (p.x() < 0) + 2 * (p.y() < 0) + 4 * (p.z() < 0);
}

/// Which function changes its sign between two rays: a coordinate of a chord's end on a superquadric (its crease), or
/// the value, at the end of a chord, of the surface that the end lies on in the other ray.
std::optional<RayEvent> Slice::find_event(const RaySample& a, const RaySample& b) const {
  if (a.chords.size() != b.chords.size()) return {};
  std::optional<RayEvent> event;
  for (int k = 0; k < a.chords.size(); ++k)
    for (int end = 0; end < 2; ++end) {
      const int i = a.chords[k].surface(end), j = b.chords[k].surface(end);
      const int difference = find_part(i, a.y, a.chords[k].z(end)) ^ find_part(j, b.y, b.chords[k].z(end));
      if (difference == 0) continue;
      if (event || i < 0 || j < 0) return {};
      event = RayEvent{k, end, i, j, 0};
      if (i == j) {
        if (difference != 1 && difference != 2 && difference != 4) return {};
        event->axis = difference / 2;
      }
    }
  return event;
}

double Slice::calc_event(const RayEvent& event, const RaySample& ray) const {
  const int n_surfaces = static_cast<int>(region_.surfaces.size());
  const Chord& chord = ray.chords[event.chord];
  const double z = chord.z(event.end);
  if (event.i == event.j) return calc_in_solid(event.i - n_surfaces, ray.y, z)[event.axis];
  const int other = chord.surface(event.end) == event.i ? event.j : event.i;
  const double value = other < n_surfaces ? conics_[other].value(ray.y, z)
                                          : calc_implicit(*region_.solids[other - n_surfaces].shape,
                                                          calc_in_solid(other - n_surfaces, ray.y, z));
  return other == event.j ? value : -value;
}

/// Closes in on a change by the root of its function; false if a third kind of ray lies between: that one is `third`.
bool Slice::narrow_by_event(const RayEvent& event, RaySample& a, RaySample& b, RaySample& third) const {
  bool clean = true;
  const double ea = calc_event(event, a), eb = calc_event(event, b), sign = ea < eb ? 1 : -1;
  const auto value = [&](double y) {
    if (!clean) return 0.0;
    const RaySample ray = take_ray(y);
    if (ray.signature != a.signature && ray.signature != b.signature) {
      clean = false, third = ray;
      return 0.0;
    }
    // The sign is the signature's: what the function says is but a hint.
    const double e = calc_event(event, ray), side = ray.signature == a.signature ? -sign : sign;
    return side * e > 0 ? e : side * 1e-300;
  };
  if (!(ea * eb < 0)) return true;
  const RootBracket bracket = find_root_bracket(value, a.y, b.y, ea, eb, search_tolerance);
  if (clean) a.y = bracket.a, b.y = bracket.b;
  return clean;
}

/// The end of a chord that is there at `full` and not at `empty`: the square of its length falls to zero linearly.
bool Slice::narrow_end(RaySample& full, RaySample& empty, RaySample& third) const {
  const auto square = [](const RaySample& ray) {
    const double length = ray.chords[0].z1 - ray.chords[0].z0;
    return length * length;
  };
  double y_last = full.y, last = square(full);
  bool beyond = false;
  for (int step = 0; step < 60 && std::abs(empty.y - full.y) > search_tolerance; ++step) {
    double y = 0.5 * (full.y + empty.y);
    const double now = square(full);
    if (full.y != y_last && now < last && step % 4 != 3) {
      // Extrapolated, and a little to this side or the other of it.
      const double guess = full.y + now * (full.y - y_last) / (last - now), reach = guess - full.y;
      const double shift = std::copysign(std::max(0.02 * std::abs(reach), 0.3 * search_tolerance), reach);
      const double y_try = beyond ? guess - shift : guess + shift;
      if ((y_try - full.y) * (y_try - empty.y) < 0) y = y_try;
    }
    RaySample ray = take_ray(y);
    beyond = ray.signature == empty.signature;
    if (ray.signature == full.signature) {
      y_last = full.y, last = now;
      full = ray;
    } else if (beyond) {
      empty = ray;
    } else {
      third = ray;
      return false;
    }
  }
  return true;
}

/// All changes of the ray's surfaces between two rays: by the root of a function where one is known, else by halving.
void Slice::search(RaySample a, RaySample b) {
  if (a.signature == b.signature || breaks_.size() > 40) return;
  RaySample third;
  bool clean = true;
  if (const std::optional<RayEvent> event = find_event(a, b))
    clean = narrow_by_event(*event, a, b, third);
  else if (a.chords.size() == 1 && b.chords.size() == 0)
    clean = narrow_end(a, b, third);
  else if (a.chords.size() == 0 && b.chords.size() == 1)
    clean = narrow_end(b, a, third);
  if (clean && b.y - a.y <= search_tolerance) {
    const int number = static_cast<int>((a.signature ^ b.signature) & 0xffff);
    breaks_.push_back({0.5 * (a.y + b.y), 0, number, 0});
    signature_ += mix(a.signature) ^ mix(b.signature + 1);
    return;
  }
  if (clean) third = take_ray(0.5 * (a.y + b.y));
  search(a, third);
  search(third, b);
}

void Slice::find_breaks_by_search() {
  // Few rays will do if they show the slice that is expected.
  if (expected_ != 0) {
    sample_rays(9);
    if (signature_ == expected_) return;
    breaks_.clear(), signature_ = 0;
  }
  sample_rays(65);
}

void Slice::sample_rays(int samples) {
  std::vector<double> y;
  for (int k = 0; k < samples; ++k) y.push_back(-1 + 2.0 * k / (samples - 1));
  // Near the ends of the region a slice is small, but it lies about the middles of its neighbour.
  y.insert(y.end(), hints_.begin(), hints_.end());
  for (const Vec3& seed : region_.seeds) y.push_back(seed.y());
  std::sort(y.begin(), y.end());
  RaySample last = take_ray(y[0]);
  for (std::size_t k = 1; k < y.size(); ++k) {
    const RaySample ray = take_ray(y[k]);
    search(last, ray);
    last = ray;
  }
  if (breaks_.empty()) search_between(y);
  if (breaks_.size() < 2) return;
  hints_.clear();
  for (std::size_t k = 0; k + 1 < breaks_.size() && k < 12; ++k)
    hints_.push_back(0.5 * (breaks_[k].y + breaks_[k + 1].y));
}

double Slice::calc_overlap(double y) const {
  double low = -1, high = 1;
  const auto keep = [&](double z0, double z1) { low = std::max(low, z0), high = std::min(high, z1); };
  for (int i : active_) {
    const Conic& q = conics_[i];
    double z[2];
    if (q.zz < 0) continue;
    const double b = q.yz * y + q.z1, c = (q.yy * y + 2 * q.y1) * y + q.c;
    if (q.zz > 0 && b * b < q.zz * c) return -4;
    const int count = find_heights(q, y, z);
    if (count == 2) keep(std::min(z[0], z[1]), std::max(z[0], z[1]));
    if (count == 1) b > 0 ? keep(-HUGE_VAL, z[0]) : keep(z[0], HUGE_VAL);
  }
  for (const RegionSolid& solid : region_.solids) {
    const double h = region_.half.z();
    const Vec3 p = solid.X_SF * Vec3(region_.centre + region_.half.cwiseProduct(Vec3(x_, y, 0)));
    const RayChords found = calc_ray_chords(*solid.shape, p, solid.X_SF.R.col(2), -h, h);
    if (found.count == 0) return -4;
    keep(found.t[0][0] / h, found.t[found.count - 1][1] / h);
  }
  return high - low;
}

/// No ray meets the region: a thin part may lie between two. The overlap is a concave function of y for convex bodies:
/// where it is largest among the rays, its largest value is looked for by the golden section.
void Slice::search_between(const std::vector<double>& y) {
  std::size_t best = 0;
  double largest = -4;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double overlap = calc_overlap(y[k]);
    if (overlap > largest) largest = overlap, best = k;
  }
  if (largest == -4) return;
  constexpr double golden = 0.6180339887498949;
  double a = y[best > 0 ? best - 1 : 0], b = y[std::min(best + 1, y.size() - 1)];
  double y0 = b - golden * (b - a), y1 = a + golden * (b - a), f0 = calc_overlap(y0), f1 = calc_overlap(y1);
  for (int step = 0; step < 30 && f0 <= 0 && f1 <= 0; ++step) {
    if (f0 > f1)
      b = y1, y1 = y0, f1 = f0, y0 = b - golden * (b - a), f0 = calc_overlap(y0);
    else
      a = y0, y0 = y1, f0 = f1, y1 = a + golden * (b - a), f1 = calc_overlap(y1);
  }
  if (f0 <= 0 && f1 <= 0) return;
  const RaySample found = take_ray(f0 > f1 ? y0 : y1);
  search(take_ray(y.front()), found);
  search(found, take_ray(y.back()));
}

}  // namespace stiction
