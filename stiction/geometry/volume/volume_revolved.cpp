#include "stiction/geometry/volume/volume_revolved.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/volume/volume_quadrature.h"

namespace stiction {
namespace {

using std::numbers::pi;

/// The plane, and the reference point of the sums: at or outside the lowest x, in the middle of the heights.
struct Cut {
  double s, c, offset;
  double x_reference, z_reference;
  double excess(double z) const { return offset - c * z; }
};

double calc_arc(const RevolvedPiece& piece, double z) {
  const double y = z - piece.arc_centre;
  return std::sqrt(std::max(0.0, (piece.arc_radius - y) * (piece.arc_radius + y)));
}
double calc_radius(const RevolvedPiece& piece, double z) {
  if (piece.arc_radius == 0) return piece.r0 + piece.slope * (z - piece.z0);
  return piece.ring_radius + calc_arc(piece, z);
}
/// Of the hole of a ring; 0: none.
double calc_hole_radius(const RevolvedPiece& piece, double z) {
  return piece.ring_radius > 0 ? piece.ring_radius - calc_arc(piece, z) : 0;
}

/// G_0, G_1, G_2 of (1) and H = int_0^a (2/3) sin^4 p dp for the moment across.
struct SegmentIntegrals {
  double G0, G1, G2, H;
};

SegmentIntegrals calc_segment_integrals(double a) {
  if (a > 1) {
    const double s = std::sin(a), c = std::cos(a), s3 = s * s * s;
    const double G0 = a - s * c, sin4 = 4 * s * c * (1 - 2 * s * s);
    const double quartic = 0.25 * a - sin4 / 16;  // int 2 sin^2 cos^2
    return {G0, G0 - 2 * s3 / 3, G0 - 4 * s3 / 3 + quartic, 0.25 * a - s * c / 3 + sin4 / 48};
  }
  // Flat segments: the closed form cancels; eight Gauss points are exact to rounding.
  constexpr double x[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  constexpr double w[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  SegmentIntegrals result{0, 0, 0, 0};
  for (int i = 0; i < 8; ++i) {
    const double p = 0.5 * a * (1 + (i < 4 ? -x[i] : x[i - 4])), weight = 0.5 * a * w[i % 4];
    const double half = std::sin(0.5 * p), q = 2 * half * half, sin2 = q * (2 - q);
    result.G0 += weight * 2 * sin2, result.G1 += weight * 2 * sin2 * q, result.G2 += weight * 2 * sin2 * q * q;
    result.H += weight * 2.0 / 3.0 * sin2 * sin2;
  }
  return result;
}

/// Adds moments of a section at height z: area, int x, int xx, int yy about (x_reference, 0, z_reference).
RegionSums calc_section_sums(const Cut& cut, double z, double r, const SegmentIntegrals& g) {
  const double dx = -r - cut.x_reference, dz = z - cut.z_reference, r2 = r * r;
  const double area = r2 * g.G0, w1 = r2 * r * g.G1, w2 = r2 * r2 * g.G2;
  const double mx = w1 + dx * area, mxx = w2 + 2 * dx * w1 + dx * dx * area;
  RegionSums sums = RegionSums::Zero();
  sums << area, mx, 0, dz * area, mxx, r2 * r2 * g.H, dz * dz * area, 0, 0, dz * mx, 0, 0, 0, 0, 0, 0;
  return sums;
}

/// The segment of a circle at height z with, in entries 10-15, the plane's line across it: the surface of the
/// half-space.
RegionSums calc_segment_sums(const Cut& cut, double z, double r) {
  const double e = cut.excess(z);
  if (r == 0) return RegionSums::Zero();
  // 1 + e/(s r) = 1 - cos a = 2 sin^2(a/2)
  const double a = 2 * std::asin(std::sqrt(std::clamp(0.5 * (1 + e / (cut.s * r)), 0.0, 1.0)));
  RegionSums sums = calc_section_sums(cut, z, r, calc_segment_integrals(a));
  const double width = 2 * r * std::sin(a) / cut.s;
  add_surface(sums, Vec3(e / cut.s - cut.x_reference, 0, z - cut.z_reference), width * Vec3(cut.s, 0, cut.c));
  return sums;
}

/// The section at height z, cut by the plane or whole.
RegionSums calc_piece_sums(const Cut& cut, const RevolvedPiece& piece, double z, bool partial) {
  const double r = calc_radius(piece, z), hole = calc_hole_radius(piece, z);
  const auto calc = [&](double radius) -> RegionSums {
    return partial ? calc_segment_sums(cut, z, radius) : calc_section_sums(cut, z, radius, calc_segment_integrals(pi));
  };
  if (hole > 0) return calc(r) - calc(hole);
  return calc(r);
}

/// Heights at which the plane touches the section's circles, inside the piece.
int find_touching(const RevolvedPiece& piece, const Cut& cut, double* z) {
  double candidates[4] = {NAN, NAN, NAN, NAN};
  int found = 0;
  if (piece.arc_radius > 0) {
    // y = z - centre, D = distance of the arc's centre from the plane: y^2 - 2 c D y + D^2 - s^2 R^2 = 0
    for (const double side : {-1.0, 1.0}) {
      const double D = cut.excess(piece.arc_centre) - side * cut.s * piece.ring_radius,
                   root = piece.arc_radius * piece.arc_radius - D * D;
      if (root > 0)
        for (int i = 0; i < 2; ++i)
          candidates[found++] = piece.arc_centre + cut.c * D + (i == 0 ? -1 : 1) * cut.s * std::sqrt(root);
      if (piece.ring_radius == 0) break;
    }
  } else {
    // offset - c z = -+ s (r0 + slope (z - z0))
    for (const double sign : {-1.0, 1.0}) {
      const double slope = cut.c + sign * cut.s * piece.slope;
      if (slope != 0) candidates[found++] = piece.z0 + (cut.excess(piece.z0) - sign * cut.s * piece.r0) / slope;
    }
  }
  std::sort(candidates, candidates + found);
  int count = 0;
  for (int i = 0; i < found; ++i)
    if (candidates[i] > piece.z0 && candidates[i] < piece.z1) z[count++] = candidates[i];
  return count;
}

enum class Section { none, partial, whole };
Section classify(const RevolvedPiece& piece, const Cut& cut, double z) {
  const double r = calc_radius(piece, z), e = cut.excess(z);
  return e >= cut.s * r ? Section::whole : e <= -cut.s * r ? Section::none : Section::partial;
}

/// Below this tilt the heights at which the plane touches a section differ by too little for the line integral over the
/// plane's surface, and its section is an ellipse to rounding.
constexpr double flat_tilt = 1e-7;

/// The piece that such a plane, which meets the axis at z = 0, cuts all around; null: it comes near an end of a piece.
const RevolvedPiece* find_flat_piece(const RevolvedPiece* pieces, int count, const Cut& cut) {
  if (cut.s >= flat_tilt || cut.offset != 0) return nullptr;
  for (int k = 0; k < count; ++k) {
    const RevolvedPiece& piece = pieces[k];
    if (piece.z0 > 0 || piece.z1 < 0) continue;
    const double margin = 2 * cut.s * calc_radius(piece, 0);
    const bool below = cut.c > 0 ? piece.z0 < -margin : piece.z0 <= -margin;
    const bool above = cut.c > 0 ? piece.z1 >= margin : piece.z1 > margin;
    if (below && above) return &piece;
  }
  return nullptr;
}

/// The section of radius r (1 - r' (s/c) cos phi), r and r' at z = 0: an ellipse whose centre is shifted by -r' r s/c.
void add_flat_ellipse(double r, double slope, double sign, const Cut& cut, RegionSums& sums) {
  const Vec3 centre(-slope * r * cut.s / cut.c - cut.x_reference, 0, -cut.z_reference);
  add_surface(sums, centre, sign * pi * r * r / std::abs(cut.c) * Vec3(cut.s, 0, cut.c));
}
void add_flat_surface(const RevolvedPiece& piece, const Cut& cut, RegionSums& sums) {
  const double arc = calc_arc(piece, 0), bend = arc > 0 ? piece.arc_centre / arc : 0;
  add_flat_ellipse(calc_radius(piece, 0), piece.arc_radius > 0 ? bend : piece.slope, 1, cut, sums);
  if (piece.ring_radius > 0) add_flat_ellipse(calc_hole_radius(piece, 0), -bend, -1, cut, sums);
}

}  // namespace

LocalSums calc_revolved_cut_sums(const RevolvedSolid& solid, double sin_tilt, double cos_tilt, double offset) {
  // Heights from where the plane meets the axis, unless it is steep: then s may be as small as it likes.
  const double z_shift = std::abs(cos_tilt) > 0.5 ? offset / cos_tilt : 0;
  Cut cut{sin_tilt, cos_tilt, z_shift == 0 ? offset : 0, 0, 0};
  struct Stretch {
    RevolvedPiece piece;
    double a, b;
    Section section;
  };
  std::array<Stretch, 9> stretches;
  int count = 0;
  double r_max = 0;
  RevolvedSolid shifted = solid;
  for (int k = 0; k < solid.count; ++k) {
    RevolvedPiece& piece = shifted.pieces[k];
    piece.z0 -= z_shift, piece.z1 -= z_shift, piece.arc_centre -= z_shift;
    double z[6] = {piece.z0};
    int points = 1 + find_touching(piece, cut, z + 1);
    z[points++] = piece.z1;
    for (int i = 0; i + 1 < points; ++i) {
      const Section section = classify(piece, cut, 0.5 * (z[i] + z[i + 1]));
      if (section != Section::none && z[i] < z[i + 1]) stretches[count++] = {piece, z[i], z[i + 1], section};
    }
  }
  LocalSums result;
  if (count == 0) return result;
  for (int k = 0; k < count; ++k) {
    const Stretch& stretch = stretches[k];
    for (double z : {stretch.a, stretch.b}) r_max = std::max(r_max, calc_radius(stretch.piece, z));
    const double middle = stretch.piece.arc_centre;
    if (stretch.piece.arc_radius > 0 && middle > stretch.a && middle < stretch.b)
      r_max = std::max(r_max, stretch.piece.ring_radius + stretch.piece.arc_radius);
  }
  const RevolvedPiece* flat = find_flat_piece(shifted.pieces, shifted.count, cut);
  cut.x_reference = -r_max, cut.z_reference = 0.5 * (stretches[0].a + stretches[count - 1].b);
  for (int k = 0; k < count; ++k) {
    const Stretch& stretch = stretches[k];
    const auto section = [&](double z) {
      return calc_piece_sums(cut, stretch.piece, z, stretch.section == Section::partial);
    };
    result.sums +=
        integrate_smooth<RegionSums, 16, 64>(section, {stretch.a, stretch.b}, [](double V) { return 1e-14 * V; }).sums;
  }
  if (flat) {
    result.sums.segment<6>(10).setZero();
    add_flat_surface(*flat, cut, result.sums);
  }
  // The solid's own surface closes the half-space's.
  result.sums.segment<6>(10) *= -1;
  result.origin = Vec3(cut.x_reference, 0, cut.z_reference + z_shift);
  return result;
}

}  // namespace stiction
