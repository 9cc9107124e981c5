#include "stiction/stepping/rigid/contact_search.h"

#include <algorithm>

#include "stiction/base/index.h"

namespace stiction {
namespace {

bool overlaps(const Bounds& a, const Bounds& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

/// Positions and velocities of the bodies in the plan of `to`, as another has them.
void copy_bodies(const Kinematics& from, Kinematics& to) {
  for (const int body : to.plan.moving) {
    const std::size_t b = at(body);
    to.X_WB[b] = from.X_WB[b];
    to.V_WB[b] = from.V_WB[b];
    to.p_PB[b] = from.p_PB[b];
    if (to.plan.joints[b].plain) continue;
    to.p_MB[b] = from.p_MB[b];
    to.H[b] = from.H[b];
    to.bias[b] = from.bias[b];
    to.A_bias[b] = from.A_bias[b];
  }
}

}  // namespace

ContactSearch::ContactSearch(const RigidModel& model, StepProfile& profile)
    : model_(model),
      profile_(profile),
      narrow_(model.system.contact),
      at_state_(model.system),
      known_reach_(model.shapes.size(), 0.0),
      reach_(model.shapes.size(), 0.0) {}

void ContactSearch::begin(const Island& island, const Begin& start, const Sleeping& sleeping) {
  island_ = &island;
  sleeping_ = &sleeping;
  at_begin_ = &start.kinematics;
  begin_reach_ = &start.reach;
  select_bodies(model_.plan, island.bodies, at_state_.plan);
  copy_bodies(start.kinematics, at_state_);
  pairs_ = island.pairs;
  for (const int shape : island.shapes) known_reach_[at(shape)] = std::max(0.0, start.reach[at(shape)]);
  extensions_.clear();
  found_.contacts = island.contacts;
  found_.pairs = island.pairs;
  found_q_ = start.state.q, found_v_ = start.state.v;
  update_reach(at_state_, model_.settings.step);
  found_reach_.clear();
  for (const int shape : island.shapes) found_reach_.push_back(reach_[at(shape)]);
}

double ContactSearch::reach_of(int shape, const Kinematics& kinematics, double h) const {
  if (sleeping_->is_dormant(at(shape))) return 0;
  const double own = model_.calc_reach(shape, kinematics, h);
  if (model_.shape(shape).cluster >= 0) return own;
  // A driven body may be faster later in the step than it is now (driven_reach.h).
  return std::max(own, (*begin_reach_)[at(shape)] * h / model_.settings.step);
}

void ContactSearch::update_reach(const Kinematics& kinematics, double h) {
  for (const int shape : island_->shapes) reach_[at(shape)] = reach_of(shape, kinematics, h);
  for (const FoundPair& pair : pairs_) {
    for (const int shape : {pair.a, pair.b}) {
      if (model_.shape(shape).cluster < 0) reach_[at(shape)] = reach_of(shape, kinematics, h);
    }
  }
}

void ContactSearch::find_pairs(const Kinematics& kinematics, FoundContacts& found) {
  const StepProfile::Scope scope(profile_, StepPart::finding);
  found.clear();
  narrow_.place(kinematics.X_WB);
  for (const FoundPair& pair : pairs_)
    narrow_.add_pair(pair.a, pair.b, pair.rule, reach_[at(pair.a)] + reach_[at(pair.b)], true, found);
}

void ContactSearch::find(const Kinematics& kinematics, double h, FoundContacts& found) {
  update_reach(kinematics, h);
  find_pairs(kinematics, found);
}

const FoundContacts& ContactSearch::find(const IslandState& state) {
  const double step = model_.settings.step;
  if (found_q_.size() == state.q.size() && found_q_ == state.q && found_v_ != state.v) {
    update_velocities(model_.system, state.v, at_state_);
    bool is_within = true;
    for (std::size_t i = 0; i < island_->shapes.size() && is_within; ++i)
      is_within = sleeping_->is_dormant(at(island_->shapes[i])) ||
                  model_.calc_distance(island_->shapes[i], at_state_, step) <= found_reach_[i];
    if (is_within) found_v_ = state.v;
  }
  if (is_found(state.q, state.v)) return found_;
  update_positions(model_.system, state.q, at_state_);
  update_velocities(model_.system, state.v, at_state_);
  for (const int shape : island_->shapes) {
    const double distance = model_.calc_distance(shape, at_state_, step);
    if (distance > known_reach_[at(shape)]) add_pairs_of(shape, 2 * distance, at_state_);
  }
  find(at_state_, step, found_);
  found_q_ = state.q, found_v_ = state.v;
  found_reach_.clear();
  for (const int shape : island_->shapes) found_reach_.push_back(reach_[at(shape)]);
  return found_;
}

void ContactSearch::take_found(FoundContacts& found) {
  std::swap(found, found_);
}

/// Where it is placed, widened by a reach.
Bounds ContactSearch::calc_box(int shape, double reach) {
  Bounds box = calc_bounds(model_.system.contact.shapes[at(shape)].shape, narrow_.pose(shape));
  box.lower.array() -= reach;
  box.upper.array() += reach;
  return box;
}

/// Driven bodies move, but only in the islands that had them within reach.
bool ContactSearch::is_absent(int shape) const {
  const int body = model_.shape(shape).body;
  const std::vector<int>& present = at_state_.plan.moving;
  const std::vector<int>& moving = model_.plan.moving;
  return std::find(moving.begin(), moving.end(), body) != moving.end() &&
         std::find(present.begin(), present.end(), body) == present.end();
}

/// Pairs within reach from here, with shapes in the island and with those that belong to none.
void ContactSearch::add_pairs_of(int shape, double reach, const Kinematics& kinematics) {
  known_reach_[at(shape)] = reach;
  Extension& extension = extensions_.emplace_back(Extension{.shape = shape, .reach = reach});
  narrow_.place(kinematics.X_WB);
  const Bounds own = calc_box(shape, reach);
  const auto add = [&](int other, double its_reach) {
    if (other == shape || !overlaps(own, calc_box(other, its_reach))) return;
    FoundPair pair{.a = std::min(shape, other), .b = std::max(shape, other)};
    const auto before = [](const FoundPair& x, const FoundPair& y) { return x.comes_before(y); };
    const auto place = std::lower_bound(pairs_.begin(), pairs_.end(), pair, before);
    if (place != pairs_.end() && place->a == pair.a && place->b == pair.b) return;
    pair.rule = model_.system.contact.find_rule(pair.a, pair.b);
    if (pair.rule >= 0) pairs_.insert(place, pair);
  };
  for (const int other : island_->shapes) add(other, known_reach_[at(other)]);
  for (const int other : model_.fixed_shapes) {
    if (!is_absent(other)) add(other, 0);
  }
  narrow_.place(at_begin_->X_WB);
  for (const int other : model_.fixed_shapes) {
    if (is_absent(other) && overlaps(own, calc_box(other, std::max(0.0, (*begin_reach_)[at(other)]))))
      extension.meets_driven = true;
  }
}

void ContactSearch::allow_displacement(const Kinematics& kinematics) {
  for (const int shape : island_->shapes) {
    const double distance = model_.calc_distance(shape, kinematics, 1);
    if (distance > known_reach_[at(shape)]) add_pairs_of(shape, 2 * distance, kinematics);
  }
}

bool ContactSearch::extend(const Kinematics& kinematics, double h, FoundContacts& found) {
  bool is_short = false;
  for (const int shape : island_->shapes) {
    const double distance = model_.calc_distance(shape, kinematics, h);
    const double whole_distance = model_.calc_distance(shape, kinematics, model_.settings.step);
    if (whole_distance > known_reach_[at(shape)]) add_pairs_of(shape, 2 * whole_distance, kinematics);
    if (distance <= reach_[at(shape)]) continue;
    reach_[at(shape)] = 2 * distance;
    is_short = true;
  }
  if (!is_short) return false;
  for (const FoundPair& pair : pairs_) {
    for (const int shape : {pair.a, pair.b}) {
      if (model_.shape(shape).cluster < 0) reach_[at(shape)] = reach_of(shape, kinematics, h);
    }
  }
  find_pairs(kinematics, found);
  return true;
}

}  // namespace stiction
