#pragma once

#include "stiction/plot/axis.h"

namespace stiction {

/// Axis of a logarithmic scale. `exponents`: range of log10 of the data, finite with low < high. Ticks stand at log10
/// of their number: at powers of ten (every so many of them where there are more than `intervals`), and where that
/// gives fewer than three, at 1, 2 and 5 times them. Labels are plain numbers from 0.001 to 10000, else 1e6.
Axis make_log_axis(Range exponents, int intervals);

}  // namespace stiction
