#pragma once

#include <vector>

#include "stiction/plot/axis.h"
#include "stiction/plot/canvas.h"
#include "stiction/plot/line_plot.h"

namespace stiction {

/// Can this number be placed on an axis? Not: NaN, infinities, and numbers so large that differences overflow.
bool is_drawable(double value);

/// Data to pixels: x and y linear, y upwards in data and downwards in pixels.
struct PixelMap {
  Range x, y;
  PixelPoint corner;             ///< top left of the plotting area
  double width = 0, height = 0;  ///< of the plotting area [px]
  PixelPoint operator()(double px, double py) const;
};

/// The unbroken pieces of a series in pixels: it is broken where x or y is not drawable. Consecutive points in the same
/// pixel column are thinned to the first, the lowest, the highest and the last, in their order.
std::vector<std::vector<PixelPoint>> trace_curve(const Series& series, const PixelMap& map);

}  // namespace stiction
