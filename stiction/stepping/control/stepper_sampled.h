#pragma once

#include "stiction/stepping/control/control_sampler.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// Any method with sampled controllers: steps end at the sample times, and there the outputs, which are part of the
/// state, change. Forces of contacts that a controller sees are those of the step that ended.
class StepperSampled final : public Stepper {
 public:
  StepperSampled(const System& system, const MethodSettings& settings, std::unique_ptr<Stepper> inner);
  StepReport step(State& state, double t_limit) override;
  bool interpolates() const override { return inner_->interpolates(); }
  const std::vector<ContactRecord>& contacts() const override { return inner_->contacts(); }
  void watch_problems(ProblemWatch watch) override { inner_->watch_problems(std::move(watch)); }
  bool can_checkpoint(const State& state) override { return inner_->can_checkpoint(state); }
  std::vector<double> checkpoint(const State& state) override { return inner_->checkpoint(state); }
  void restore(const State& state, const std::vector<double>& memory) override { inner_->restore(state, memory); }
  void take_changed_inputs(State& state) override { inner_->take_changed_inputs(state); }

 private:
  ControlSampler sampler_;
  std::unique_ptr<Stepper> inner_;
  double record_h_ = 0;  ///< compliant contact: what forces were multiplied with for their records; else 0
};

}  // namespace stiction
