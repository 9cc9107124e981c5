#include "stiction/stepping/ode/ode_fixed.h"

#include <algorithm>
#include <cstdint>

#include "stiction/stepping/ode/ode_events.h"

namespace stiction {

double calc_next_time(double t, double h, double t_limit, double origin) {
  // The factor 1 + 4e-16 covers the rounding of t / h in long runs.
  const auto k = static_cast<std::int64_t>((t - origin) / h * (1 + 4e-16) + 1e-9) + 1;
  const double next = origin + static_cast<double>(k) * h;
  return next >= t_limit - 1e-9 * h ? t_limit : next;
}

FixedStepIntegrator::FixedStepIntegrator(OdeProblem& problem, const OdeSettings& settings)
    : problem_(problem),
      step_(settings.step),
      origin_(settings.step_origin),
      y_new_(problem.size()),
      guards_(problem.guard_count()),
      guards_before_(problem.guard_count()),
      slope_(problem.size()),
      y_event_(problem.size()) {}

const OdeReport& FixedStepIntegrator::advance(double& t, VecX& y, double t_limit) {
  report_.clear();
  const double t_new = calc_next_time(t, step_, t_limit, origin_);
  report_.evaluations = calc_step(t, t_new - t, y, y_new_);
  if (!is_finite(y_new_)) {
    report_.status = OdeStatus::not_finite;
    return report_;
  }
  if (!problem_.project(t_new, y_new_)) {
    report_.status = OdeStatus::projection_failed;
    return report_;
  }
  if (guards_.size() > 0) switch_modes(t, y, t_new);
  report_.h = t_new - t;
  t = t_new;
  y.swap(y_new_);
  return report_;
}

void FixedStepIntegrator::switch_modes(double t, const VecX& y, double t_new) {
  problem_.calc_guards(t_new, y_new_, guards_);
  bool have_before = false;
  for (int i = 0; i < guards_.size(); ++i) {
    const bool mode = problem_.mode(i);
    const double after = calc_margin(mode, guards_[i]);
    if (after >= -guard_noise) continue;
    if (!have_before) {
      problem_.calc_guards(t, y, guards_before_);
      problem_.calc_derivative(t, y, slope_);
      ++report_.evaluations;
      have_before = true;
    }
    // Linear interpolation; a guard that contradicted its mode all along switches at the start of the step.
    const double before = std::max(calc_margin(mode, guards_before_[i]), 0.0);
    const double until = (t_new - t) * before / (before - after);
    report_.events.push_back({t + until, i, !mode});
    y_event_ = y + until * slope_;
    problem_.switch_mode_late(i, !mode, t + until, y_event_, t_new, y_new_);
  }
}

}  // namespace stiction
