#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/geometry/volume/volume_roots.h"
#include "stiction/geometry/volume/volume_wall_pair.h"

namespace stiction {

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
class WallFigure {
 public:
  WallFigure(const FixedVector<Quadric, 3>& body, const BoreWall& wall, double phi, double z0, double z1)
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
  FixedVector<FigureBreak, 24> breaks_;
  FixedVector<double, 12> candidates_;

 public:
  double cosine, sine;
};

}  // namespace stiction
