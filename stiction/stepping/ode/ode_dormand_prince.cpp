#include "stiction/stepping/ode/ode_dormand_prince.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double safety = 0.9;
constexpr double shrink_limit = 5, growth_limit = 10;
constexpr int max_bad_trials = 40;

// y5 - y4.
const StageSum& error_weights() {
  static const StageSum sum =
      make_stage_sum({71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40});
  return sum;
}

// The fourth-degree term of the dense output.
const StageSum& dense_weights() {
  static const StageSum sum =
      make_stage_sum({-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
                      701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423});
  return sum;
}

// Below this the time does not resolve the stages of a step.
double calc_min_step(double t) {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-3);
}

}  // namespace

double calc_dyadic_power(double x, int n_128ths) {
  double result = 1, root = x;
  for (int bit = 64; bit > 0; bit /= 2) {
    root = std::sqrt(root);
    if (n_128ths & bit) result *= root;
  }
  return result;
}

DormandPrince::DormandPrince(OdeProblem& problem, const OdeSettings& settings)
    : AdaptiveIntegrator(problem, settings), y0_(problem.size()), y1_(problem.size()), scratch_(problem.size()) {
  for (VecX& k : k_) k.setZero(problem.size());
  for (VecX& d : dense_) d.setZero(problem.size());
}

void DormandPrince::restart() {
  have_first_stage_ = false;
  h_next_ = 0;
  error_old_ = 1e-4;
}

OdeStatus DormandPrince::try_step(double t_stop) {
  const double t = t_end_;
  y0_ = y_end_;
  if (have_first_stage_) {
    k_[0].swap(k_[6]);
  } else {
    calc_derivative(t, y0_, k_[0]);
    y_trial_ = k_[0];
    if (!is_finite(k_[0])) return OdeStatus::not_finite;
  }
  if (h_next_ == 0) h_next_ = calc_first_step(t_stop);

  int bad_trials = 0;
  bool rejected = false;
  OdeStatus fault = OdeStatus::step_too_small;
  for (;; ++report_.rejected, rejected = true) {
    // Land on t_stop without a tiny last step.
    const double room = t_stop - t;
    double h = std::min(h_next_, settings_.max_step);
    const bool last = h >= 0.99 * room;
    if (last) {
      h = room;
    } else if (2 * h > room) {
      h = 0.5 * room;
    }
    if (!last && h < calc_min_step(t)) return fault;

    calc_stages(h);
    if (!is_finite(y1_) || !is_finite(k_[6])) {
      if (++bad_trials > max_bad_trials) return fault;
      fault = OdeStatus::not_finite;
      h_next_ = 0.25 * h;
      continue;
    }
    calc_stage_sum(error_weights(), h, k_, scratch_);
    const double error = calc_norm(scratch_, y0_, y1_);
    const double raw = calc_dyadic_power(error, 22) / safety;
    if (!(error <= 1)) {
      fault = OdeStatus::step_too_small;
      h_next_ = h / std::clamp(raw, 1.0 / safety, shrink_limit);
      continue;
    }
    const OdeStatus status = accept(last ? t_stop : t + h, h);
    if (status != OdeStatus::ok) {
      if (++bad_trials > max_bad_trials) return status;
      fault = status;
      h_next_ = 0.25 * h;
      continue;
    }
    // PI control (1); no growth right after a rejection.
    const double ratio = raw / calc_dyadic_power(error_old_, 5);
    h_next_ = h / std::clamp(ratio, rejected ? 1.0 : 1 / growth_limit, shrink_limit);
    error_old_ = std::max(error, 1e-4);
    return OdeStatus::ok;
  }
}

// Hairer, Norsett, Wanner I, II.4: an explicit Euler step estimates the second derivative.
double DormandPrince::calc_first_step(double t_stop) {
  const double size = calc_norm(y0_, y0_, y0_), rate = calc_norm(k_[0], y0_, y0_);
  double h0 = size < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * size / rate;
  h0 = std::min({h0, settings_.max_step, t_stop - t_end_});
  scratch_ = y0_ + h0 * k_[0];
  calc_derivative(t_end_ + h0, scratch_, k_[1]);
  scratch_ = k_[1] - k_[0];
  const double curvature = calc_norm(scratch_, y0_, y0_) / h0;
  const double larger = std::max(rate, curvature);
  const double h1 = larger <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : calc_dyadic_power(0.01 / larger, 26);
  const double h = std::min(100 * h0, h1);
  return std::isfinite(h) && h > 0 ? h : h0;
}

void DormandPrince::calc_stages(double h) {
  const Tableau& tableau = tableau_dormand_prince();
  const double t = t_end_;
  for (std::size_t i = 1; i < 6; ++i) {
    add_stages(tableau.a[i], h, y0_, k_, y1_);
    calc_derivative(t + tableau.c[i] * h, y1_, k_[i]);
  }
  add_stages(tableau.b, h, y0_, k_, y1_);
  y_trial_ = y1_;
  calc_derivative(t + h, y1_, k_[6]);
}

OdeStatus DormandPrince::accept(double t_end, double h) {
  y_trial_ = y1_;
  if (!problem_.project(t_end, y_trial_)) return OdeStatus::projection_failed;
  t_dense_ = t_end_, h_dense_ = h;
  update_dense(h);
  t_begin_ = t_end_, t_end_ = t_end;
  y_end_ = y_trial_;
  // FSAL holds as long as the projection is invisible to the error control.
  scratch_ = y_end_ - y1_;
  have_first_stage_ = calc_norm(scratch_, y0_, y1_) <= 1e-3;
  return OdeStatus::ok;
}

void DormandPrince::update_dense(double h) {
  dense_[0] = y0_;
  dense_[1] = y1_ - y0_;
  dense_[2] = h * k_[0] - dense_[1];
  dense_[3] = dense_[1] - h * k_[6] - dense_[2];
  calc_stage_sum(dense_weights(), h, k_, dense_[4]);
}

// y = d0 + x (d1 + (1 - x) (d2 + x (d3 + (1 - x) d4))), x = (t - t_dense) / h
void DormandPrince::interpolate(double t, VecX& y) {
  const double x = (t - t_dense_) / h_dense_, r = 1 - x;
  y = dense_[0] + x * (dense_[1] + r * (dense_[2] + x * (dense_[3] + r * dense_[4])));
}

OdeStatus DormandPrince::cut_step(double t_event) {
  const double t0 = t_begin_, t1 = t_end_;
  const int guard = finder_.crossing().front();
  const double tolerance = finder_.tolerance(t_event);
  const double slope = calc_slope(guard, t_event);
  double t = t_event;
  for (int iteration = 0; iteration < 6; ++iteration) {
    t_end_ = t0;
    calc_stages(t - t0);
    if (!is_finite(y1_) || !is_finite(k_[6])) return OdeStatus::not_finite;
    const OdeStatus status = accept(t, t - t0);
    if (status != OdeStatus::ok) return status;
    // Newton's method on margin(t) = 0, aiming a little behind it. A grazing guard keeps the time of the dense output.
    const double margin = finder_.calc_guard_margin(guard, t, y_end_);
    const bool behind = margin <= 0 && margin >= slope * tolerance;
    const double change = 0.25 * tolerance - margin / slope;
    if (behind || !(slope < 0) || std::abs(change) > 0.1 * (t - t0) || t + change > t1) break;
    t += change;
  }
  return OdeStatus::ok;
}

// Of the guard's margin along the dense output, just before t.
double DormandPrince::calc_slope(int guard, double t) {
  const double dt = 1e-3 * (t - t_begin_);
  interpolate(t, scratch_);
  const double margin = finder_.calc_guard_margin(guard, t, scratch_);
  interpolate(t - dt, scratch_);
  return (margin - finder_.calc_guard_margin(guard, t - dt, scratch_)) / dt;
}

void DormandPrince::write_history(std::vector<double>& memory) const {
  memory.insert(memory.end(), {t_dense_, h_dense_, h_next_, error_old_, have_first_stage_ ? 1.0 : 0.0});
  memory.insert(memory.end(), k_[6].begin(), k_[6].end());
  for (const VecX& d : dense_) memory.insert(memory.end(), d.begin(), d.end());
}

void DormandPrince::read_history(const double*& memory) {
  t_dense_ = *memory++, h_dense_ = *memory++, h_next_ = *memory++, error_old_ = *memory++;
  have_first_stage_ = *memory++ != 0;
  for (double& value : k_[6]) value = *memory++;
  for (VecX& d : dense_) {
    for (double& value : d) value = *memory++;
  }
}

}  // namespace stiction
