#pragma once

#include <algorithm>
#include <vector>

#include "stiction/geometry/volume/volume_slice.h"

namespace stiction {

/// All x in [-1, 1] where the corners of the region's slices change, ascending: between two of them slices vary
/// smoothly with x. See (2) in volume_chords.h.
class BreakFinder {
 public:
  /// Between sampled slices of solids a change is found to a tenth of the accuracy, as far as the volume may jump
  /// there.
  BreakFinder(const UnitRegion& region, Slice& slice, double accuracy)
      : region_(region),
        slice_(slice),
        tolerance_(region.solids.empty() ? 1e-13 : std::clamp(0.1 * accuracy, 1e-9, 1e-5)) {}
  std::vector<double> find();
  /// Whether all places where slices may change were known before any slice was looked at: what lies between two of
  /// them cannot have been missed. After find().
  bool complete() const { return complete_; }

 private:
  /// A slice's corners at one x.
  struct Sample {
    double x = 0;
    std::size_t signature = 0;
    std::vector<SliceBreak> corners;
  };
  Sample take(double x);
  void refine(const Sample& a, const Sample& b, int depth);
  void explore_empty(const Sample& a, const Sample& b, int depth);
  bool find_critical(const Sample& a, const Sample& b, double& x) const;
  std::vector<double> find_extremes();
  double find_end(double empty, double full);
  bool split_at(double x, const Sample& a, const Sample& b, int depth);
  bool is_proved_empty(double x0, double x1) const;

  const UnitRegion& region_;
  Slice& slice_;
  std::vector<double> extremes_, poles_, found_;
  double tolerance_;
  bool complete_ = false;
};

}  // namespace stiction
