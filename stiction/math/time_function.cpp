#include "stiction/math/time_function.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "stiction/base/check.h"

namespace stiction {
namespace {

Sample sample(const Polynomial& f, double t) {
  // Horner's rule for the value and both derivatives at once.
  double value = 0, rate = 0, half_acceleration = 0;
  for (auto c = f.coefficients.rbegin(); c != f.coefficients.rend(); ++c) {
    half_acceleration = half_acceleration * t + rate;
    rate = rate * t + value;
    value = value * t + *c;
  }
  return {value, rate, 2 * half_acceleration};
}

Sample sample(const Sine& f, double t) {
  const double omega = 2 * std::numbers::pi * f.frequency;
  const double s = std::sin(omega * t + f.phase), c = std::cos(omega * t + f.phase);
  return {f.offset + f.amplitude * s, f.amplitude * omega * c, -f.amplitude * omega * omega * s};
}

Sample sample(const Table& f, double t) {
  if (t < f.times.front()) return {f.values.front(), 0, 0};
  if (t >= f.times.back()) return {f.values.back(), 0, 0};
  const auto right = std::upper_bound(f.times.begin(), f.times.end(), t);
  const auto i = static_cast<std::size_t>(right - f.times.begin()) - 1;
  const double h = f.times[i + 1] - f.times[i];
  const double b = (t - f.times[i]) / h, a = 1 - b;
  // Values and second derivatives at the ends of the piece: shared by its neighbours, or its own (table_function.h).
  const std::size_t n = f.times.size(), x = f.values.size() == n ? i : 2 * i, m = f.moments.size() == n ? i : 2 * i;
  const double x0 = f.values[x], rise = f.values[x + 1] - x0, m0 = f.moments[m], m1 = f.moments[m + 1];
  return {x0 + b * rise + h * h / 6 * ((a * a * a - a) * m0 + (b * b * b - b) * m1),
          rise / h + h / 6 * ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0), a * m0 + b * m1};
}

}  // namespace

Table make_table(std::vector<double> times, std::vector<double> values) {
  const std::size_t n = times.size();
  STICTION_CHECK(n >= 2 && values.size() == n);
  STICTION_CHECK(std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end());
  // Tridiagonal system for the moments; the clamped ends ask for zero slope.
  std::vector<double> lower(n), diagonal(n), upper(n), m(n);
  const auto h = [&](std::size_t i) { return times[i + 1] - times[i]; };
  const auto slope = [&](std::size_t i) { return (values[i + 1] - values[i]) / h(i); };
  diagonal[0] = h(0) / 3, upper[0] = h(0) / 6, m[0] = slope(0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    lower[i] = h(i - 1) / 6, diagonal[i] = (h(i - 1) + h(i)) / 3, upper[i] = h(i) / 6;
    m[i] = slope(i) - slope(i - 1);
  }
  lower[n - 1] = h(n - 2) / 6, diagonal[n - 1] = h(n - 2) / 3, m[n - 1] = -slope(n - 2);
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    m[i] -= factor * m[i - 1];
  }
  m[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) m[i] = (m[i] - upper[i] * m[i + 1]) / diagonal[i];
  return {std::move(times), std::move(values), std::move(m)};
}

Sample calc_sample(const TimeFunction& function, double t) {
  return std::visit([t](const auto& f) { return sample(f, t); }, function);
}

bool is_constant(const TimeFunction& function) {
  if (const auto* p = std::get_if<Polynomial>(&function)) {
    const auto& c = p->coefficients;
    return c.empty() || std::all_of(c.begin() + 1, c.end(), [](double ck) { return ck == 0; });
  }
  if (const auto* s = std::get_if<Sine>(&function)) return s->amplitude == 0 || s->frequency == 0;
  const auto& values = std::get<Table>(function).values;
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

std::vector<double> calc_breaks(const TimeFunction& function) {
  // Inside a table the third derivative jumps at every knot, which costs a fixed-order method one order there: knots
  // count.
  if (const auto* table = std::get_if<Table>(&function)) return table->times;
  return {};
}

}  // namespace stiction
