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

double calc_radius(const RevolvedPiece& piece, double z) {
  if (piece.arc_radius == 0) return piece.r0 + piece.slope * (z - piece.z0);
  const double y = z - piece.arc_centre;
  return std::sqrt(std::max(0.0, (piece.arc_radius - y) * (piece.arc_radius + y)));
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

/// The section at height z with, in entries 10-15, the plane's line across it: the surface of the half-space.
RegionSums calc_partial_sums(const Cut& cut, const RevolvedPiece& piece, double z) {
  const double r = calc_radius(piece, z), e = cut.excess(z);
  if (r == 0) return RegionSums::Zero();
  // 1 + e/(s r) = 1 - cos a = 2 sin^2(a/2)
  const double a = 2 * std::asin(std::sqrt(std::clamp(0.5 * (1 + e / (cut.s * r)), 0.0, 1.0)));
  RegionSums sums = calc_section_sums(cut, z, r, calc_segment_integrals(a));
  const double width = 2 * r * std::sin(a) / cut.s;
  add_surface(sums, Vec3(e / cut.s - cut.x_reference, 0, z - cut.z_reference), width * Vec3(cut.s, 0, cut.c));
  return sums;
}

/// Heights at which the plane touches the section's circle, inside the piece.
int find_touching(const RevolvedPiece& piece, const Cut& cut, double* z) {
  double candidates[2] = {NAN, NAN};
  if (piece.arc_radius > 0) {
    // y = z - centre, D = distance of the centre from the plane: y^2 - 2 c D y + D^2 - s^2 R^2 = 0
    const double D = cut.excess(piece.arc_centre), root = piece.arc_radius * piece.arc_radius - D * D;
    if (root > 0)
      for (int i = 0; i < 2; ++i)
        candidates[i] = piece.arc_centre + cut.c * D + (i == 0 ? -1 : 1) * cut.s * std::sqrt(root);
  } else {
    // offset - c z = -+ s (r0 + slope (z - z0))
    for (int i = 0; i < 2; ++i) {
      const double sign = i == 0 ? -1 : 1, slope = cut.c + sign * cut.s * piece.slope;
      if (slope != 0) candidates[i] = piece.z0 + (cut.excess(piece.z0) - sign * cut.s * piece.r0) / slope;
    }
  }
  if (candidates[1] < candidates[0]) std::swap(candidates[0], candidates[1]);
  int count = 0;
  for (double candidate : candidates)
    if (candidate > piece.z0 && candidate < piece.z1) z[count++] = candidate;
  return count;
}

enum class Section { none, partial, whole };
Section classify(const RevolvedPiece& piece, const Cut& cut, double z) {
  const double r = calc_radius(piece, z), e = cut.excess(z);
  return e >= cut.s * r ? Section::whole : e <= -cut.s * r ? Section::none : Section::partial;
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
  for (int k = 0; k < solid.count; ++k) {
    RevolvedPiece piece = solid.pieces[k];
    piece.z0 -= z_shift, piece.z1 -= z_shift, piece.arc_centre -= z_shift;
    double z[4] = {piece.z0};
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
      r_max = std::max(r_max, stretch.piece.arc_radius);
  }
  cut.x_reference = -r_max, cut.z_reference = 0.5 * (stretches[0].a + stretches[count - 1].b);
  for (int k = 0; k < count; ++k) {
    const Stretch& stretch = stretches[k];
    const auto section = [&](double z) -> RegionSums {
      if (stretch.section == Section::partial) return calc_partial_sums(cut, stretch.piece, z);
      return calc_section_sums(cut, z, calc_radius(stretch.piece, z), calc_segment_integrals(pi));
    };
    result.sums +=
        integrate_smooth<RegionSums, 16, 64>(section, {stretch.a, stretch.b}, [](double V) { return 1e-14 * V; }).sums;
  }
  // A plane square to the axis has no partial section: its disc is the surface.
  if (sin_tilt == 0)
    for (int k = 0; k < count; ++k) {
      const Stretch& stretch = stretches[k];
      const double z = cut.offset / cut.c, r = calc_radius(stretch.piece, z);
      const double end = cut.c > 0 ? stretch.b : stretch.a;
      if (z != end || (stretch.piece.z0 == z && cut.c > 0) || (stretch.piece.z1 == z && cut.c < 0)) continue;
      add_surface(result.sums, Vec3(-cut.x_reference, 0, z - cut.z_reference), pi * r * r * Vec3(0, 0, cut.c));
    }
  // The solid's own surface closes the half-space's.
  result.sums.segment<6>(10) *= -1;
  result.origin = Vec3(cut.x_reference, 0, cut.z_reference + z_shift);
  return result;
}

}  // namespace stiction
