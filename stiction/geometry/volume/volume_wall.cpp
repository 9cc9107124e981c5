#include "stiction/geometry/volume/volume_wall.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/shape/constraint_visit.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_clip.h"
#include "stiction/geometry/volume/volume_moments.h"
#include "stiction/geometry/volume/volume_quadrature.h"
#include "stiction/geometry/volume/volume_roots.h"

namespace stiction {
namespace {

/// Directions are the same, planes pass through the axis: rounding of a scene's numbers, relative [-].
constexpr double wall_rounding = 1e-12;
constexpr double sample_angle = 0.1;     ///< between samples of phi [rad]
constexpr double break_accuracy = 1e-3;  ///< of an angle at which figures change inside the wall, in sample_angle: the
                                         ///< integrand is smooth to second order there
constexpr int most_breaks = 24;

/// A wall in a frame whose z axis is the bore's axis, x the middle of its sector.
struct BoreWall {
  double radius = 0;
  Transform X_AF;
  double half = std::numbers::pi;        ///< the sector is |phi| <= half
  double z0 = -HUGE_VAL, z1 = HUGE_VAL;  ///< between mouth and bottom
  double outer = HUGE_VAL;               ///< nothing beyond it is described by this
  bool is_sector() const { return half < std::numbers::pi; }
};

/// The circular cylinder whose complement f is: A = -(I - k k') s; none for other quadrics.
bool find_bore(const Quadric& f, BoreWall& wall) {
  const double s = -0.5 * f.A.trace();
  if (!(s > 0)) return false;
  const Mat3 kk = Mat3::Identity() + f.A / s;
  Eigen::Index column = 0;
  kk.colwise().squaredNorm().maxCoeff(&column);
  const Vec3 k = kk.col(column).normalized();
  if ((kk - k * k.transpose()).cwiseAbs().maxCoeff() > wall_rounding) return false;
  // f = -s |x - p|^2 + s (k.(x - p))^2 + s R^2: the point p of the axis nearest to the origin.
  const Vec3 p = f.b / s;
  const double square = f.c / s + p.squaredNorm();
  if (!(square > 0) || std::abs(k.dot(p)) > wall_rounding * (p.norm() + std::sqrt(square))) return false;
  wall.radius = std::sqrt(square);
  wall.X_AF.p = p;
  wall.X_AF.R.col(2) = k;
  return true;
}

/// One of the cell's planes; false: not of a wall.
bool add_plane(const Quadric& f, BoreWall& wall, FixedVector<Vec3, 2>& radial) {
  if (!f.is_flat()) return false;
  const double size = 2 * f.b.norm();
  const Vec3 n = 2 * f.b / size, k = wall.X_AF.R.col(2);
  const double offset = -f.c / size - n.dot(wall.X_AF.p), along = n.dot(k);
  if (std::abs(along) > 1 - wall_rounding) {
    (along > 0 ? wall.z1 : wall.z0) = along > 0 ? std::min(wall.z1, offset) : std::max(wall.z0, -offset);
    return true;
  }
  if (std::abs(along) > wall_rounding) return false;
  if (std::abs(offset) <= wall_rounding * wall.radius) {
    radial.push_back(n);
    return !radial.overflow;
  }
  wall.outer = std::min(wall.outer, offset);
  return offset > wall.radius;
}

void set_sector(const FixedVector<Vec3, 2>& radial, BoreWall& wall) {
  const Vec3 k = wall.X_AF.R.col(2);
  Vec3 middle = k.unitOrthogonal();
  if (radial.size() == 1) {
    middle = -radial[0], wall.half = 0.5 * std::numbers::pi;
  } else if (radial.size() == 2) {
    const Vec3 sum = -(radial[0] + radial[1]);
    // Normals to each other's negatives: a half-circle.
    middle = sum.norm() > wall_rounding ? Vec3(sum.normalized()) : k.cross(radial[0]);
    wall.half = std::asin(std::clamp(-radial[0].dot(middle), 0.0, 1.0));
  }
  wall.X_AF.R.col(0) = middle, wall.X_AF.R.col(1) = k.cross(middle);
}

/// Axis of a body of revolution, in its frame: what lies in planes across the bore's axis is within radius / cosine of
/// the points of that axis, the cosine that of the angle of both.
struct RoundAxis {
  Vec3 axis = Vec3::UnitZ();
  double radius = 0;
};
RoundAxis find_axis(const Cylinder& s) {
  return {s.axis, s.radius};
}
RoundAxis find_axis(const Cone& s) {
  return {s.axis, s.radius};
}
template <class Other>
RoundAxis find_axis(const Other&) {
  return {};
}

/// Shapes that may be a wall, and those that may stand in one.
bool may_be_wall(const Shape& shape) {
  return std::visit(
      [](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        return std::is_same_v<S, Cell> || std::is_same_v<S, HollowCylinder>;
      },
      shape);
}
bool may_be_peg(const Shape& shape) {
  return std::visit([](const auto& s) { return find_axis(s).radius > 0; }, shape);
}

std::optional<BoreWall> find_wall(const Shape& shape) {
  BoreWall wall;
  FixedVector<Vec3, 2> radial;
  bool fits = true;
  int bores = 0;
  const auto look_for_bore = [&](const Quadric& f) {
    if (!f.is_flat()) fits = fits && find_bore(f, wall), ++bores;
  };
  const auto look_at_planes = [&](const Quadric& f) {
    if (f.is_flat()) fits = fits && add_plane(f, wall, radial);
  };
  std::visit([&](const auto& s) { visit_constraints(s, look_for_bore); }, shape);
  if (!fits || bores != 1) return {};
  std::visit([&](const auto& s) { visit_constraints(s, look_at_planes); }, shape);
  if (!fits) return {};
  set_sector(radial, wall);
  return wall;
}

/// A surface of the body in a half-plane: a r^2 + 2 m r z + d z^2 + 2 p r + 2 q z + c <= 0.
struct FigureConic {
  double a, m, d, p, q, c;
  bool flat;
  double value(double r, double z) const { return (a * r + 2 * (m * z + p)) * r + (d * z + 2 * q) * z + c; }
};
/// Where the figure changes along z, and by what: two figures with the same list are alike.
struct FigureBreak {
  double z;
  int source;
};
struct FigureChord {
  double lo, hi;
  int lo_surface, hi_surface;  ///< -1: the wall
};

/// What a half-plane phi = const cuts of the body.
class Figure {
 public:
  Figure(const FixedVector<Quadric, 3>& body, const BoreWall& wall, double phi, double z0, double z1)
      : R_(wall.radius), z0_(z0), z1_(z1), cosine(std::cos(phi)), sine(std::sin(phi)) {
    const Vec3 e(cosine, sine, 0);
    for (const Quadric& f : body) {
      const Vec3 Ae = f.A * e;
      conics_.push_back({e.dot(Ae), Ae.z(), f.A(2, 2), e.dot(f.b), f.b.z(), f.c, f.is_flat()});
    }
    find_breaks();
  }
  /// The body on the ray at height z, beyond R; lo > hi: nothing.
  FigureChord find_chord(double z) const {
    FigureChord chord{R_, HUGE_VAL, -1, -1};
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < conics_.size(); ++k)
        if (conics_[k].flat == (pass == 0)) cut(chord, conics_[k], z, k);
    return chord;
  }
  /// How far the figure reaches beyond R; below 0 a measure of how far it is from it.
  struct Reach {
    double size = -HUGE_VAL, z = 0;
  };
  Reach calc_reach() const {
    Reach reach;
    for (const double candidate : candidates_) {
      const double z = std::clamp(candidate, z0_, z1_);
      const FigureChord chord = find_chord(z);
      if (chord.hi - chord.lo > reach.size) reach = {chord.hi - chord.lo, z};
    }
    return reach;
  }
  /// Pieces of z between which nothing changes: begin(z0, z1) for each that is not empty.
  template <class Begin>
  void visit_pieces(Begin&& begin) const {
    for (int i = 0; i + 1 < breaks_.size(); ++i) {
      const double z0 = breaks_[i].z, z1 = breaks_[i + 1].z;
      if (!(z1 - z0 > 1e-14 * R_)) continue;
      const FigureChord chord = find_chord(0.5 * (z0 + z1));
      if (chord.hi > chord.lo) begin(i, z0, z1, chord);
    }
  }
  /// Differs where the list of pieces does.
  std::size_t calc_signature() const {
    std::size_t signature = 0;
    visit_pieces([&](int i, double, double, const FigureChord& chord) {
      for (const int part : {breaks_[i].source, breaks_[i + 1].source, chord.lo_surface, chord.hi_surface})
        signature = 31 * signature + static_cast<std::size_t>(part + 2);
    });
    return signature;
  }

 private:
  static void cut(FigureChord& chord, const FigureConic& f, double z, int k) {
    const double b = f.m * z + f.p, c = (f.d * z + 2 * f.q) * z + f.c;
    const auto end_at = [&](double r) {
      if (r < chord.hi) chord.hi = r, chord.hi_surface = k;
    };
    const auto begin_at = [&](double r) {
      if (r > chord.lo) chord.lo = r, chord.lo_surface = k;
    };
    if (f.a == 0) {
      if (b > 0) end_at(-c / (2 * b));
      if (b < 0) begin_at(-c / (2 * b));
      if (b == 0 && c > 0) end_at(-HUGE_VAL);
      return;
    }
    const double root = b * b - f.a * c;
    if (root <= 0) {
      if (f.a > 0) end_at(-HUGE_VAL);
      return;
    }
    const double q = -(b + std::copysign(std::sqrt(root), b));
    const double r0 = std::min(q / f.a, c / q), r1 = std::max(q / f.a, c / q);
    if (f.a > 0) {
      begin_at(r0), end_at(r1);
    } else if (0.5 * (chord.lo + std::min(chord.hi, 4 * chord.lo)) < 0.5 * (r0 + r1)) {
      // A cone seen steeply: the ends choose its half.
      end_at(r0);
    } else {
      begin_at(r1);
    }
  }

  void add_break(double z, int source) {
    if (z > z0_ && z < z1_) breaks_.push_back({z, source});
  }
  void add_roots(double c0, double c1, double c2, int source) {
    const PolynomialRoots roots = find_polynomial_roots<2>({c0, c1, c2}, z0_, z1_, 0);
    for (int i = 0; i < roots.count; ++i) add_break(roots.t[i], source);
  }
  void find_breaks() {
    breaks_.push_back({z0_, 0});
    candidates_.push_back(z0_), candidates_.push_back(z1_);
    for (int k = 0; k < conics_.size(); ++k) {
      const FigureConic& f = conics_[k];
      // On the wall; and where a ray touches the conic.
      const double w0 = f.value(R_, 0), w1 = 2 * (f.m * R_ + f.q);
      if (f.d != 0)
        add_roots(w0, w1, f.d, 4 * k + 1);
      else if (w1 != 0)
        add_break(-w0 / w1, 4 * k + 1);
      if (f.flat) continue;
      const double t2 = f.m * f.m - f.a * f.d, t1 = 2 * (f.m * f.p - f.a * f.q), t0 = f.p * f.p - f.a * f.c;
      if (t2 != 0) add_roots(t0, t1, t2, 4 * k + 2);
      // Where rho is largest on it: f_z = 0 and f = 0.
      if (f.d > 0) {
        const double g = f.a - f.m * f.m / f.d, h = f.p - f.m * f.q / f.d, i = f.c - f.q * f.q / f.d;
        const double root = h * h - g * i;
        if (g > 0 && root > 0) candidates_.push_back(-(f.m * (std::sqrt(root) - h) / g + f.q) / f.d);
      }
      for (int j = 0; j < conics_.size(); ++j)
        if (conics_[j].flat) add_corners(f, conics_[j], 4 * j + 3);
    }
    breaks_.push_back({z1_, 0});
    std::sort(breaks_.begin(), breaks_.end(), [](const FigureBreak& a, const FigureBreak& b) { return a.z < b.z; });
  }
  /// Of the conic with the line of an end.
  void add_corners(const FigureConic& f, const FigureConic& line, int source) {
    const double n2 = line.p * line.p + line.q * line.q;
    const double r = -0.5 * line.c * line.p / n2, z = -0.5 * line.c * line.q / n2, length = std::sqrt(n2);
    const double dr = -line.q / length, dz = line.p / length;
    const double c2 = (f.a * dr + 2 * f.m * dz) * dr + f.d * dz * dz;
    const double c1 = 2 * ((f.a * r + f.m * z + f.p) * dr + (f.m * r + f.d * z + f.q) * dz);
    const double root = 0.25 * c1 * c1 - c2 * f.value(r, z);
    if (!(root > 0) || c2 == 0) return;
    for (const double sign : {-1.0, 1.0}) {
      const double t = (-0.5 * c1 + sign * std::sqrt(root)) / c2, corner = z + t * dz;
      if (r + t * dr > R_) add_break(corner, source);
      candidates_.push_back(corner);
    }
  }

  double R_, z0_, z1_;
  FixedVector<FigureConic, 3> conics_;
  FixedVector<FigureBreak, most_breaks> breaks_;
  FixedVector<double, 12> candidates_;

 public:
  double cosine, sine;
};

/// Where the body may be in the wall: the part of the axis that both have.
struct WallSlab {
  WallSlab(const BoreWall& wall, const Bounds& bounds)
      : z0(std::max(wall.z0, bounds.lower.z())), z1(std::min(wall.z1, bounds.upper.z())) {}
  double z0, z1;
  double width() const { return z1 - z0; }
};

/// The largest value of f in [a, b], where it has one maximum, by golden section; ends where `enough` says so.
template <class Function, class Enough>
double find_maximum(Function&& f, double a, double b, Enough&& enough) {
  constexpr double golden = 0.6180339887498949;
  constexpr int steps = 30;  // to 5e-7 of the interval: the maximum to the square of it
  double c = b - golden * (b - a), d = a + golden * (b - a), at_c = f(c), at_d = f(d);
  for (int step = 0; step < steps; ++step) {
    if (enough(at_c)) return c;
    if (enough(at_d)) return d;
    if (at_c > at_d)
      b = d, d = c, at_d = at_c, c = b - golden * (b - a), at_c = f(c);
    else
      a = c, c = d, at_c = at_d, d = a + golden * (b - a), at_d = f(d);
  }
  return at_c > at_d ? c : d;
}
int count_samples(const BoreWall& wall) {
  return std::max(8, static_cast<int>(std::ceil(2 * wall.half / sample_angle)));
}

/// The integrals of (1).
class WallIntegral {
 public:
  WallIntegral(const BoreWall& wall, const FixedVector<Quadric, 3>& body, const WallSlab& slab, double accuracy)
      : wall_(wall), body_(body), slab_(slab), accuracy_(accuracy) {}

  struct Result {
    RegionSums sums = RegionSums::Zero();
    Vec3 origin = Vec3::Zero();
    double error = 0;
    bool complete = true;
  };
  Result calc() {
    Result result;
    if (!(slab_.width() > 0)) return result;
    take_samples();
    if (samples_.overflow) return result.complete = false, result;
    find_angles();
    if (angles_.overflow) return result.complete = false, result;
    for (int k = 0; k + 1 < angles_.size(); ++k) integrate(angles_[k], angles_[k + 1], result);
    result.origin = origin_;
    return result;
  }

 private:
  struct Sample {
    double phi;
    double reach;
    std::size_t signature;
  };
  Figure figure(double phi) const { return Figure(body_, wall_, phi, slab_.z0, slab_.z1); }
  Sample take(double phi) const {
    const Figure at = figure(phi);
    return {phi, at.calc_reach().size, at.calc_signature()};
  }
  void take_samples() {
    const int count = count_samples(wall_);
    FixedVector<Sample, 80> even;
    for (int i = 0; i <= count; ++i) even.push_back(take(wall_.half * (2.0 * i / count - 1)));
    for (int i = 0; i <= count; ++i) {
      samples_.push_back(even[i]);
      // A maximum between the neighbours, where none of the three is in the wall.
      const bool rises = i == 0 || even[i - 1].reach <= even[i].reach,
                 falls = i == count || even[i + 1].reach <= even[i].reach;
      if (!rises || !falls || even[i].reach > 0) continue;
      const double top =
          find_maximum([&](double phi) { return figure(phi).calc_reach().size; }, even[std::max(i - 1, 0)].phi,
                       even[std::min(i + 1, count)].phi, [](double reach) { return reach > 0; });
      if (const Sample at_top = take(top); at_top.reach > 0) samples_.push_back(at_top);
    }
    std::sort(samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) { return a.phi < b.phi; });
  }
  void find_angles() {
    for (int i = 0; i + 1 < samples_.size(); ++i) {
      if (samples_[i].signature != 0 || samples_[i + 1].signature != 0) angles_.push_back(samples_[i].phi);
      refine(samples_[i], samples_[i + 1]);
    }
    if (!samples_.empty()) angles_.push_back(samples_[samples_.size() - 1].phi);
    std::sort(angles_.begin(), angles_.end());
    // Angles at which nothing changes are none.
    FixedVector<double, 96> kept;
    for (int i = 0; i < angles_.size(); ++i) {
      const bool inner = i > 0 && i + 1 < angles_.size();
      if (inner && is_smooth(kept[kept.size() - 1], angles_[i], angles_[i + 1])) continue;
      kept.push_back(angles_[i]);
    }
    angles_ = kept;
  }
  bool is_smooth(double before, double at, double after) const {
    const std::size_t middle = figure(at).calc_signature();
    return figure(0.5 * (before + at)).calc_signature() == middle &&
           figure(0.5 * (at + after)).calc_signature() == middle && after - before < 0.5;
  }
  void refine(const Sample& a, const Sample& b) {
    if (a.signature == b.signature || angles_.overflow) return;
    if ((a.reach > 0) != (b.reach > 0) && (a.signature == 0) != (b.signature == 0)) {
      const double edge = find_edge(a, b);
      angles_.push_back(edge);
      // What else changes, beside the edge.
      const double beside = break_accuracy * (b.phi - a.phi);
      if (b.phi - a.phi < break_accuracy * sample_angle) return;
      return a.signature == 0 ? refine(take(std::min(edge + beside, b.phi)), b)
                              : refine(a, take(std::max(edge - beside, a.phi)));
    }
    const double middle = 0.5 * (a.phi + b.phi);
    if (b.phi - a.phi < break_accuracy * sample_angle) return angles_.push_back(middle);
    const Sample at = take(middle);
    refine(a, at), refine(at, b);
  }
  /// Where the body leaves the wall: there the area of the patch may jump. Regula falsi with halved ends (Illinois).
  double find_edge(const Sample& a, const Sample& b) const {
    double x0 = a.phi, f0 = a.reach, x1 = b.phi, f1 = b.reach, x = x0;
    for (int step = 0; step < 60; ++step) {
      const double last = x;
      x = std::clamp(x1 - f1 * (x1 - x0) / (f1 - f0), std::min(x0, x1), std::max(x0, x1));
      const double f = figure(x).calc_reach().size;
      if (f == 0 || std::abs(x - last) < 1e-15) break;
      if ((f > 0) != (f1 > 0))
        x0 = x1, f0 = f1;
      else
        f0 *= 0.5;
      x1 = x, f1 = f;
    }
    return x;
  }

  void integrate(double a, double b, Result& result) {
    if (!(b > a) || figure(0.5 * (a + b)).calc_signature() == 0) return;
    if (!has_origin_) {
      const double phi = 0.5 * (a + b);
      origin_ = Vec3(wall_.radius * std::cos(phi), wall_.radius * std::sin(phi), slab_.z0);
      figure(phi).visit_pieces([&](int, double z, double, const FigureChord&) { origin_.z() = z; });
      has_origin_ = true;
    }
    const auto enough = [&](double V) { return 0.3 * accuracy_ * std::max(V, result.sums[0]); };
    const auto q = integrate_smooth<RegionSums, 12, 16>([&](double phi) { return calc_figure_sums(phi); },
                                                        {a, b, false, false}, enough);
    result.sums += q.sums, result.error += q.error;
    if (!wall_.is_sector()) return;
    // The planes of the sector, where the body goes through them.
    for (const double side : {-1.0, 1.0})
      if ((side < 0 ? a : b) == side * wall_.half) result.sums += calc_side_sums(side);
  }
  RegionSums calc_figure_sums(double phi) const {
    const Figure at = figure(phi);
    RegionSums sums = RegionSums::Zero();
    const Vec3 e(at.cosine, at.sine, 0);
    at.visit_pieces([&](int, double a, double b, const FigureChord& piece) {
      const auto f = [&](double z) {
        RegionSums line = RegionSums::Zero();
        const FigureChord chord = at.find_chord(z);
        add_points(chord, [&](double r, double weight) { add_point(line, r * e + z * Vec3::UnitZ(), weight * r); });
        if (piece.lo_surface < 0) add_surface(line, wall_.radius * e + z * Vec3::UnitZ() - origin_, wall_.radius * e);
        return line;
      };
      sums += integrate_smooth<RegionSums, 8, 8>(f, {a, b, false, false}, [&](double V) {
                return 0.1 * accuracy_ * std::max(V, sums[0]);
              }).sums;
      // Mouth and bottom.
      for (const double z : {a, b}) {
        if (z != wall_.z0 && z != wall_.z1) continue;
        const Vec3 out = z == wall_.z1 ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ());
        add_points(at.find_chord(z), [&](double r, double weight) {
          add_surface(sums, r * e + z * Vec3::UnitZ() - origin_, -weight * r * out);
        });
      }
    });
    return sums;
  }
  RegionSums calc_side_sums(double side) const {
    const Figure at = figure(side * wall_.half);
    RegionSums sums = RegionSums::Zero();
    const Vec3 e(at.cosine, at.sine, 0), out = side * Vec3(-at.sine, at.cosine, 0);
    at.visit_pieces([&](int, double a, double b, const FigureChord&) {
      const auto f = [&](double z) {
        RegionSums line = RegionSums::Zero();
        add_points(at.find_chord(z), [&](double r, double weight) {
          add_surface(line, r * e + z * Vec3::UnitZ() - origin_, -weight * out);
        });
        return line;
      };
      sums += integrate_smooth<RegionSums, 8, 1>(f, {a, b, false, false}, [](double) { return HUGE_VAL; }).sums;
    });
    return sums;
  }
  /// Two Gauss points on a chord: exact for cubics.
  template <class Add>
  static void add_points(const FigureChord& chord, Add&& add) {
    const double length = chord.hi - chord.lo, middle = 0.5 * (chord.lo + chord.hi);
    if (!(length > 0)) return;
    const double offset = 0.5 * length / std::numbers::sqrt3;
    add(middle - offset, 0.5 * length), add(middle + offset, 0.5 * length);
  }
  void add_point(RegionSums& sums, const Vec3& point, double weight) const {
    const Vec3 p = point - origin_;
    sums[0] += weight;
    for (int i = 0; i < 3; ++i) sums[1 + i] += weight * p[i], sums[4 + i] += weight * p[i] * p[i];
    sums[7] += weight * p.x() * p.y(), sums[8] += weight * p.y() * p.z(), sums[9] += weight * p.z() * p.x();
  }

  const BoreWall& wall_;
  const FixedVector<Quadric, 3>& body_;
  WallSlab slab_;
  double accuracy_;
  FixedVector<Sample, 160> samples_;
  FixedVector<double, 96> angles_;
  Vec3 origin_ = Vec3::Zero();
  bool has_origin_ = false;
};

/// A wall and a body in it, in the wall's own frame; none: other shapes.
struct WallPair {
  BoreWall wall;
  FixedVector<Quadric, 3> body;
  Bounds bounds;  ///< of the body
  Vec3 centre;    ///< of the body, a point of its axis
  RoundAxis axis;
  WallSlab slab() const { return {wall, bounds}; }
  /// Not below what the body reaches beyond R in the sector, for bodies along the bore; a few ns instead of the
  /// samples.
  double calc_reach_bound() const {
    const WallSlab common = slab();
    const double along = std::abs(axis.axis.z());
    if (!(common.width() > 0) || along < 0.5) return HUGE_VAL;
    double most = -HUGE_VAL;
    for (const double z : {common.z0, common.z1}) {
      // The axis at that height; e(phi) . c is largest in its direction, or at the sector's edge nearest to it.
      const Vec3 c = centre + ((z - centre.z()) / axis.axis.z()) * axis.axis;
      const double away = std::max(std::abs(std::atan2(c.y(), c.x())) - wall.half, 0.0);
      most = std::max(most, std::hypot(c.x(), c.y()) * std::cos(away));
    }
    return most + axis.radius / along - wall.radius;
  }
};
std::optional<WallPair> find_pair(const Shape& wall, const Shape& body, const Transform& X_AB) {
  if (!may_be_wall(wall) || !may_be_peg(body)) return {};
  const std::optional<BoreWall> found = find_wall(wall);
  if (!found) return {};
  WallPair pair{*found, {}, {}, {}, {}};
  const Transform X_FB = found->X_AF.inverse() * X_AB;
  const auto take = [&](const Quadric& f) { pair.body.push_back(calc_transformed(f, X_FB)); };
  std::visit([&](const auto& s) { visit_constraints(s, take); }, body);
  pair.bounds = calc_bounds(body, X_FB);
  pair.centre = X_FB.p;
  pair.axis = std::visit([](const auto& s) { return find_axis(s); }, body);
  pair.axis.axis = X_FB.R * pair.axis.axis;
  const Bounds& box = pair.bounds;
  const double farthest = box.lower.head<2>().cwiseAbs().cwiseMax(box.upper.head<2>().cwiseAbs()).norm();
  if (pair.body.overflow || farthest > found->outer) return {};
  return pair;
}

}  // namespace

std::optional<InterferenceRegion> find_wall_region(const Shape& shape, const Shape& body, const Transform& X_AB,
                                                   double accuracy) {
  const std::optional<WallPair> pair = find_pair(shape, body, X_AB);
  if (!pair) return {};
  const BoreWall& wall = pair->wall;
  if (pair->calc_reach_bound() < 0) return make_empty_region(RegionMethod::chords);
  const WallIntegral::Result found = WallIntegral(wall, pair->body, pair->slab(), accuracy).calc();
  if (!found.complete) return {};
  if (!(found.sums[0] > 0)) return make_empty_region(RegionMethod::chords);
  const Transform X_AO{wall.X_AF.R, wall.X_AF * found.origin};
  InterferenceRegion region = calc_region(found.sums, X_AO);
  region.method = RegionMethod::chords;
  // Rounding of the surfaces, as far from the origin of A as they are.
  const double place = 2.2e-16 * (X_AO.p.norm() + wall.radius);
  region.error = found.error / region.volume + place * region.dV_dx.norm() / region.volume;
  if (!(region.error <= accuracy)) return {};
  return region;
}

std::optional<WallReach> find_wall_reach(const Shape& shape, const Shape& body, const Transform& X_AB) {
  const std::optional<WallPair> pair = find_pair(shape, body, X_AB);
  if (!pair) return {};
  const BoreWall& wall = pair->wall;
  const WallSlab slab = pair->slab();
  // Apart along the axis: seen at the end that is nearest.
  const bool above = slab.z0 == pair->bounds.lower.z();
  const double z0 = slab.width() > 0 ? slab.z0 : above ? wall.z1 : wall.z0, z1 = slab.width() > 0 ? slab.z1 : z0;
  const auto reach_at = [&](double phi) { return Figure(pair->body, wall, phi, z0, z1).calc_reach(); };
  const int count = count_samples(wall);
  double best = -wall.half, most = -HUGE_VAL;
  for (int i = 0; slab.width() > 0 && i <= count; ++i) {
    const double phi = wall.half * (2.0 * i / count - 1), reach = reach_at(phi).size;
    if (reach > most) most = reach, best = phi;
  }
  if (slab.width() > 0) {
    const double step = 2 * wall.half / count;
    const double low = wall.is_sector() ? std::max(best - step, -wall.half) : best - step;
    const double high = wall.is_sector() ? std::min(best + step, wall.half) : best + step;
    best = find_maximum([&](double phi) { return reach_at(phi).size; }, low, high, [](double) { return false; });
  }
  const Figure::Reach deepest = reach_at(best);
  const Vec3 e(std::cos(best), std::sin(best), 0);
  WallReach result;
  const bool axial = !(slab.width() > 0) || slab.width() < deepest.size;
  result.depth = axial ? slab.width() : deepest.size;
  result.normal = wall.X_AF.R * (axial ? Vec3(above ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ())) : Vec3(-e));
  result.point =
      wall.X_AF * Vec3(wall.radius * e.x(), wall.radius * e.y(), axial ? (above ? wall.z1 : wall.z0) : deepest.z);
  return result;
}

}  // namespace stiction
