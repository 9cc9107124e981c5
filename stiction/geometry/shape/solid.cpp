#include "stiction/geometry/shape/solid.h"

#include <algorithm>

#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

/// Calls f(shape, pose, shape, pose, part_a, part_b) for every pair of parts.
template <class F>
void for_each_pair(const Solid& A, const Transform& X_WA, const Solid& B, const Transform& X_WB, F f) {
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j < B.size(); ++j) {
      f(A[i].shape, X_WA * A[i].X_BS, B[j].shape, X_WB * B[j].X_BS, static_cast<int>(i), static_cast<int>(j));
    }
  }
}

}  // namespace

SolidClosest calc_solid_closest(const Solid& A, const Transform& X_WA, const Solid& B, const Transform& X_WB) {
  SolidClosest best;
  bool first = true;
  for_each_pair(A, X_WA, B, X_WB,
                [&](const Shape& a, const Transform& X_a, const Shape& b, const Transform& X_b, int i, int j) {
                  const ClosestPoints closest = calc_closest(a, X_a, b, X_b);
                  if (first || closest.gap < best.closest.gap) best = {closest, i, j};
                  first = false;
                });
  return best;
}

InterferenceRegion calc_solid_interference(const Solid& A, const Transform& X_WA, const Solid& B, const Transform& X_WB,
                                           const RegionOptions& options) {
  InterferenceRegion sum;
  for_each_pair(A, X_WA, B, X_WB,
                [&](const Shape& a, const Transform& X_a, const Shape& b, const Transform& X_b, int, int) {
                  add_region(sum, calc_interference(a, X_a, b, X_b, options));
                });
  return sum;
}

VolumeBounds calc_solid_interference_bounds(const Solid& A, const Transform& X_WA, const Solid& B,
                                            const Transform& X_WB, double accuracy, long max_cells) {
  VolumeBounds sum;
  for_each_pair(A, X_WA, B, X_WB,
                [&](const Shape& a, const Transform& X_a, const Shape& b, const Transform& X_b, int, int) {
                  const VolumeBounds part = calc_interference_bounds(a, X_a, b, X_b, accuracy, max_cells);
                  sum.lower += part.lower;
                  sum.upper += part.upper;
                  sum.cells += part.cells;
                  add_region(sum.middle, part.middle);
                });
  return sum;
}

}  // namespace stiction
