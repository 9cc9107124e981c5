#pragma once

#include "stiction/stepping/stepper.h"

namespace stiction {

/// A method of fixed steps, of first order, with steps chosen by an estimate of their error (step doubling). From a
/// state x a step of h leads to x_1, two steps of h/2 to x_2. With the local error C h^2 of first order
///     x_1 = x(t + h) + C h^2,   x_2 = x(t + h) + 2 C (h/2)^2,   so that   |x_2 - x(t + h)| = |x_1 - x_2|        (1)
/// x_2 is kept, with all conditions of the method at its end. The step is taken again, shorter, while the largest
/// difference of a coordinate is above error = method.absolute_tolerance, and the next has the length that (1) expects
/// to meet it:
///     h+ = h clamp(0.9 sqrt(error / |x_1 - x_2|), 1/5, 5)                                                      (2)
/// (Hairer, Norsett, Wanner, section II.4). Steps end at the multiples of method.step, which is the longest. The global
/// error of a first-order method goes with the square root of the local one: an error 4 times smaller halves it.
/// Extrapolation, 2 x_2 - x_1, would be of second order but leave gaps and the cone.
/// Impacts that the method spreads over a step are errors of order h: steps become so short there that `error` holds.
/// The shortest is 2^-20 of the longest; what it leaves is accepted, and counts as unconverged.
/// Needs a method whose memory is all in the state.
class StepperDoubling final : public Stepper {
 public:
  StepperDoubling(const System& system, const MethodSettings& settings, std::unique_ptr<Stepper> inner);
  StepReport step(State& state, double t_limit) override;
  bool interpolates() const override { return false; }
  const std::vector<ContactRecord>& contacts() const override { return records_; }
  void watch_problems(ProblemWatch watch) override { inner_->watch_problems(std::move(watch)); }
  bool can_checkpoint(const State&) override { return true; }
  /// The length of the next step.
  std::vector<double> checkpoint(const State&) override { return {wanted_}; }
  void restore(const State& state, const std::vector<double>& memory) override;
  void take_changed_inputs(State& state) override { inner_->take_changed_inputs(state); }

 private:
  /// Both ways from a state to t_mid and t_end; the reports of what is kept are joined.
  StepReport take(const State& state, double t_mid, double t_end);
  double calc_difference() const;
  void join_records();

  const System& system_;
  double longest_ = 0, origin_ = 0, error_ = 0;
  std::unique_ptr<Stepper> inner_;
  double wanted_ = 0;  ///< length of the next step [s]
  State whole_, halves_;
  std::vector<ContactRecord> first_, records_;
};

}  // namespace stiction
