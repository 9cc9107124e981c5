#include "stiction/stepping/rigid/step_book.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "stiction/base/index.h"
#include "stiction/stepping/rigid/static_friction.h"

namespace stiction {
namespace {

/// |E^-1 r_t| - mu r_n where that is above 0.
double calc_cone_violation(const RowBlock& block, const Eigen::Ref<const VecX>& r) {
  double sum = 0;
  for (int k = 1; k < r.size(); ++k) {
    const double axis = block.ellipsoid[k - 1];
    if (axis > 0) sum += (r[k] / axis) * (r[k] / axis);
  }
  return block.kind == RowKind::contact ? std::max(0.0, std::sqrt(sum) - block.mu * r[0]) : 0;
}

/// Velocity of B's surface against A's along t and o at the end, that of layers included.
Eigen::Vector2d calc_slip(const SolvedContacts& solved, double h, int i, int d) {
  Eigen::Vector2d slip = Eigen::Vector2d::Zero();
  const int first = d * i + 1, count = std::min(d, 3) - 1;
  slip.head(count) = solved.u_end.segment(first, count) + solved.turned.segment(first, count);
  if (solved.layers.empty() || h == 0) return slip;
  const ContactLayers& layers = solved.layers[at(i)];
  for (std::size_t k = 0; k < at(layers.count); ++k)
    slip += (layers.layer[k].end - layers.layer[k].start).tail<2>() / h;
  return slip;
}

std::pair<int, int> pair_of(const ContactMemory& memory) {
  return {memory.place.shape_a, memory.place.shape_b};
}

}  // namespace

void IslandResult::clear() {
  audit = {};
  evaluations = rejected = 0;
  events.clear();
  records.clear();
  resting_impulses.clear();
  coordinate_impulses.clear();
  memory.clear();
  found.clear();
  extensions.clear();
  meets_driven = false;
  pushed_sleepers.clear();
}

void merge_parts(const ContactAudit& part, ContactAudit& whole) {
  const int contacts = std::max(whole.contacts, part.contacts), unknowns = std::max(whole.unknowns, part.unknowns);
  merge_islands(part, whole);
  whole.contacts = contacts;
  whole.unknowns = unknowns;
}

void merge_islands(const ContactAudit& island, ContactAudit& whole) {
  whole.complementarity = std::max(whole.complementarity, island.complementarity);
  whole.cone = std::max(whole.cone, island.cone);
  whole.layer = std::max(whole.layer, island.layer);
  whole.dissipation += island.dissipation;
  whole.residual = std::max(whole.residual, island.residual);
  whole.iterations += island.iterations;
  whole.contacts += island.contacts;
  whole.unknowns += island.unknowns;
  whole.unconverged += island.unconverged;
  whole.nonlinear_iterations += island.nonlinear_iterations;
  whole.nonlinear_change = std::max(whole.nonlinear_change, island.nonlinear_change);
  whole.first_order += island.first_order;
  whole.undetermined.merge(island.undetermined);
  whole.note_passage(island.passage, island.passed_a, island.passed_b);
  whole.note_lost_restitution(island.restitution_lost, island.lost_a, island.lost_b);
}

ContactRecord& find_record(const Contact& place, std::vector<ContactRecord>& records, std::vector<double>& resting) {
  const auto key = [](const ContactRecord& r) { return std::tuple(r.shape_a, r.shape_b, r.point); };
  const std::tuple wanted(place.shape_a, place.shape_b, place.point);
  auto found = records.end();
  if (!records.empty() && key(records.back()) >= wanted)
    found = std::lower_bound(records.begin(), records.end(), wanted,
                             [&](const ContactRecord& r, const auto& value) { return key(r) < value; });
  if (found == records.end() || key(*found) != wanted) {
    resting.insert(resting.begin() + (found - records.begin()), 0.0);
    found = records.insert(found, {.shape_a = place.shape_a, .shape_b = place.shape_b, .point = place.point});
  }
  return *found;
}

StepBook::StepBook(IslandWork& work) : work_(work), model_(work.model) {}

void StepBook::begin(IslandResult& result) {
  result_ = &result;
  result.clear();
}

void StepBook::add_audit() {
  merge_parts(work_.audit, result_->audit);
  work_.audit = {};
}

void StepBook::note_first_order(const SolvedContacts& solved) {
  for (int i = 0; i < work_.rows.size(); ++i) {
    const RowBlock& block = work_.rows.blocks()[at(i)];
    if (block.kind != RowKind::contact || !model_.is_located(solved.contacts[at(block.index)])) continue;
    ++work_.audit.first_order;
    return;
  }
}

void StepBook::book_impulses(const SolvedContacts& solved, const VecX& v_mean, double h, IslandState& state) {
  const StepRows& rows = work_.rows;
  const bool is_impact = h == 0;
  const int d = rows.dimension();
  const bool is_driven = rows.island().has_belts || rows.island().has_prescribed;
  ContactAudit& audit = work_.audit;
  for (int i = 0; i < rows.size(); ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    const auto r = solved.r.segment(d * i, d), before = solved.u_start.segment(d * i, d),
               after = solved.u_end.segment(d * i, d);
    if (block.kind == RowKind::limit) result_->coordinate_impulses.emplace_back(block.index, block.sign * r[0]);
    if (block.kind == RowKind::joint_friction) result_->coordinate_impulses.emplace_back(block.index, r[1]);
    double friction = 0, normal = 0;
    const Eigen::Vector4d own = is_driven ? rows.J().multiply(i, v_mean) : Eigen::Vector4d::Zero();
    for (int k = 0; k < d; ++k) {
      if (block.kind == RowKind::joint_friction && k == 0) continue;
      (k == 0 ? normal : friction) -= 0.5 * r[k] * (before[k] + after[k]);
      if (is_driven) state.ledger[ledger_input] -= r[k] * (0.5 * (before[k] + after[k]) - own[k]);
    }
    audit.cone = std::max(audit.cone, calc_cone_violation(block, r));
    if (!solved.layers.empty() && solved.layers[at(i)].count > 0) continue;
    if (is_impact || solved.restored[i] > 0) {
      audit.dissipation += normal + friction;
      // How an impact shares its work between directions depends on its course, which is not known: friction takes.
      if (friction < 0) normal += friction, friction = 0;
    } else {
      // By the law itself, at the velocities after the step.
      for (int k = 1; k < d; ++k) audit.dissipation -= r[k] * (after[k] + solved.turned[d * i + k]);
    }
    state.ledger[ledger_friction] += friction;
    state.ledger[ledger_dissipated] += friction;
    // Normal impulses do work where bodies come together: an impact, or a gap that is being closed.
    const double end = after[0] + solved.turned[d * i];
    const bool closes = is_impact || std::min(before[0], end) < -model_.tolerances.smallest_impact;
    state.ledger[closes ? ledger_impact : ledger_projection] += closes ? normal : -normal;
    if (closes) state.ledger[ledger_dissipated] += normal;
  }
  if (model_.has_layers && !is_impact) book_layers(solved, h, state);
}

void StepBook::book_layers(const SolvedContacts& solved, double h, IslandState& state) {
  const int d = work_.rows.dimension(), m = std::min(d, 3);
  // Layers that left the reach of their contact relax to rest: what they stored goes to their dampers.
  double forgotten = 0;
  for (const ContactMemory& memory : work_.tracker.memory())
    forgotten += memory.layers[0].stored + memory.layers[1].stored;
  for (std::size_t i = 0; i < solved.layers.size(); ++i) {
    const ContactLayers& layers = solved.layers[i];
    if (layers.count == 0) continue;
    const auto r = solved.r.segment(d * static_cast<int>(i), d),
               before = solved.u_start.segment(d * static_cast<int>(i), d),
               after = solved.u_end.segment(d * static_cast<int>(i), d);
    double friction = d == 4 ? -r[3] * after[3] : 0, damped = 0, stored = 0;
    bool is_on_core = false;
    for (int k = 1; k < m; ++k) friction -= r[k] * after[k];
    for (std::size_t k = 0; k < at(layers.count); ++k) {
      const LayerStep& step = layers.layer[k];
      Vec3 p = Vec3::Zero();
      p.head(m) = r.head(m);
      friction -= (p.tail<2>()).dot(step.end.tail<2>() - step.start.tail<2>()) / h;
      damped += calc_damped_energy(h, step);
      const double at_start = calc_stored_energy(*step.layer, step.start);
      stored += calc_stored_energy(*step.layer, step.end) - at_start;
      is_on_core = is_on_core || step.core_impulse > 0;
      if (step.is_remembered) forgotten -= at_start;
      work_.audit.layer = std::max(work_.audit.layer, calc_layer_violation(p, h, step));
    }
    const double lost = -0.5 * r.dot(before + after);
    const double core = is_on_core ? std::max(0.0, lost - friction - damped - stored) : 0;
    work_.audit.dissipation += friction;
    state.ledger[ledger_friction] += friction;
    state.ledger[ledger_impact] += core;
    state.ledger[ledger_dissipated] += friction + damped + core;
  }
  state.ledger[ledger_dissipated] += forgotten;
}

void StepBook::remember(const SolvedContacts& solved, double t, double h, bool had_good_start) {
  const StepRows& rows = work_.rows;
  ContactTracker& tracker = work_.tracker;
  const RigidTolerances& tolerances = model_.tolerances;
  const int d = rows.dimension();
  const bool is_impact = h == 0;
  next_.clear();
  if (!is_impact) std::fill(result_->resting_impulses.begin(), result_->resting_impulses.end(), 0.0);
  for (int i = 0; i < rows.size(); ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    ContactMemory& memory = next_.emplace_back();
    memory.place = solved.contacts[at(block.index)];
    if (!is_impact) memory.force.head(d) = solved.r.segment(d * i, d) * (1 / h);
    memory.active = solved.r[d * i] > 0;
    remember_layers(solved, i, memory);
    const double slip = calc_slip(solved, h, i, d).norm();
    const double spin = d == 4 ? block.ellipsoid[2] * std::abs(solved.u_end[d * i + 3]) : 0;
    memory.mode = !memory.active                 ? ContactMode::open
                  : slip > tolerances.slip_speed ? ContactMode::slip
                                                 : ContactMode::stick;
    const ContactMemory* before = tracker.find_memory(memory.place);
    if (model_.has_static_friction)
      memory.dwell = calc_dwell(model_.law(memory.place), block.mu,
                                memory.active && std::max(slip, spin) <= tolerances.slip_speed, h);
    if (before) {
      if (is_impact && !memory.active) memory.force = before->force;
      if (!is_impact && had_good_start)
        memory.force = before->force + tolerances.correction_part * (memory.force - before->force);
      if (!is_impact && work_.jam.is_jammed()) follow_change(*before, memory);
      note_changes(t, before, memory, solved.u_start[d * i]);
    } else {
      note_changes(t, nullptr, memory, solved.u_start[d * i]);
    }
    add_record(solved, i, h).dwell = std::max(0.0, memory.dwell);
  }
  tracker.memory().swap(next_);
  if (is_impact) {
    keep_untouched();
  } else {
    note_releases(t);
  }
}

/// Pairs that were loaded, and of which no point is any more. Both lists ascend.
void StepBook::note_releases(double t) {
  const std::vector<ContactMemory>& memory = work_.tracker.memory();
  auto first = memory.begin();
  const auto is_loaded = [&](const ContactMemory& before) {
    while (first != memory.end() && pair_of(*first) < pair_of(before)) ++first;
    for (auto entry = first; entry != memory.end() && pair_of(*entry) == pair_of(before); ++entry) {
      if (entry->active) return true;
    }
    return false;
  };
  for (const ContactMemory& before : next_) {
    if (before.active && !is_loaded(before)) note_event(t, "release", before.place);
  }
}

/// An impact concerns the contacts that touch; the others keep their memory.
void StepBook::keep_untouched() {
  std::vector<ContactMemory>& memory = work_.tracker.memory();
  added_.clear();
  for (const ContactMemory& before : next_) {
    if (work_.tracker.find_memory(before.place) == nullptr) added_.push_back(before);
  }
  memory.insert(memory.end(), added_.begin(), added_.end());
  std::sort(memory.begin(), memory.end(),
            [](const ContactMemory& x, const ContactMemory& y) { return x.comes_before(y); });
}

void StepBook::remember_layers(const SolvedContacts& solved, int i, ContactMemory& memory) const {
  if (solved.layers.empty()) return;
  const RowBlock& block = work_.rows.blocks()[at(i)];
  const ContactLayers& layers = solved.layers[at(i)];
  for (std::size_t k = 0; k < at(layers.count); ++k) {
    const LayerStep& step = layers.layer[k];
    memory.layers[k] = remember_layer(block.frame, work_.kinematics.X_WB[at(step.body)].R, step);
    // One that has relaxed to rounding is at rest.
    const double tiny = 1e-3 * model_.calc_closed_gap(memory.place);
    if (!memory.active && step.end.norm() < tiny) memory.layers[k] = {};
  }
}

void StepBook::note_changes(double t, const ContactMemory* before, const ContactMemory& now, double speed) {
  const bool was_active = before && before->active;
  if (now.active && !was_active && speed < -model_.tolerances.smallest_impact) note_event(t, "impact", now.place);
  if (now.active && was_active && before->mode != now.mode)
    note_event(t, now.mode == ContactMode::slip ? "slip" : "stick", now.place);
  const auto is_on_core = [](const ContactMemory& memory) {
    return memory.layers[0].on_core || memory.layers[1].on_core;
  };
  const bool was_on_core = before && is_on_core(*before);
  if (is_on_core(now) != was_on_core) note_event(t, was_on_core ? "core_left" : "core_reached", now.place);
}

void StepBook::note_event(double t, const char* kind, const Contact& contact) {
  const auto& shapes = model_.system.contact.shapes;
  const std::string name = shapes[at(contact.shape_a)].name + "/" + shapes[at(contact.shape_b)].name;
  // One event a pair, however many points: those of a pair follow upon each other, with four kinds of events at most.
  std::vector<StepEvent>& events = result_->events;
  for (std::size_t i = events.size() - std::min<std::size_t>(events.size(), 4); i < events.size(); ++i) {
    if (events[i].t == t && events[i].kind == kind && events[i].name == name) return;
  }
  events.push_back({t, kind, name});
}

ContactRecord& StepBook::add_record(const SolvedContacts& solved, int i, double h) {
  const int d = work_.rows.dimension();
  const bool is_impact = h == 0;
  const RowBlock& block = work_.rows.blocks()[at(i)];
  const Contact& contact = solved.contacts[at(block.index)];
  ContactRecord& record = find_record(contact, result_->records, result_->resting_impulses);
  record.position = 0.5 * (block.point_a + block.point_b);
  record.normal = block.frame.col(0);
  record.gap = contact.gap;
  record.certified = contact.certified;
  for (int k = 0; k < std::min(d, 3); ++k) record.impulse += solved.r[d * i + k] * block.frame.col(k);
  const Eigen::Vector2d slip = calc_slip(solved, h, i, d);
  record.slip = slip[0] * block.frame.col(1) + slip[1] * block.frame.col(2);
  if (d == 4) record.moment_impulse += solved.r[d * i + 3] * record.normal;
  if (!solved.layers.empty()) {
    const ContactLayers& layers = solved.layers[at(i)];
    record.deflection = layers.calc_deflection();
    record.shear = (layers.layer[0].end + layers.layer[1].end).tail<2>().norm();
    record.core_impulse += std::max(layers.layer[0].core_impulse, layers.layer[1].core_impulse);
  }
  // An impact acts where it is, a step on the gap at its end.
  if (is_impact) {
    work_.audit.complementarity = std::max(work_.audit.complementarity, std::abs(contact.gap * solved.r[d * i]));
  } else {
    result_->resting_impulses[static_cast<std::size_t>(&record - result_->records.data())] = solved.r[d * i];
  }
  // Of the last part of the step in which it was loaded.
  if (solved.r[d * i] > 0)
    record.mode = record.slip.norm() > model_.tolerances.slip_speed ? ContactMode::slip : ContactMode::stick;
  return record;
}

}  // namespace stiction
