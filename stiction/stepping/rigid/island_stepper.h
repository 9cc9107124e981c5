#pragma once

#include "stiction/contact/passage.h"
#include "stiction/stepping/rigid/impact_law.h"
#include "stiction/stepping/rigid/position_correction.h"
#include "stiction/stepping/rigid/step_book.h"
#include "stiction/stepping/rigid/time_of_impact.h"

namespace stiction {

/// Advances islands, one after the other, by a whole step each: impacts inside the step are located in time, the impact
/// law is applied there, and the step goes on: so the time of impact counts, and e comes out as put in. Which contacts
/// are located: Formulation::is_located. Where too many impacts follow upon each other, or one may come where too many
/// contacts are loaded for trial steps, the rest of the step is taken to first order (FailurePolicy). A part on which
/// bodies pass through one another is taken again as far as to where they overlap (contact/passage.h).
/// The result depends on the task alone, not on what was advanced before: it only owns memory.
class IslandStepper {
 public:
  explicit IslandStepper(const RigidModel& model);

  struct Task {
    const Island& island;
    const State& state;                ///< of the whole scene
    const Kinematics& kinematics;      ///< of that state
    double h = 0;                      ///< of the step [s]
    const std::vector<double>& reach;  ///< of all shapes, within which the island's contacts were sought [m]
    const Sleeping& sleeping;
    bool settle = false;  ///< correct positions first
  };
  void start_profile() { work_.profile.start(); }
  const StepProfile& profile() const { return work_.profile; }
  void advance(const Task& task, IslandResult& result);
  /// May be told of a problem's parts (SolvedProblem::take_apart).
  void watch_problems(std::function<void(SolvedProblem&)> watch);

 private:
  bool sleeps_on(const Task& task) const;
  void rest(const Task& task, IslandResult& result) const;
  double calc_part_end(double end);
  double calc_fastest_turn(const std::vector<Contact>& contacts);
  bool take_impact(IslandState& state);
  bool take_part(double end, bool locating, IslandState& state);
  bool locate(const IslandState& state);
  bool take_to_impact(double end, bool locating, const IslandState& state);
  double take_solved(double h, bool locating, const IslandState& state);
  double take_unpassed(double h, bool locating, const IslandState& state);
  std::optional<Passage> find_passage();
  bool pushes_sleepers(const VecX& r, double t);
  bool correct(const AllowedOverlap& allowed, int rounds, IslandState& state);
  bool correct_end(IslandState& state);
  Jam make_jam(int loaded) const;

  const RigidModel& model_;
  IslandWork work_;
  RigidStep step_;
  TimeOfImpact toi_;
  ImpactLaw impact_;
  PositionCorrection correction_;
  StepBook book_;
  PassageSearch passage_;
  const Sleeping* sleeping_ = nullptr;
  IslandResult* result_ = nullptr;
  IslandState state_, trial_;
  VecX half_, v_mean_;
  int impacts_ = 0;   ///< located in this step
  int attempts_ = 0;  ///< a time of impact may turn out to be none, of a contact that grazes, say
  int passings_ = 0;  ///< parts that were shortened since bodies passed through one another
  int halvings_ = 0;
};

/// The part of a state that belongs to an island, and back.
void gather(const Island& island, const TreePlan& plan, const State& state, IslandState& part);
void scatter(const Island& island, const TreePlan& plan, const IslandState& part, State& state);

}  // namespace stiction
