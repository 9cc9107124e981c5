#include "stiction/stepping/rigid/island_advance.h"

#include <algorithm>
#include <atomic>

#include "stiction/base/index.h"
#include "stiction/solvers/island.h"

namespace stiction {

IslandAdvance::IslandAdvance(const RigidModel& model)
    : model_(model),
      finder_(model.system.contact),
      islands_(model),
      kinematics_(model.system),
      driven_reach_(model),
      reach_(model.shapes.size(), 0.0) {
  // Islands have a cluster each, at least.
  const int threads = std::clamp(model.settings.threads, 1, std::max(1, static_cast<int>(model.parts.size())));
  for (int i = 0; i < threads; ++i) steppers_.push_back(std::make_unique<IslandStepper>(model_));
}

void IslandAdvance::watch_problems(const ProblemWatch& watch) {
  for (auto& stepper : steppers_) {
    stepper->watch_problems([this, watch](SolvedProblem& problem) {
      const std::lock_guard lock(watch_mutex_);
      problem.t = t_;
      problem.step = step_;
      watch(problem);
    });
  }
}

void IslandAdvance::start_profile() {
  profile_.start();
  for (auto& stepper : steppers_) stepper->start_profile();
}

void IslandAdvance::add_profile(StepProfile& sum) const {
  sum.add(profile_);
  for (const auto& stepper : steppers_) sum.add(stepper->profile());
}

const FoundContacts& IslandAdvance::find_contacts(const State& state, const Sleeping& sleeping) {
  const bool is_timely = !driven_reach_.has_shapes() || found_t_ == state.t;
  if (found_ && is_timely && found_q_ == state.q && found_v_ == state.v) return *found_;
  update_positions(model_.system, state.q, kinematics_);
  update_velocities(model_.system, state.v, kinematics_);
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    reach_[i] = sleeping.is_dormant(i) ? ContactFinder::dormant
                                       : model_.calc_reach(static_cast<int>(i), kinematics_, model_.settings.step);
  }
  driven_reach_.extend(state.t, reach_);
  found_ = &finder_.update(kinematics_.X_WB, reach_);
  found_q_ = state.q, found_v_ = state.v, found_t_ = state.t;
  return *found_;
}

const FoundContacts& IslandAdvance::find_end_contacts(const State& state, const Sleeping& sleeping) {
  for (int i = 0; i < size(); ++i) finder_.give_known(result(i).found);
  return find_contacts(state, sleeping);
}

void IslandAdvance::advance(const State& state, double h, Sleeping& sleeping, std::vector<ContactMemory>& memory,
                            StepReport& report) {
  t_ = state.t;
  step_ = state.step;
  find_islands(state, sleeping, memory);
  pending_.clear();
  for (int i = 0; i < size(); ++i) pending_.push_back(i);
  do {
    advance_pending(state, h, sleeping);
  } while (correct_premises(sleeping, memory, report));
}

void IslandAdvance::find_islands(const State& state, const Sleeping& sleeping,
                                 const std::vector<ContactMemory>& memory) {
  const StepProfile::Scope scope(profile_, StepPart::finding);
  islands_.update(find_contacts(state, sleeping), memory, sleeping);
}

/// Each by itself, on as many threads as there are steppers.
void IslandAdvance::advance_pending(const State& state, double h, const Sleeping& sleeping) {
  if (results_.size() < at(size())) results_.resize(at(size()));
  const bool settle = model_.settings.settle && state.step == 0;
  const auto advance = [&](int i, IslandStepper& stepper) {
    stepper.advance({island(i), state, kinematics_, h, reach_, sleeping, settle}, result(i));
  };
  const int threads = static_cast<int>(std::min(steppers_.size(), pending_.size()));
  if (threads <= 1) {
    for (const int i : pending_) advance(i, *steppers_.front());
    return;
  }
  std::atomic<std::size_t> next = 0;
  for_each_island(threads, threads, [&](int thread) {
    for (std::size_t k = next++; k < pending_.size(); k = next++) advance(pending_[k], *steppers_[at(thread)]);
  });
}

/// Sleepers that were pushed wake; shapes that became fast reach farther. Islands that are no longer what they were
/// then are pending, the others keep their results. Returns whether there are any.
bool IslandAdvance::correct_premises(Sleeping& sleeping, std::vector<ContactMemory>& memory, StepReport& report) {
  bool changed = wake_pushed(sleeping, memory, report);
  for (int i = 0; i < size(); ++i) {
    for (const auto& [shape, reach, meets_driven] : result(i).extensions) {
      reach_[at(shape)] = std::max(reach_[at(shape)], reach);
      changed = changed || size() > 1 || meets_driven;
      result(i).meets_driven = result(i).meets_driven || meets_driven;
    }
    result(i).extensions.clear();
  }
  if (!changed) return false;
  const StepProfile::Scope scope(profile_, StepPart::finding);
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    if (reach_[i] == ContactFinder::dormant && !sleeping.is_dormant(i))
      reach_[i] = model_.calc_reach(static_cast<int>(i), kinematics_, model_.settings.step);
  }
  forget();
  const int count_before = size();
  islands_.update(finder_.update(kinematics_.X_WB, reach_), memory, sleeping);
  keep_results(count_before);
  return !pending_.empty();
}

/// Of islands that have the same clusters as before; the others are pending. Both stand in the order of their first
/// clusters.
void IslandAdvance::keep_results(int count_before) {
  kept_.swap(results_);
  if (results_.size() < at(size())) results_.resize(at(size()));
  pending_.clear();
  int k = 0;
  for (int i = 0; i < size(); ++i) {
    const std::vector<Island::Cluster>& clusters = island(i).clusters;
    while (k < count_before && kept_[at(k)].first_cluster < clusters.front().index) ++k;
    const bool is_same = k < count_before && kept_[at(k)].first_cluster == clusters.front().index &&
                         kept_[at(k)].cluster_count == clusters.size();
    if (is_same && kept_[at(k)].pushed_sleepers.empty() && !kept_[at(k)].meets_driven) {
      std::swap(result(i), kept_[at(k++)]);
    } else {
      pending_.push_back(i);
    }
  }
}

bool IslandAdvance::wake_pushed(Sleeping& sleeping, std::vector<ContactMemory>& memory, StepReport& report) {
  bool any = false;
  for (int i = 0; i < size(); ++i) {
    if (result(i).pushed_sleepers.empty()) continue;
    sleeping.wake(result(i).pushed_sleepers, result(i).pushed_at, memory, report);
    any = true;
  }
  return any;
}

}  // namespace stiction
