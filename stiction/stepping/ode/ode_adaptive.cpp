#include "stiction/stepping/ode/ode_adaptive.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/base/infinity.h"

namespace stiction {
namespace {}  // namespace

AdaptiveIntegrator::AdaptiveIntegrator(OdeProblem& problem, const OdeSettings& settings)
    : problem_(problem),
      settings_(settings),
      finder_(problem, settings.event_tolerance),
      y_end_(problem.size()),
      y_trial_(problem.size()),
      y_out_(problem.size()),
      guards_(problem.guard_count()) {}

void AdaptiveIntegrator::calc_derivative(double t, const VecX& y, VecX& dy) {
  ++report_.evaluations;
  problem_.calc_derivative(std::clamp(t, t_low_, std::nextafter(t_stop_, -infinity)), y, dy);
}

double AdaptiveIntegrator::calc_norm(const VecX& x, const VecX& y0, const VecX& y1) const {
  const VecX& factors = problem_.tolerance_factors();
  double worst = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double size = std::max(std::abs(y0[i]), std::abs(y1[i]));
    const double weight = factors[i] * (settings_.absolute_tolerance + settings_.relative_tolerance * size);
    // Written so that a NaN is not overlooked.
    const double ratio = std::abs(x[i]) / weight;
    worst = ratio <= worst ? worst : ratio;
  }
  return worst;
}

bool AdaptiveIntegrator::continues(double t, const VecX& y) const {
  return started_ && t == t_out_ && y == y_out_;
}

void AdaptiveIntegrator::begin(double t, const VecX& y) {
  t_begin_ = t_end_ = t_out_ = t;
  y_end_ = y_out_ = y;
  finder_.set_crossing({});
  started_ = fresh_ = true;
}

const OdeReport& AdaptiveIntegrator::advance(double& t, VecX& y, double t_limit) {
  report_.clear();
  if (!continues(t, y)) {
    begin(t, y);
    unchecked_ = true;
  }
  if (unchecked_) switch_contradicting_modes();
  if (t_end_ <= t) report_.status = take_step();
  if (report_.status == OdeStatus::ok) report_.status = serve(std::min(t_limit, t_end_), y_out_);
  if (report_.status != OdeStatus::ok) {
    started_ = false;
    return report_;
  }
  t = t_out_;
  y = y_out_;
  return report_;
}

void AdaptiveIntegrator::switch_contradicting_modes() {
  unchecked_ = false;
  if (!finder_.has_guards()) return;
  problem_.calc_guards(t_end_, y_end_, guards_);
  for (int i = 0; i < guards_.size(); ++i) {
    if (calc_margin(problem_.mode(i), guards_[i]) >= -guard_noise) continue;
    report_.events.push_back({t_end_, i, !problem_.mode(i)});
    problem_.switch_mode(i, !problem_.mode(i), t_end_, y_end_);
  }
}

OdeStatus AdaptiveIntegrator::take_step() {
  if (fresh_) {
    t_low_ = std::nextafter(t_end_, infinity);
    t_stop_ = problem_.next_break(t_end_);
    restart();
    fresh_ = false;
  }
  OdeStatus status = try_step(t_stop_);
  if (status == OdeStatus::ok && finder_.has_guards()) {
    if (const auto t_event = finder_.find_first(*this, t_begin_, t_end_)) status = cut_step(*t_event);
  }
  report_.h = t_end_ - t_begin_;
  return status;
}

OdeStatus AdaptiveIntegrator::serve(double t, VecX& y) {
  if (t < t_end_) {
    interpolate(t, y_trial_);
    if (!problem_.project(t, y_trial_)) return OdeStatus::projection_failed;
    y = y_trial_;
  } else {
    arrive();
    y = y_end_;
  }
  t_out_ = t;
  return OdeStatus::ok;
}

void AdaptiveIntegrator::arrive() {
  for (const int i : finder_.crossing()) {
    report_.events.push_back({t_end_, i, !problem_.mode(i)});
    problem_.switch_mode(i, !problem_.mode(i), t_end_, y_end_);
  }
  fresh_ = !finder_.crossing().empty() || t_end_ >= t_stop_ || drops_history();
}

bool AdaptiveIntegrator::can_checkpoint(double t, const VecX& y) const {
  return saves_history() || fresh_ || !continues(t, y);
}

std::vector<double> AdaptiveIntegrator::checkpoint(double t, const VecX& y) {
  STICTION_CHECK(can_checkpoint(t, y));
  if (!continues(t, y)) {
    begin(t, y);
    unchecked_ = true;
  }
  std::vector<double> memory = {t_begin_, t_end_, t_low_, t_stop_, unchecked_ ? 1.0 : 0.0, fresh_ ? 1.0 : 0.0};
  memory.insert(memory.end(), y_end_.begin(), y_end_.end());
  for (int i = 0; i < guards_.size(); ++i) {
    memory.push_back(std::count(finder_.crossing().begin(), finder_.crossing().end(), i) > 0 ? 1.0 : 0.0);
  }
  write_history(memory);
  return memory;
}

void AdaptiveIntegrator::restore(double t, const VecX& y, const std::vector<double>& memory) {
  std::vector<double> history;  // how long it is
  write_history(history);
  const std::size_t size = 6 + static_cast<std::size_t>(y_end_.size() + guards_.size()) + history.size();
  if (memory.size() != size) throw IoError("the checkpoint belongs to another method or scene");
  // t lies in a step from t_begin to t_end, which is before t_stop (may be infinite; not known without history).
  const bool is_fresh = memory[5] != 0, in_order = memory[0] <= t && t <= memory[1];
  if (!in_order || !std::isfinite(memory[0] + memory[1] + memory[2]) || !(is_fresh || memory[1] <= memory[3]))
    throw IoError("the checkpoint has no times at which it can go on");
  begin(t, y);
  const double* p = memory.data();
  t_begin_ = *p++, t_end_ = *p++, t_low_ = *p++, t_stop_ = *p++;
  unchecked_ = *p++ != 0, fresh_ = *p++ != 0;
  for (double& value : y_end_) value = *p++;
  std::vector<int> crossing;
  for (int i = 0; i < guards_.size(); ++i) {
    if (*p++ != 0) crossing.push_back(i);
  }
  finder_.set_crossing(std::move(crossing));
  read_history(p);
}

}  // namespace stiction
