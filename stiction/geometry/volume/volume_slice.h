#pragma once

#include <optional>
#include <vector>

#include "stiction/geometry/volume/volume_clip.h"
#include "stiction/geometry/volume/volume_moments.h"
#include "stiction/geometry/volume/volume_quadrature.h"
#include "stiction/geometry/volume/volume_region.h"

namespace stiction {

/// Sums of a region with, as last entry, the estimated error of the inner integrals.
using SliceSums = Eigen::Array<double, 17, 1>;

/// A quadric at a fixed x: q(y, z) = zz z^2 + 2 (yz y + z1) z + yy y^2 + 2 y1 y + c.
struct Conic {
  double zz, yz, yy, z1, y1, c;
  double value(double y, double z) const { return (zz * z + 2 * (yz * y + z1)) * z + (yy * y + 2 * y1) * y + c; }
  double slope_y(double y, double z) const { return 2 * (yz * z + yy * y + y1); }
  double slope_z(double y, double z) const { return 2 * (zz * z + yz * y + z1); }
};

/// A stretch of the line (x, y) inside the region and the surfaces at its ends: an index into the region's surfaces,
/// beyond them into its solids, or -1 for a face of the cube.
struct Chord {
  double z0, z1;
  int surface0, surface1;
  double z(int end) const { return end == 0 ? z0 : z1; }
  int surface(int end) const { return end == 0 ? surface0 : surface1; }
};
using Chords = FixedVector<Chord, 16>;

/// A ray at one y of a slice with its chords, and a number for the smooth parts of the boundary that they end on.
struct RaySample {
  double y = 0;
  std::size_t signature = 0;
  Chords chords;
};
/// A chord's end that moves from surface i to j, or, if both are one, to the other side of its plane of symmetry.
struct RayEvent {
  int chord, end, i, j, axis;
};

/// Where the chord as a function of y is not smooth: two surfaces meet in the slice (i < j), or surface i turns back
/// (j = -1), or bends sharply (i = j = -1); for regions with solids, where the surfaces at the chord's ends change.
struct SliceBreak {
  double y, z;
  int i, j;
};

/// The region at one x of the unit cube. A slice keeps its buffers from one x to the next.
class Slice {
 public:
  explicit Slice(const UnitRegion& region) : region_(region) {}

  /// Goes to x and finds all breaks, in the order of y.
  void set(double x);
  const std::vector<SliceBreak>& breaks() const { return breaks_; }
  /// A number that is the same for slices whose boundaries consist of the same corners, in any order, and of the same
  /// conics without corners. (Turning points of conics with corners may come and go behind a corner: nothing happens.)
  std::size_t signature() const { return signature_; }
  bool empty() const { return breaks_.size() < 2; }
  /// The slices to come, up to the next call, should look like this one (0: unknown): sampled slices cost less then.
  void expect(std::size_t signature) { expected_ = signature; }
  /// Whether another conic crosses conic i on the region's boundary.
  bool has_corner(int i) const;

  /// int dy of the chords' sums at this x to the relative accuracy, in the units of (1) in volume_region.h: volume sums
  /// in u, surface sums in F about the cube's centre. The last entry estimates the error.
  SliceSums calc_sums(double accuracy, double small_area) const;

 private:
  void find_breaks_by_roots();
  void find_breaks_by_search();
  void add_turns(int i);
  void add_crossings(int i, int j);
  void add_line_crossings(int i, int j);
  void add_if_inside(double y, double z, int i, int j);
  void polish(int i, int j, double& y, double& z) const;
  RaySample take_ray(double y) const;
  Vec3 calc_in_solid(int solid, double y, double z) const;
  int find_part(int surface, double y, double z) const;
  std::optional<RayEvent> find_event(const RaySample& a, const RaySample& b) const;
  double calc_event(const RayEvent& event, const RaySample& ray) const;
  bool narrow_by_event(const RayEvent& event, RaySample& a, RaySample& b, RaySample& third) const;
  bool narrow_end(RaySample& full, RaySample& empty, RaySample& third) const;
  void search(RaySample a, RaySample b);
  void sample_rays(int samples);
  /// Length of the chord at y if all bodies were convex; where they leave none, minus the gap between them; -4: a ray
  /// that misses a body.
  double calc_overlap(double y) const;
  void search_between(const std::vector<double>& y);
  void calc_chords(double y, Chords& chords) const;
  SliceSums calc_ray_sums(double y) const;
  SmoothInterval calc_interval(double a, double b) const;

  const UnitRegion& region_;
  double x_ = 0;
  std::vector<double> hints_;  ///< middles between the breaks of the last slice (with solids) that was not empty
  std::vector<Conic> conics_;
  std::vector<int> active_;  ///< surfaces that cut this slice
  std::vector<SliceBreak> breaks_;
  std::vector<double> bends_;  ///< y between the arms of sharp hyperbolas
  std::vector<double> turns_;  ///< y of all turning points, also of those outside the region
  std::size_t signature_ = 0, expected_ = 0;
};

}  // namespace stiction
