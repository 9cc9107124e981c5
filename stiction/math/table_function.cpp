#include "stiction/math/table_function.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "stiction/base/check.h"

namespace stiction {
namespace {

/// (1): the rate at a point between two pieces of lengths h0, h1 and secants d0, d1.
double calc_monotone_rate(double h0, double d0, double h1, double d1) {
  // A turn, or a level piece. (The product of the secants might underflow.)
  const bool same_sign = (d0 > 0 && d1 > 0) || (d0 < 0 && d1 < 0);
  if (!same_sign) return 0;
  const double w1 = 2 * h1 + h0, w2 = h1 + 2 * h0;
  return (w1 + w2) / (w1 / d0 + w2 / d1);
}

/// The second derivatives at the ends of the cubic pieces with the rates (1).
std::vector<double> calc_monotone_moments(const std::vector<double>& times, const std::vector<double>& values) {
  const auto h = [&](std::size_t i) { return times[i + 1] - times[i]; };
  const auto d = [&](std::size_t i) { return (values[i + 1] - values[i]) / h(i); };
  const std::size_t pieces = times.size() - 1;
  std::vector<double> moments;
  double m0 = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const double m1 = i + 1 < pieces ? calc_monotone_rate(h(i), d(i), h(i + 1), d(i + 1)) : 0;
    // f'' of the cubic with secant d and rates m0, m1 at its ends.
    moments.push_back((6 * d(i) - 4 * m0 - 2 * m1) / h(i));
    moments.push_back((-6 * d(i) + 2 * m0 + 4 * m1) / h(i));
    m0 = m1;
  }
  return moments;
}

}  // namespace

const std::vector<std::string_view>& list_interpolations() {
  static const std::vector<std::string_view> names = {"hold", "linear", "monotone", "cubic"};
  return names;
}

Table make_table(std::vector<double> times, std::vector<double> values, Interpolation interpolation) {
  if (interpolation == Interpolation::cubic) return make_table(std::move(times), std::move(values));
  STICTION_CHECK(times.size() >= 2 && values.size() == times.size());
  STICTION_CHECK(std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end());
  if (interpolation == Interpolation::monotone) {
    std::vector<double> moments = calc_monotone_moments(times, values);
    return {std::move(times), std::move(values), std::move(moments)};
  }
  std::vector<double> straight(times.size(), 0.0);
  if (interpolation == Interpolation::hold) {
    std::vector<double> held;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) held.insert(held.end(), {values[i], values[i]});
    held.push_back(values.back());
    values = std::move(held);
  }
  return {std::move(times), std::move(values), std::move(straight)};
}

Continuity find_continuity(const TimeFunction& function) {
  const auto* table = std::get_if<Table>(&function);
  if (!table || is_constant(function)) return Continuity::rate;
  if (table->values.size() != table->times.size()) return Continuity::none;
  // The rates of both pieces at every point; outside the rate is 0.
  constexpr double rounding = 1e-6;
  double largest = 0, jump = 0, before = 0;
  for (std::size_t i = 0; i + 1 < table->times.size(); ++i) {
    const double h = table->times[i + 1] - table->times[i], d = (table->values[i + 1] - table->values[i]) / h;
    const bool shared = table->moments.size() == table->times.size();
    const double M0 = table->moments[shared ? i : 2 * i], M1 = table->moments[shared ? i + 1 : 2 * i + 1];
    const double start = d - h / 6 * (2 * M0 + M1), end = d + h / 6 * (M0 + 2 * M1);
    largest = std::max({largest, std::abs(d), std::abs(start), std::abs(end)});
    jump = std::max(jump, std::abs(start - before));
    before = end;
  }
  jump = std::max(jump, std::abs(before));
  return jump > rounding * largest ? Continuity::value : Continuity::rate;
}

}  // namespace stiction
