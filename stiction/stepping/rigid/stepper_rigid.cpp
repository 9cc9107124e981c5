#include "stiction/stepping/rigid/stepper_rigid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/base/fault.h"
#include "stiction/base/index.h"
#include "stiction/stepping/ode/ode_fixed.h"
#include "stiction/stepping/rigid/joint_dwell.h"

namespace stiction {

StepperRigid::StepperRigid(const System& system, const MethodSettings& settings, const RigidTolerances& tolerances,
                           const FailurePolicy& policy)
    : model_(system, settings, tolerances, policy),
      memory_(model_),
      islands_(model_),
      equations_(system),
      joint_load_(model_),
      touched_limits_(model_),
      work_(VecX::Zero(system.nv)) {}

void StepperRigid::start_profile() {
  profile_.start();
  islands_.start_profile();
}

StepProfile StepperRigid::profile() const {
  StepProfile sum = profile_;
  islands_.add_profile(sum);
  return sum;
}

StepReport StepperRigid::step(State& state, double t_limit) {
  StepReport report;
  if (!recall(state)) {
    report.status = StepStatus::diverged;
    report.message = "the memory of this state belongs to another scene or method; begin with a state of this one";
    return report;
  }
  const double t_next = calc_next_time(state.t, model_.settings.step, t_limit, model_.settings.step_origin);
  // A whole step is one, however the times of records are rounded.
  const double step = model_.settings.step, left = t_next - state.t;
  report.h = std::abs(left - step) <= 1e-9 * step ? step : left;
  std::optional<StepProfile::Scope> scope(std::in_place, profile_, StepPart::other);
  next_ = state;
  memory_.change();
  records_.clear();
  touched_limits_.begin(state);
  scope.reset();
  islands_.advance(state, report.h, memory_.sleeping, memory_.contacts, report);
  scope.emplace(profile_, StepPart::other);
  join(t_next, report);
  note_joint_forces(report.h);
  update_modes(report);
  if (!next_.q.allFinite() || !next_.v.allFinite() || !next_.z.allFinite()) {
    report.status = StepStatus::diverged;
    report.message = describe_not_finite(state.t);
    return report;
  }
  touched_limits_.note_changes(next_, report);
  measure(report);
  if (model_.has_joint_dwell) update_joint_dwell(model_, islands_.kinematics(), report.h, next_);
  if (model_.has_load_friction) joint_load_.update(records_.list(), report.h, equations_, next_);
  next_.step = state.step + 1;
  sleep(report);
  memory_.write(next_.memory);
  std::swap(state, next_);
  return report;
}

/// The ends of the islands become the next state, what they tell the report.
void StepperRigid::join(double t_next, StepReport& report) {
  memory_.contacts.clear();
  for (int i = 0; i < islands_.size(); ++i) {
    const IslandResult& result = islands_.result(i);
    scatter(islands_.island(i), model_.plan, result.end, next_);
    next_.z.head<ledger_size>() += result.end.ledger.matrix();
    merge_islands(result.audit, report.contact);
    report.evaluations = std::max(report.evaluations, result.evaluations);
    report.rejected += result.rejected;
    memory_.contacts.insert(memory_.contacts.end(), result.memory.begin(), result.memory.end());
    records_.append(result);
    report.events.insert(report.events.end(), result.events.begin(), result.events.end());
  }
  if (model_.has_layers) {
    double& stored = next_.z[model_.system.layer_energy];
    stored = 0;
    for (const ContactMemory& memory : memory_.contacts) stored += memory.layers[0].stored + memory.layers[1].stored;
  }
  next_.t = t_next;
  if (!model_.plan.prescribed.empty()) update_prescribed(model_.system, model_.plan, t_next, next_.q, next_.v, work_);
  std::stable_sort(report.events.begin(), report.events.end(),
                   [](const StepEvent& x, const StepEvent& y) { return x.t < y.t; });
  records_.sort();
}

/// Mean forces of limits and friction of joints over the step.
void StepperRigid::note_joint_forces(double h) {
  for (const GuardedCoordinate& coordinate : model_.coordinates)
    if (coordinate.force_entry >= 0) next_.z[coordinate.force_entry] = 0;
  for (int i = 0; i < islands_.size(); ++i) {
    for (const auto& [index, impulse] : islands_.result(i).coordinate_impulses) {
      const GuardedCoordinate& coordinate = model_.coordinates[at(index)];
      if (coordinate.force_entry >= 0) next_.z[coordinate.force_entry] += impulse / h;
    }
  }
}

/// One-sided springs switch between steps.
void StepperRigid::update_modes(StepReport& report) {
  if (next_.modes.empty()) return;
  equations_.calc_guards(next_.t, next_.q, next_.v, next_.z, guards_);
  for (std::size_t i = 0; i < next_.modes.size(); ++i) {
    const int mode = Equations::mode_for(guards_[static_cast<Eigen::Index>(i)]);
    if (mode == next_.modes[i]) continue;
    next_.modes[i] = mode;
    const ModeInfo& info = equations_.mode_infos()[i];
    report.events.push_back({next_.t, mode ? info.on_word : info.off_word, info.element});
  }
}

const FoundContacts& StepperRigid::find_end_contacts() {
  const StepProfile::Scope scope(profile_, StepPart::finding);
  return islands_.find_end_contacts(next_, memory_.sleeping);
}

/// At the end of the step, by the exact geometry.
void StepperRigid::measure(StepReport& report) {
  records_.measure(model_, find_end_contacts(), report.contact);
  if (model_.system.constraints.empty()) return;
  const Equations::Drift drift = equations_.calc_drift(next_.t, next_.q, next_.v, next_.z);
  report.drift = drift.position;
  report.drift_rate = drift.velocity;
  equations_.follow_turns(next_);
}

void StepperRigid::sleep(StepReport& report) {
  Sleeping& sleeping = memory_.sleeping;
  sleeping.add_records(report.h, records_.list(), report.contact);
  if (sleeping.fall_asleep({next_, islands_.kinematics(), report.h, records_.list()}, memory_.contacts, report))
    islands_.forget();
}

/// Returns false where the state's memory is of no such system.
bool StepperRigid::recall(const State& state) {
  const RigidMemory::Recall recall = memory_.read(state.memory);
  if (recall != RigidMemory::Recall::same) islands_.forget();
  return recall != RigidMemory::Recall::not_ours;
}

void StepperRigid::restore(const State& state, const std::vector<double>& memory) {
  if (!memory.empty() || !recall(state)) throw IoError("the checkpoint does not fit this program");
}

void StepperRigid::take_changed_inputs(State& state) {
  if (!recall(state)) return;  // the step will say so
  const std::vector<int> loaded = memory_.sleeping.list_loaded();
  if (loaded.empty()) return;
  StepReport unused;
  memory_.sleeping.wake(loaded, state.t, memory_.contacts, unused);
  memory_.write(state.memory);
  islands_.forget();
}

std::string StepperRigid::describe_not_finite(double t) const {
  int worst = 0;
  for (int i = model_.system.nv - 1; i >= 0; --i)
    if (!std::isfinite(next_.v[i])) worst = i;
  const int body = model_.system.nv > 0 ? find_body_of_v(model_.system, worst) : 0;
  return "body \"" + model_.system.bodies[at(body)].name + "\" at t = " + fmt::format("{:.9g}", t) +
         " s: its motion is not finite; try a smaller step (time.step)";
}

}  // namespace stiction
