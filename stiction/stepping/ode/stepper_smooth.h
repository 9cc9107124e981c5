#pragma once

#include "stiction/stepping/ode/integrators.h"
#include "stiction/stepping/ode/smooth_problem.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// Formulations "smooth", without contact, and "compliant", with contacts that are forces too: all forces are functions
/// of the state, any integrator of the table moves it. Bilateral constraints act at the acceleration level, and every
/// state that is handed out is projected onto positions and velocities.
class StepperSmooth final : public Stepper {
 public:
  StepperSmooth(const System& system, const MethodSettings& settings);
  StepReport step(State& state, double t_limit) override;
  bool interpolates() const override { return info_.adaptive; }
  std::vector<double> checkpoint(const State& state) override;
  bool can_checkpoint(const State& state) override;
  void restore(const State& state, const std::vector<double>& memory) override;
  void take_changed_inputs(State& state) override;
  const std::vector<ContactRecord>& contacts() const override { return records_; }

 private:
  void watch_contacts(double t_before, State& state, StepReport& report);
  void take(const State& state);
  std::string describe(OdeStatus status, const State& state);
  int find_most_accelerated(const State& state);
  std::string describe_not_finite(const State& state) const;
  bool crawls(double t);

  const System& system_;
  const IntegratorInfo& info_;
  SmoothProblem problem_;
  std::unique_ptr<OdeIntegrator> integrator_;
  VecX y_;
  double step_;  ///< time.step: recorded impulses are forces times this
  double max_step_;
  std::vector<ContactRecord> records_;
  double watched_from_ = 0;  ///< start of the steps that are counted [s]
  int watched_steps_ = 0;
};

}  // namespace stiction
