#pragma once

#include "stiction/stepping/ode/ode.h"

namespace stiction {

/// The next time of a fixed-step method: the next of origin + k h after t, computed so and not as a sum; or t_limit, if
/// that comes first or lies within 1e-9 h. A time within 1e-9 h of the grid counts as on it.
double calc_next_time(double t, double h, double t_limit, double origin = 0);

/// What all fixed-step methods share: the time grid, the check for finite numbers, the projection and the modes. A mode
/// is switched at the end of the step in which its guard has changed sign; the event's time is found by linear
/// interpolation of the guard, the state there by one Euler step from the start of the step. Breaks of f inside a step
/// are ignored. No memory beside (t, y).
class FixedStepIntegrator : public OdeIntegrator {
 public:
  FixedStepIntegrator(OdeProblem& problem, const OdeSettings& settings);
  const OdeReport& advance(double& t, VecX& y, double t_limit) final;
  void forget() final {}
  bool can_checkpoint(double, const VecX&) const final { return true; }
  std::vector<double> checkpoint(double, const VecX&) final { return {}; }
  void restore(double, const VecX&, const std::vector<double>&) final {}
  const VecX& trial() const final { return y_new_; }

 protected:
  /// y_new from y over [t, t + h]; returns the number of evaluations of f.
  virtual int calc_step(double t, double h, const VecX& y, VecX& y_new) = 0;
  OdeProblem& problem_;

 private:
  void switch_modes(double t, const VecX& y, double t_new);

  double step_, origin_;
  VecX y_new_, guards_, guards_before_, slope_, y_event_;
  OdeReport report_;
};

}  // namespace stiction
