#pragma once

#include <memory>
#include <mutex>

#include "stiction/multibody/equations.h"
#include "stiction/stepping/rigid/island_stepper.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// Rigid contact by complementarity: impulses and velocities are the unknowns of a step (formulation.h). How a step
/// goes (docs/step.md):
///     contacts within reach of the step -> islands -> each advanced by itself -> joined -> measured -> sleep
/// An island whose result was won under a wrong premise (a sleeper was pushed, a body came within reach of another
/// island) is taken again with that corrected; the others keep theirs. Islands are advanced on `threads` threads; no
/// result depends on how many, nor on what else is in the scene.
///
/// All that a step takes over from the steps before is in the state. State::memory: the number of contacts, their
/// ContactMemory (contact_memory.h), and where bodies may sleep, the numbers of Sleeping::save.
class StepperRigid final : public Stepper {
 public:
  /// Other tolerances and another policy than the usual: for `./dev ablate`.
  StepperRigid(const System& system, const MethodSettings& settings, const RigidTolerances& tolerances = {},
               const FailurePolicy& policy = {});
  StepReport step(State& state, double t_limit) override;
  bool interpolates() const override { return false; }
  const std::vector<ContactRecord>& contacts() const override { return records_; }
  void watch_problems(ProblemWatch watch) override;
  std::vector<double> checkpoint(const State&) override { return {}; }
  bool can_checkpoint(const State&) override { return true; }
  void restore(const State& state, const std::vector<double>& memory) override;
  void take_changed_inputs(State& state) override;

 private:
  bool recall(const std::vector<double>& numbers);
  void memorize(std::vector<double>& numbers);
  const FoundContacts& find_contacts(const State& state);
  void advance_islands(const State& state, StepReport& report);
  void advance_pending(const State& state, double h);
  bool correct_premises(StepReport& report);
  bool wake_pushed(StepReport& report);
  void join(double t_next, StepReport& report);
  void sort_records();
  void measure(State& state, StepReport& report);
  void update_modes(State& state, StepReport& report);
  std::string describe_not_finite(const State& state) const;

  RigidModel model_;
  Sleeping sleeping_;
  ContactFinder finder_;
  IslandFinder islands_;
  std::vector<std::unique_ptr<IslandStepper>> steppers_;  ///< one a thread
  Equations equations_;                                   ///< for drift and guards
  Kinematics kinematics_;                                 ///< of the state at which contacts were found
  std::vector<double> reach_;                             ///< of shapes
  const FoundContacts* found_ = nullptr;                  ///< at found_q_, found_v_
  VecX found_q_, found_v_;
  std::vector<IslandResult> results_;  ///< of islands
  std::vector<IslandResult> kept_;     ///< of islands that are not taken again
  std::vector<int> pending_;           ///< islands to be advanced
  std::vector<ContactMemory> memory_;
  std::vector<double> recalled_;  ///< State::memory that memory_ and sleeping_ hold
  bool is_recalled_ = true;       ///< do they? Not while a step is on its way
  std::vector<ContactRecord> records_;
  std::vector<double> resting_impulses_;  ///< of the records
  std::vector<int> order_;
  std::vector<ContactRecord> sorted_;
  std::vector<double> sorted_impulses_;
  State next_;
  ProblemWatch watch_;
  std::mutex watch_mutex_;
  std::int64_t watched_step_ = 0;
  double watched_t_ = 0;
  VecX work_, guards_;
};

}  // namespace stiction
