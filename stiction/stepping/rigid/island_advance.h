#pragma once

#include <memory>
#include <mutex>

#include "stiction/stepping/rigid/driven_reach.h"
#include "stiction/stepping/rigid/island_stepper.h"

namespace stiction {

/// Takes all islands of a scene through a step, each by itself, on method.threads threads. An island whose result was
/// won under a wrong premise (a sleeper was pushed, a body came within reach of another island) is taken again with
/// that corrected; the others keep theirs. No result depends on the number of threads.
class IslandAdvance {
 public:
  explicit IslandAdvance(const RigidModel& model);
  /// Told of every contact problem, with the step and the time at which it began.
  void watch_problems(const ProblemWatch& watch);
  void start_profile();
  void add_profile(StepProfile& sum) const;

  /// From `state`, by h. Sleepers that are pushed wake, and their contacts join `memory`.
  void advance(const State& state, double h, Sleeping& sleeping, std::vector<ContactMemory>& memory,
               StepReport& report);
  int size() const { return islands_.size(); }
  const Island& island(int i) const { return islands_.list()[static_cast<std::size_t>(i)]; }
  IslandResult& result(int i) { return results_[static_cast<std::size_t>(i)]; }

  /// All contacts within reach of a whole step. The end of a step is the start of the next: what was found last is kept
  /// until forget().
  const FoundContacts& find_contacts(const State& state, const Sleeping& sleeping);
  /// The same at the end of the step, where islands know their contacts.
  const FoundContacts& find_end_contacts(const State& state, const Sleeping& sleeping);
  void forget() { found_ = nullptr; }
  Kinematics& kinematics() { return kinematics_; }  ///< of the state at which contacts were found

 private:
  void find_islands(const State& state, const Sleeping& sleeping, const std::vector<ContactMemory>& memory);
  void advance_pending(const State& state, double h, const Sleeping& sleeping);
  bool correct_premises(Sleeping& sleeping, std::vector<ContactMemory>& memory, StepReport& report);
  bool wake_pushed(Sleeping& sleeping, std::vector<ContactMemory>& memory, StepReport& report);
  void keep_results(int count_before);

  const RigidModel& model_;
  ContactFinder finder_;
  IslandFinder islands_;
  std::vector<std::unique_ptr<IslandStepper>> steppers_;  ///< one a thread
  Kinematics kinematics_;
  DrivenReach driven_reach_;
  std::vector<double> reach_;             ///< of shapes
  const FoundContacts* found_ = nullptr;  ///< at found_q_, found_v_, found_t_
  VecX found_q_, found_v_;
  double found_t_ = 0;
  std::vector<IslandResult> results_;  ///< of islands
  std::vector<IslandResult> kept_;     ///< of the islands before
  std::vector<int> pending_;           ///< islands to be advanced
  StepProfile profile_;                ///< of what is done for all islands
  std::mutex watch_mutex_;
  std::int64_t step_ = 0;  ///< that is being taken, for watch_problems
  double t_ = 0;           ///< its start
};

}  // namespace stiction
