#include "stiction/stepping/rigid/island_stepper.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"
#include "stiction/stepping/rigid/posed_step.h"

namespace stiction {

void gather(const Island& island, const TreePlan& plan, const State& state, IslandState& part) {
  part.t = state.t;
  part.elapsed = 0;
  part.ledger.setZero();
  part.q.resize(island.nq);
  part.v.resize(island.nv);
  for (const BodyPlace& place : island.bodies) {
    const JointPlan& joint = plan.joints[at(place.body)];
    part.q.segment(place.q_start, joint.nq) = state.q.segment(joint.q_start, joint.nq);
    part.v.segment(place.v_start, joint.nv) = state.v.segment(joint.v_start, joint.nv);
  }
}

void scatter(const Island& island, const TreePlan& plan, const IslandState& part, State& state) {
  for (const BodyPlace& place : island.bodies) {
    const JointPlan& joint = plan.joints[at(place.body)];
    if (joint.prescribed) continue;
    state.q.segment(joint.q_start, joint.nq) = part.q.segment(place.q_start, joint.nq);
    state.v.segment(joint.v_start, joint.nv) = part.v.segment(place.v_start, joint.nv);
  }
}

IslandStepper::IslandStepper(const RigidModel& model)
    : model_(model),
      work_(model),
      step_(work_),
      toi_(work_, step_),
      impact_(work_),
      correction_(work_),
      book_(work_),
      passage_(model.system.contact, model.tolerances.passing_part) {}

void IslandStepper::watch_problems(std::function<void(SolvedProblem&)> watch) {
  work_.solver.watch([this, watch = std::move(watch)](SolvedProblem& solved, const std::vector<int>* blocks) {
    solved.take_apart = [this, blocks, &solved] { return take_apart(work_, blocks, solved); };
    watch(solved);
  });
}

void IslandStepper::advance(const Task& task, IslandResult& result) {
  result_ = &result;
  sleeping_ = &task.sleeping;
  const StepProfile::Scope scope(work_.profile, StepPart::other);
  if (sleeps_on(task)) return rest(task, result);
  gather(task.island, model_.plan, task.state, state_);
  work_.begin(task.island, state_, task.state, task.kinematics, task.reach, task.sleeping);
  book_.begin(result);
  result.first_cluster = task.island.clusters.front().index;
  result.cluster_count = task.island.clusters.size();
  impacts_ = attempts_ = passings_ = halvings_ = 0;
  if (task.settle && !correct({.overlap = model_.tolerances.rounding_overlap, .roughly = false},
                              model_.policy.settle_correction, state_))
    return;
  while (state_.elapsed < task.h) {
    work_.tracker.look_at_start(state_);
    passage_.begin(work_.search.at_state().plan.moving, work_.search.at_state().X_WB);
    step_.begin();
    work_.jam = make_jam(work_.tracker.count_loaded());
    const bool may_locate = !work_.jam.is_jammed() || !toi_.may_impact(task.h - state_.elapsed);
    const bool locating = may_locate && impacts_ < model_.settings.impacts && attempts_ < 2 * model_.settings.impacts;
    const bool goes_on =
        locating && impact_.is_due() ? take_impact(state_) : take_part(calc_part_end(task.h), locating, state_);
    if (!goes_on) return;
  }
  if (!correct_end(state_)) return;
  work_.search.find(state_);
  work_.search.take_found(result.found);
  result.memory.swap(work_.tracker.memory());
  result.extensions = work_.search.extensions();
  std::swap(result.end, state_);
}

/// Where bodies turn fast, by parts of equal length: those that joints or constraints connect turn by most_turn at most
/// in them, those with contacts by the most_turn of the formulation.
double IslandStepper::calc_part_end(double end) {
  const RigidTolerances& tolerances = model_.tolerances;
  const std::vector<Vec6>& V_WB = work_.search.at_state().V_WB;
  double fastest = calc_fastest_turn(work_.tracker.start().contacts) / model_.formulation->most_turn(tolerances);
  for (const BodyPlace& place : work_.rows.island().bodies) {
    const int cluster = model_.clusters.of_body[at(place.body)];
    if (cluster < 0 || model_.parts[at(cluster)].bodies.size() < 2) continue;
    fastest = std::max(fastest, V_WB[at(place.body)].head<3>().norm() / tolerances.most_turn);
  }
  const double rest = end - state_.elapsed, most = std::ceil(model_.policy.turning_parts * rest / end);
  const double parts = std::min(std::ceil(rest * fastest), most);
  return parts > 1 ? state_.elapsed + rest / parts : end;
}

/// The angular speed of bodies with contacts, balls apart, for the velocities of the last contact search [rad/s].
double IslandStepper::calc_fastest_turn(const std::vector<Contact>& contacts) {
  double fastest = 0;
  for (const Contact& contact : contacts) {
    for (const int index : {contact.shape_a, contact.shape_b}) {
      const RigidModel::Shape& shape = model_.shape(index);
      if (shape.cluster < 0 || model_.parts[at(shape.cluster)].is_ball) continue;
      fastest = std::max(fastest, work_.search.at_state().V_WB[at(shape.body)].head<3>().norm());
    }
  }
  return fastest;
}

/// Sleepers that nobody comes near.
bool IslandStepper::sleeps_on(const Task& task) const {
  return !task.island.asleep.empty() && task.island.contacts.empty() &&
         std::all_of(task.island.bodies.begin(), task.island.bodies.end(),
                     [&](const BodyPlace& place) { return task.sleeping.is_asleep(place.body); });
}

void IslandStepper::rest(const Task& task, IslandResult& result) const {
  result.clear();
  result.first_cluster = task.island.clusters.front().index;
  result.cluster_count = task.island.clusters.size();
  gather(task.island, model_.plan, task.state, result.end);
  result.evaluations = 1;
  result.audit.unknowns = task.island.nv;
}

/// Jammed islands: which gaps count as 0.
Jam IslandStepper::make_jam(int loaded) const {
  if (loaded <= model_.settings.located_contacts) return {};
  const double step = model_.settings.step;
  return {.slack = step * model_.tolerances.slack_speed, .loaded_slack = step * model_.tolerances.loaded_slack_speed};
}

/// Do any of the impulses act on sleepers? Then the island is to be taken again with their groups awake.
bool IslandStepper::pushes_sleepers(const VecX& r, double t) {
  const StepRows& rows = work_.rows;
  if (rows.island().asleep.empty()) return false;
  const int d = rows.dimension();
  for (int i = 0; i < rows.size(); ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    if (block.kind != RowKind::contact || r.segment(d * i, d).isZero(0)) continue;
    for (const int body : {block.body_a, block.body_b}) {
      if (sleeping_->is_asleep(body)) result_->pushed_sleepers.push_back(body);
    }
  }
  result_->pushed_at = t;
  return !result_->pushed_sleepers.empty();
}

bool IslandStepper::take_impact(IslandState& state) {
  work_.audit = {};
  {
    const StepProfile::Scope scope(work_.profile, StepPart::solving);
    impact_.solve(state);
  }
  const SolvedContacts& solved = impact_.solved();
  if (pushes_sleepers(solved.r, state.t)) return false;
  // Mean of v before and after, v after = v before + A J' r
  v_mean_ = state.v;
  half_ = 0.5 * solved.r;
  work_.rows.add_impulses(half_, v_mean_);
  work_.rows.add_impulses(solved.r, state.v);
  book_.book_impulses(solved, v_mean_, 0, state);
  book_.remember(solved, state.t, 0, false);
  book_.add_audit();
  ++impacts_;
  return true;
}

/// To the next impact, or to the end of the step.
bool IslandStepper::take_part(double end, bool locating, IslandState& state) {
  work_.audit = {};
  if (!take_to_impact(end, locating, state)) return false;
  if (const std::optional<Passage> passage = find_passage(); passage && work_.audit.unconverged == 0)
    work_.audit.note_passage(passage->depth, passage->shape_a, passage->shape_b);
  const double h = trial_.elapsed - state.elapsed;
  book_.book_impulses(step_.solved(), step_.mean_velocity(), h, trial_);
  book_.remember(step_.solved(), trial_.t, h, step_.had_good_start());
  book_.add_audit();
  std::swap(state, trial_);
  return true;
}

/// trial_ becomes the state after h, or what part of it can be solved, the length of which is returned.
double IslandStepper::take_solved(double h, bool locating, const IslandState& state) {
  step_.take(state, h, locating, trial_);
  ++result_->evaluations;
  const auto count_halvings = [&] {
    if (work_.audit.unconverged == 0) return 0;
    const int halvings = model_.formulation->halvings();
    return work_.free.has_lost_forces() ? std::max(model_.policy.force_halvings, halvings) : halvings;
  };
  for (int k = 0; k < count_halvings() && halvings_ < model_.policy.halved_parts * count_halvings(); ++k) {
    h *= 0.5;
    work_.audit = {};
    step_.begin();
    step_.take(state, h, locating, trial_);
    ++result_->evaluations;
    ++result_->rejected;
    ++halvings_;
  }
  return h;
}

std::optional<Passage> IslandStepper::find_passage() {
  const FoundContacts& found = work_.search.find(trial_);
  return passage_.find(work_.search.at_state().X_WB, work_.tracker.start().contacts, found.contacts);
}

/// The same up to where no body has passed through another, or while the budget lasts. What is not solved is told as
/// such: what passes there tells nothing. Where contacts follow the solution, bodies that would be past one another
/// without them could be pushed out on the wrong side.
double IslandStepper::take_unpassed(double h, bool locating, const IslandState& state) {
  if (model_.formulation->scheme(locating).implicit && passings_ < model_.policy.passing_steps) {
    work_.search.find(state);
    const auto passage = passage_.find_ahead(work_.search.at_state().V_WB, h, work_.tracker.start().contacts);
    if (passage) {
      h *= passage->part;
      ++passings_;
    }
  }
  h = take_solved(h, locating, state);
  while (passings_ < model_.policy.passing_steps && work_.audit.unconverged == 0) {
    const std::optional<Passage> passage = find_passage();
    const double turns =
        h * calc_fastest_turn(work_.search.find(trial_).contacts) / model_.formulation->most_turn(model_.tolerances);
    if (!passage && turns <= 2) break;
    ++passings_;
    ++result_->rejected;
    work_.audit = {};
    step_.begin();
    h = take_solved(std::min(passage ? passage->part : 1, 1 / std::max(1.0, turns)) * h, locating, state);
  }
  return h;
}

bool IslandStepper::locate(const IslandState& state) {
  const StepProfile::Scope scope(work_.profile, StepPart::locating);
  return toi_.locate(state, trial_);
}

/// trial_ becomes the state there. `end`: of the step, from its start.
bool IslandStepper::take_to_impact(double end, bool locating, const IslandState& state) {
  const double whole = end - state.elapsed, h = take_unpassed(whole, locating, state);
  if (h < whole) end = state.elapsed + h;
  trial_.elapsed = end;
  if (pushes_sleepers(step_.solved().r, state.t)) return false;
  if (!locating) {
    book_.note_first_order(step_.solved());
    return true;
  }
  const bool is_solved = work_.audit.unconverged == 0;
  const bool closes = toi_.closes(h, trial_);
  if (closes) {
    ++attempts_;
    const bool too_many = work_.jam.is_jammed() || impacts_ + toi_.count_impacts() > model_.settings.impacts;
    if (too_many || !is_solved || !locate(state)) {
      attempts_ = 2 * model_.settings.impacts;
      work_.audit = {};
      const double part = take_unpassed(h, false, state);
      trial_.elapsed = part < h ? state.elapsed + part : end;
      book_.note_first_order(step_.solved());
    }
  }
  result_->evaluations += toi_.trial_steps();
  return !pushes_sleepers(step_.solved().r, state.t);
}

/// Rounds of position correction until no overlap is beyond `allowed`. Returns false where sleepers have to wake first.
bool IslandStepper::correct(const AllowedOverlap& allowed, int rounds, IslandState& state) {
  const StepProfile::Scope scope(work_.profile, StepPart::correcting);
  for (int round = 0; round < rounds; ++round) {
    // Again where it was deep: bodies that turn do not move as gaps say.
    AllowedOverlap depth = allowed;
    if (allowed.roughly && round > 0) depth.overlap = std::max(allowed.overlap, model_.tolerances.deep_overlap);
    if (!correction_.pose_round(state, depth)) break;
    correction_.solve_round(allowed);
    if (pushes_sleepers(correction_.impulses(), state.t)) return false;
    const PositionCorrection::Outcome outcome = correction_.apply(state, allowed.overlap);
    book_.add_audit();
    if (outcome == PositionCorrection::Outcome::refused) break;
  }
  return true;
}

/// As the formulation leaves overlaps.
bool IslandStepper::correct_end(IslandState& state) {
  const AllowedOverlap allowed = model_.formulation->allowed_overlap(work_.jam.slack);
  return !std::isfinite(allowed.overlap) || correct(allowed, model_.policy.correction, state);
}

}  // namespace stiction
