#include "stiction/stepping/control/stepper_sampled.h"

#include <algorithm>

namespace stiction {

StepperSampled::StepperSampled(const System& system, const MethodSettings& settings, std::unique_ptr<Stepper> inner)
    : sampler_(system), inner_(std::move(inner)), record_h_(uses_integrator(settings.type) ? settings.step : 0) {}

StepReport StepperSampled::step(State& state, double t_limit) {
  if (state.t == 0) sampler_.sample(-1, state);
  const double t_before = state.t;
  StepReport report = inner_->step(state, std::min(t_limit, sampler_.next_time(t_before)));
  if (report.status != StepStatus::ok || state.t == t_before) return report;
  sampler_.note_contacts(inner_->contacts(), record_h_ > 0 ? record_h_ : state.t - t_before, state);
  sampler_.sample(t_before, state);
  return report;
}

}  // namespace stiction
