#include "stiction/stepping/ode/ode_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/math/roots.h"

namespace stiction {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

bool contradicts(double margin) {
  return margin < -guard_noise;
}

}  // namespace

EventFinder::EventFinder(OdeProblem& problem, double time_tolerance)
    : problem_(problem),
      time_tolerance_(time_tolerance),
      guards_(problem.guard_count()),
      y_(problem.size()),
      first_(problem.guard_count()),
      samples_(problem.guard_count(), n_samples + 1) {
  crossing_.reserve(static_cast<std::size_t>(problem.guard_count()));
}

double EventFinder::tolerance(double t) const {
  return std::max(time_tolerance_, 4 * epsilon * std::abs(t));
}

double EventFinder::calc_guard_margin(int guard, double t, const VecX& y) {
  problem_.calc_guards(t, y, guards_);
  return calc_margin(problem_.mode(guard), guards_[guard]);
}

double EventFinder::calc_dense_margin(int guard, double t) {
  dense_->interpolate(t, y_);
  // A constraint projection may move the guard by more than an event's tolerance: look where the state will be.
  if (problem_.has_constraints()) problem_.project(t, y_);
  return calc_guard_margin(guard, t, y_);
}

std::optional<double> EventFinder::find_first(DenseOutput& dense, double t0, double t1) {
  dense_ = &dense, t0_ = t0, t1_ = t1;
  crossing_.clear();
  // Margins of all guards at all samples.
  for (int j = 0; j <= n_samples; ++j) {
    dense.interpolate(sample_time(j), y_);
    problem_.calc_guards(sample_time(j), y_, guards_);
    for (int i = 0; i < guards_.size(); ++i) samples_(i, j) = calc_margin(problem_.mode(i), guards_[i]);
  }
  // The first crossing of each; the event is the earliest.
  for (int i = 0; i < guards_.size(); ++i) first_[i] = find_crossing(i);
  const double t_event = guards_.size() > 0 ? first_.minCoeff() : never;
  if (t_event == never) return std::nullopt;
  for (int i = 0; i < guards_.size(); ++i) {
    if (first_[i] <= t_event + tolerance(t_event)) crossing_.push_back(i);
  }
  return t_event;
}

double EventFinder::find_crossing(int guard) {
  for (int j = 1; j <= n_samples; ++j) {
    // A dip around the sample before this one.
    const double t_dip = find_dip(guard, j - 1);
    if (t_dip != never) return refine(guard, sample_time(std::max(j - 2, 0)), t_dip);
    if (contradicts(samples_(guard, j))) return refine(guard, sample_time(j - 1), sample_time(j));
  }
  const double t_dip = find_dip(guard, n_samples);
  return t_dip == never ? never : refine(guard, sample_time(n_samples - 1), t_dip);
}

// A time next to sample j at which the guard contradicts although the samples do not, if sample j is a local minimum.
double EventFinder::find_dip(int guard, int j) {
  const auto m = samples_.row(guard);
  if (contradicts(m[j])) return never;
  const int left = std::max(j - 1, 0), right = std::min(j + 1, n_samples);
  if (m[left] < m[j] || m[right] < m[j]) return never;
  double reach;
  if (left < j && j < right) {
    // Depth of the parabola through the three samples below the middle one, which is the lowest.
    const double slope = 0.5 * (m[right] - m[left]), curvature = m[right] - 2 * m[j] + m[left];
    reach = curvature > 0 ? 0.5 * slope * slope / curvature : 0;
  } else {
    // At an end of the step the margin must fall towards the inside.
    const double inside = 1e-3 * (t1_ - t0_) / n_samples;
    const double probe = calc_dense_margin(guard, j == 0 ? t0_ + inside : t1_ - inside);
    if (probe >= m[j]) return never;
    reach = 1e3 * (m[j] - probe);
  }
  // Four times the estimate leaves room for what the parabola does not show.
  if (m[j] > 4 * reach + guard_noise) return never;
  return find_negative(guard, sample_time(left), sample_time(right));
}

// Golden-section search for the minimum, ended by the first contradicting value.
double EventFinder::find_negative(int guard, double a, double b) {
  constexpr double golden = 0.6180339887498949;
  // Not below what times can tell apart: a step may be as short as a few of those.
  const double width_end = std::max(1e-6 * (b - a), 8 * epsilon * std::abs(b));
  double x = b - golden * (b - a), y = a + golden * (b - a);
  double mx = calc_dense_margin(guard, x), my = calc_dense_margin(guard, y);
  while (b - a > width_end) {
    if (contradicts(mx)) return x;
    if (contradicts(my)) return y;
    if (mx < my) {
      b = y, y = x, my = mx, x = b - golden * (b - a), mx = calc_dense_margin(guard, x);
    } else {
      a = x, x = y, mx = my, y = a + golden * (b - a), my = calc_dense_margin(guard, y);
    }
  }
  return never;
}

// The time in [a, b] at which the margin changes sign, from above; it contradicts at b.
double EventFinder::refine(int guard, double a, double b) {
  const double margin_a = calc_dense_margin(guard, a), margin_b = calc_dense_margin(guard, b);
  // On the wrong side from the start: at once, but with progress in time.
  if (contradicts(margin_a)) return std::min(b, a + tolerance(a));
  // Zero itself where the margin starts above it, otherwise the edge of the noise.
  const double level = margin_a > 0 ? 0 : 2 * guard_noise;
  const auto value = [&](double t) { return calc_dense_margin(guard, t) + level; };
  if (margin_b + level > 0) return b;
  return find_root_bracket(value, a, b, margin_a + level, margin_b + level, 0.25 * tolerance(b)).b;
}

}  // namespace stiction
