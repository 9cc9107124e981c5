#include "stiction/stepping/rigid/stepper_rigid.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <tuple>

#include "stiction/base/index.h"
#include "stiction/solvers/island.h"
#include "stiction/stepping/ode/ode_fixed.h"

namespace stiction {
namespace {

/// As Contact::comes_before.
template <class A, class B>
bool comes_before(const A& a, const B& b) {
  return std::tuple(a.shape_a, a.shape_b, a.point) < std::tuple(b.shape_a, b.shape_b, b.point);
}

}  // namespace

StepperRigid::StepperRigid(const System& system, const MethodSettings& settings, const RigidTolerances& tolerances,
                           const FailurePolicy& policy)
    : model_(system, settings, tolerances, policy),
      sleeping_(model_),
      finder_(system.contact),
      islands_(model_),
      equations_(system),
      kinematics_(system),
      reach_(model_.shapes.size(), 0.0),
      work_(VecX::Zero(system.nv)) {
  // Islands have a cluster each, at least.
  const int threads = std::clamp(settings.threads, 1, std::max(1, static_cast<int>(model_.parts.size())));
  for (int i = 0; i < threads; ++i) steppers_.push_back(std::make_unique<IslandStepper>(model_));
}

void StepperRigid::watch_problems(ProblemWatch watch) {
  watch_ = std::move(watch);
  for (auto& stepper : steppers_) {
    stepper->watch_problems([this](SolvedProblem& problem) {
      const std::lock_guard lock(watch_mutex_);
      problem.t = watched_t_;
      problem.step = watched_step_;
      watch_(problem);
    });
  }
}

StepReport StepperRigid::step(State& state, double t_limit) {
  StepReport report;
  if (!recall(state.memory)) {
    report.status = StepStatus::diverged;
    report.message = "the memory of this state belongs to another scene or method; begin with a state of this one";
    return report;
  }
  const double t_next = calc_next_time(state.t, model_.settings.step, t_limit, model_.settings.step_origin);
  // A whole step is one, however the times of records are rounded.
  const double step = model_.settings.step, left = t_next - state.t;
  report.h = std::abs(left - step) <= 1e-9 * step ? step : left;
  next_ = state;
  is_recalled_ = false;
  watched_t_ = state.t;
  watched_step_ = state.step;
  records_.clear();
  resting_impulses_.clear();
  advance_islands(state, report);
  join(t_next, report);
  update_modes(next_, report);
  if (!next_.q.allFinite() || !next_.v.allFinite() || !next_.z.allFinite()) {
    report.status = StepStatus::diverged;
    report.message = describe_not_finite(state);
    return report;
  }
  measure(next_, report);
  next_.step = state.step + 1;
  sleeping_.add_records(report.h, records_, report.contact);
  if (sleeping_.fall_asleep({next_, kinematics_, report.h, records_}, memory_, report)) found_ = nullptr;
  memorize(next_.memory);
  std::swap(state, next_);
  return report;
}

/// All contacts within reach of a whole step. The end of a step is the start of the next: what was found last is kept.
const FoundContacts& StepperRigid::find_contacts(const State& state) {
  if (found_ && found_q_ == state.q && found_v_ == state.v) return *found_;
  update_positions(model_.system, state.q, kinematics_);
  update_velocities(model_.system, state.v, kinematics_);
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    reach_[i] = sleeping_.is_dormant(i) ? ContactFinder::dormant
                                        : model_.calc_reach(static_cast<int>(i), kinematics_, model_.settings.step);
  }
  found_ = &finder_.update(kinematics_.X_WB, reach_);
  found_q_ = state.q, found_v_ = state.v;
  return *found_;
}

void StepperRigid::advance_islands(const State& state, StepReport& report) {
  islands_.update(find_contacts(state), memory_, sleeping_);
  pending_.clear();
  for (int i = 0; i < islands_.size(); ++i) pending_.push_back(i);
  do {
    advance_pending(state, report.h);
  } while (correct_premises(report));
}

/// Each by itself, on as many threads as there are steppers.
void StepperRigid::advance_pending(const State& state, double h) {
  if (results_.size() < at(islands_.size())) results_.resize(at(islands_.size()));
  const bool settle = model_.settings.settle && state.step == 0;
  const auto advance = [&](int i, IslandStepper& stepper) {
    stepper.advance({islands_.list()[at(i)], state, kinematics_, h, reach_, sleeping_, settle}, results_[at(i)]);
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
bool StepperRigid::correct_premises(StepReport& report) {
  bool changed = wake_pushed(report);
  for (int i = 0; i < islands_.size(); ++i) {
    for (const auto& [shape, reach, meets_driven] : results_[at(i)].extensions) {
      reach_[at(shape)] = std::max(reach_[at(shape)], reach);
      changed = changed || islands_.size() > 1 || meets_driven;
      results_[at(i)].meets_driven = results_[at(i)].meets_driven || meets_driven;
    }
    results_[at(i)].extensions.clear();
  }
  if (!changed) return false;
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    if (reach_[i] == ContactFinder::dormant && !sleeping_.is_dormant(i))
      reach_[i] = model_.calc_reach(static_cast<int>(i), kinematics_, model_.settings.step);
  }
  found_ = nullptr;
  const int count_before = islands_.size();
  kept_.swap(results_);
  islands_.update(finder_.update(kinematics_.X_WB, reach_), memory_, sleeping_);
  if (results_.size() < at(islands_.size())) results_.resize(at(islands_.size()));
  pending_.clear();
  // Both stand in the order of their first clusters.
  int k = 0;
  for (int i = 0; i < islands_.size(); ++i) {
    const Island& island = islands_.list()[at(i)];
    while (k < count_before && kept_[at(k)].first_cluster < island.clusters.front().index) ++k;
    const bool is_same = k < count_before && kept_[at(k)].first_cluster == island.clusters.front().index &&
                         kept_[at(k)].cluster_count == island.clusters.size();
    if (is_same && kept_[at(k)].pushed_sleepers.empty() && !kept_[at(k)].meets_driven) {
      std::swap(results_[at(i)], kept_[at(k++)]);
    } else {
      pending_.push_back(i);
    }
  }
  return !pending_.empty();
}

bool StepperRigid::wake_pushed(StepReport& report) {
  bool any = false;
  for (int i = 0; i < islands_.size(); ++i) {
    const IslandResult& result = results_[at(i)];
    if (result.pushed_sleepers.empty()) continue;
    sleeping_.wake(result.pushed_sleepers, result.pushed_at, memory_, report);
    any = true;
  }
  return any;
}

/// The ends of the islands become the next state, what they tell the report.
void StepperRigid::join(double t_next, StepReport& report) {
  memory_.clear();
  for (int i = 0; i < islands_.size(); ++i) {
    const IslandResult& result = results_[at(i)];
    scatter(islands_.list()[at(i)], model_.plan, result.end, next_);
    next_.z.head<ledger_size>() += result.end.ledger.matrix();
    merge_islands(result.audit, report.contact);
    report.evaluations = std::max(report.evaluations, result.evaluations);
    report.rejected += result.rejected;
    memory_.insert(memory_.end(), result.memory.begin(), result.memory.end());
    records_.insert(records_.end(), result.records.begin(), result.records.end());
    resting_impulses_.insert(resting_impulses_.end(), result.resting_impulses.begin(), result.resting_impulses.end());
    report.events.insert(report.events.end(), result.events.begin(), result.events.end());
  }
  if (model_.has_layers) {
    double& stored = next_.z[model_.system.layer_energy];
    stored = 0;
    for (const ContactMemory& memory : memory_) stored += memory.layers[0].stored + memory.layers[1].stored;
  }
  next_.t = t_next;
  if (!model_.plan.prescribed.empty()) update_prescribed(model_.system, model_.plan, t_next, next_.q, next_.v, work_);
  std::stable_sort(report.events.begin(), report.events.end(),
                   [](const StepEvent& x, const StepEvent& y) { return x.t < y.t; });
  sort_records();
}

/// Records of islands that lie between one another's.
void StepperRigid::sort_records() {
  if (std::is_sorted(records_.begin(), records_.end(), comes_before<ContactRecord, ContactRecord>)) return;
  order_.resize(records_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int x, int y) { return comes_before(records_[at(x)], records_[at(y)]); });
  sorted_.clear();
  sorted_impulses_.clear();
  for (const int i : order_) {
    sorted_.push_back(records_[at(i)]);
    sorted_impulses_.push_back(resting_impulses_[at(i)]);
  }
  records_.swap(sorted_);
  resting_impulses_.swap(sorted_impulses_);
}

/// At the end of the step, by the exact geometry.
void StepperRigid::measure(State& state, StepReport& report) {
  ContactAudit& audit = report.contact;
  for (int i = 0; i < islands_.size(); ++i) finder_.give_known(results_[at(i)].found);
  const std::vector<Contact>& found = find_contacts(state).contacts;
  const auto note_depth = [&](const Contact& contact, double depth) {
    if (depth <= audit.penetration) return;
    audit.penetration = depth;
    audit.worst_a = contact.shape_a, audit.worst_b = contact.shape_b;
  };
  for (const Contact& contact : found) {
    if (!model_.has_layers || !model_.is_layered(contact)) note_depth(contact, -contact.gap);
  }
  auto contact = found.begin();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    ContactRecord& record = records_[i];
    if (!record.certified && !record.impulse.isZero(0)) ++audit.uncertified;
    while (contact != found.end() && comes_before(*contact, record)) ++contact;
    if (contact == found.end() || comes_before(record, *contact)) continue;
    record.gap = contact->gap;
    // Of the surfaces as layers give way.
    const double gap = contact->gap + record.deflection;
    if (model_.has_layers && model_.is_layered(*contact)) note_depth(*contact, -gap);
    audit.complementarity = std::max(audit.complementarity, std::abs(gap * resting_impulses_[i]));
  }
  if (model_.system.constraints.empty()) return;
  const Equations::Drift drift = equations_.calc_drift(state.t, state.q, state.v, state.z);
  report.drift = drift.position;
  report.drift_rate = drift.velocity;
  equations_.follow_turns(state);
}

}  // namespace stiction
