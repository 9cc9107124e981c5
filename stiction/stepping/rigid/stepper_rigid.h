#pragma once

#include "stiction/multibody/equations.h"
#include "stiction/stepping/rigid/island_advance.h"
#include "stiction/stepping/rigid/joint_load.h"
#include "stiction/stepping/rigid/rigid_memory.h"
#include "stiction/stepping/rigid/step_records.h"
#include "stiction/stepping/rigid/touched_limits.h"

namespace stiction {

/// Rigid contact by complementarity: impulses and velocities are the unknowns of a step (formulation.h). How a step
/// goes (docs/step.md):
///     contacts within reach of the step -> islands -> each advanced by itself -> joined -> measured -> sleep
/// No result depends on the number of threads; the motion of an island does not depend on what else is in the scene.
/// All that a step takes over from the steps before is in the state (rigid_memory.h).
class StepperRigid final : public Stepper {
 public:
  /// Other tolerances and another policy than the usual: for `./dev ablate`.
  StepperRigid(const System& system, const MethodSettings& settings, const RigidTolerances& tolerances = {},
               const FailurePolicy& policy = {});
  StepReport step(State& state, double t_limit) override;
  bool interpolates() const override { return false; }
  const std::vector<ContactRecord>& contacts() const override { return records_.list(); }
  void watch_problems(ProblemWatch watch) override { islands_.watch_problems(watch); }
  void start_profile() override;
  StepProfile profile() const override;
  std::vector<double> checkpoint(const State&) override { return {}; }
  bool can_checkpoint(const State&) override { return true; }
  void restore(const State& state, const std::vector<double>& memory) override;
  void take_changed_inputs(State& state) override;

 private:
  bool recall(const State& state);
  void join(double t_next, StepReport& report);
  void note_joint_forces(double h);
  const FoundContacts& find_end_contacts();
  void measure(StepReport& report);
  void sleep(StepReport& report);
  void update_modes(StepReport& report);
  std::string describe_not_finite(double t) const;

  RigidModel model_;
  RigidMemory memory_;
  IslandAdvance islands_;
  StepProfile profile_;  ///< but for what islands do
  StepRecords records_;
  Equations equations_;  ///< for drift, guards and loads of joints
  JointLoad joint_load_;
  TouchedLimits touched_limits_;
  State next_;
  VecX work_, guards_;
};

}  // namespace stiction
