#pragma once

#include <algorithm>

#include "stiction/geometry/shape/surface.h"

namespace stiction {

/// The length by which overlaps of a shape are judged [m]: the shortest edge of the box in its frame, or half the
/// diagonal where that is less, as of a ball and a cube; 0 of what has no end or no extent. Of a hollow shape its
/// radius. It does not know walls: of a tube it is that of the bar.
inline double calc_thickness(const Shape& shape) {
  const double size = calc_size(shape);
  if (!(size > 0)) return 0;
  const Bounds box = calc_bounds(shape, {});
  const double edge = (box.upper - box.lower).minCoeff();
  return edge > 0 ? std::min(edge, size) : size;  // a flat polygon has an edge of 0
}

}  // namespace stiction
