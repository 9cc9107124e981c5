#pragma once

#include <string_view>
#include <vector>

#include "stiction/math/time_function.h"

namespace stiction {

/// How a table continues its points (t_i, x_i), with h_i = t_{i+1} - t_i and the secants d_i = (x_{i+1} - x_i) / h_i:
///   hold      f = x_i for t_i <= t < t_{i+1}: f jumps.
///   linear    f' = d_i: the rate jumps.
///   monotone  Cubic pieces with the rates of Fritsch and Butland (1984), in the weighted form of SciPy's PCHIP:
///             m_i = (w_1 + w_2) / (w_1 / d_{i-1} + w_2 / d_i),  w_1 = 2 h_i + h_{i-1},  w_2 = h_i + 2 h_{i-1},     (1)
///             and 0 where the secants differ in sign or one is 0. Never leaves the range of the two points around it:
///             0 <= m / d <= 3 at both ends of every piece (Fritsch and Carlson 1980). The acceleration jumps.
///   cubic     The cubic spline of make_table in time_function.h; it overshoots at corners.
/// DEPARTURE: monotone and cubic have rate 0 at the first and the last point (PCHIP and natural splines do not), so
/// that a motion starts and stops at rest: before the first and after the last time f is constant.
enum class Interpolation { hold, linear, monotone, cubic };
/// "hold", "linear", "monotone", "cubic", in the order of the enumerators.
const std::vector<std::string_view>& list_interpolations();

/// Every interpolation is a piecewise cubic; a Table of n times holds it by the values and second derivatives at the
/// ends of its pieces: n entries where they are continuous, else two for each piece, [start, end], one piece after the
/// other; `values` then has the last point as one entry more.
Table make_table(std::vector<double> times, std::vector<double> values, Interpolation interpolation);

/// What is continuous over all times, to rounding.
enum class Continuity { none, value, rate };
Continuity find_continuity(const TimeFunction& function);

}  // namespace stiction
