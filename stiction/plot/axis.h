#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stiction {

struct Range {
  double low = 0, high = 1;
};

/// The range to draw for data in `data`: a margin (fraction of the span) on both sides. Data that does not spread
/// (equal numbers, or a spread that is rounding noise: below 64 units in the last place) gets a range of half its size
/// around it, zero gets [-1, 1]: a constant shows as a line in the middle.
Range widen_range(Range data, double margin);

/// Ticks at n * 10^e with n a multiple of 1, 2 or 5, computed in integers so that labels are exact. A label reads
///     value = offset + label * 10^exponent
/// The exponent (a multiple of 3) keeps labels short for very large or small numbers; the offset does so where the
/// ticks differ from the sixth digit on only.
struct Axis {
  struct Tick {
    double value = 0;
    std::string label;
  };
  Range range;
  std::vector<Tick> ticks;  ///< inside the range, ascending
  int exponent = 0;
  std::string offset;  ///< decimal number; empty = 0
};

/// `range` must be finite with low < high, as widen_range makes it. At most so many intervals between
/// ticks; fewer than 5 are not asked for, so that there are two ticks at least.
Axis make_axis(Range range, int intervals);

}  // namespace stiction
