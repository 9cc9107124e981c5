#include "stiction/stepping/rigid/contact_tracking.h"

#include <algorithm>

#include "stiction/base/disjoint_sets.h"
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

const Contact& place_of(const ContactMemory& memory) {
  return memory.place;
}

/// Where a point of a pair hits now, those of its points that would within `same_impact_part` of a step take part: a
/// face that comes down flat but for rounding does so at once, not corner by corner.
void join_same_impact(const RigidModel& model, const ContactTracker& tracker, ContactTracker::Start& start) {
  const std::vector<Contact>& contacts = start.contacts;
  const double soon = model.tolerances.same_impact_part * model.settings.step;
  const auto hits = [&](std::size_t i) {
    return start.touches[i] && start.speeds[i] < -model.tolerances.smallest_impact && !tracker.was_loaded(contacts[i]);
  };
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    bool any = false;
    for (; end < contacts.size() && contacts[end].shape_a == contacts[begin].shape_a &&
           contacts[end].shape_b == contacts[begin].shape_b;
         ++end)
      any = any || (model.is_located(contacts[end]) && hits(end));
    for (std::size_t i = begin; any && i < end; ++i)
      if (contacts[i].gap <= -soon * start.speeds[i]) start.touches[i] = 1;
  }
}

/// Points of a pair follow upon each other.
void find_alone(const ContactTracker& tracker, ContactTracker::Start& start) {
  const std::vector<Contact>& contacts = start.contacts;
  start.alone.assign(contacts.size(), 0);
  start.held.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    start.held.push_back(start.touches[i] || tracker.was_loaded(contacts[i]) ? 1 : 0);
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    std::size_t count = 0;
    for (; end < contacts.size() && contacts[end].shape_a == contacts[begin].shape_a &&
           contacts[end].shape_b == contacts[begin].shape_b;
         ++end)
      count += start.held[end];
    for (std::size_t i = begin; count == 1 && i < end; ++i) start.alone[i] = start.held[i];
  }
}

}  // namespace

ContactTracker::ContactTracker(const RigidModel& model)
    : model_(model),
      narrow_(model.system.contact),
      at_state_(model.system),
      known_reach_(model.shapes.size(), 0.0),
      reach_(model.shapes.size(), 0.0),
      root_(model.parts.size()),
      loaded_(model.parts.size()) {}

void ContactTracker::begin(const Island& island, const Begin& start, const Sleeping& sleeping) {
  island_ = &island;
  sleeping_ = &sleeping;
  at_begin_ = &start.kinematics;
  begin_reach_ = &start.reach;
  select_bodies(model_.plan, island.bodies, at_state_.plan);
  copy_bodies(start.kinematics, at_state_);
  pairs_ = island.pairs;
  for (const int shape : island.shapes) known_reach_[at(shape)] = std::max(0.0, start.reach[at(shape)]);
  extensions_.clear();
  memory_ = island.memory;
  const auto is_before = [](const ContactMemory& x, const ContactMemory& y) { return x.comes_before(y); };
  if (!std::is_sorted(memory_.begin(), memory_.end(), is_before)) std::sort(memory_.begin(), memory_.end(), is_before);
  guesses_.clear();
  found_.contacts = island.contacts;
  found_.pairs = island.pairs;
  found_q_ = start.state.q, found_v_ = start.state.v;
  update_reach(at_state_, model_.settings.step);
  found_reach_.clear();
  for (const int shape : island.shapes) found_reach_.push_back(reach_[at(shape)]);
}

double ContactTracker::reach_of(int shape, const Kinematics& kinematics, double h) const {
  return sleeping_->is_dormant(at(shape)) ? 0 : model_.calc_reach(shape, kinematics, h);
}

void ContactTracker::update_reach(const Kinematics& kinematics, double h) {
  for (const int shape : island_->shapes) reach_[at(shape)] = reach_of(shape, kinematics, h);
  for (const FoundPair& pair : pairs_) {
    for (const int shape : {pair.a, pair.b}) {
      if (model_.shape(shape).cluster < 0) reach_[at(shape)] = reach_of(shape, kinematics, h);
    }
  }
}

void ContactTracker::find_pairs(const Kinematics& kinematics, FoundContacts& found) {
  found.clear();
  narrow_.place(kinematics.X_WB);
  for (const FoundPair& pair : pairs_)
    narrow_.add_pair(pair.a, pair.b, pair.rule, reach_[at(pair.a)] + reach_[at(pair.b)], true, found);
}

void ContactTracker::find(const Kinematics& kinematics, double h, FoundContacts& found) {
  update_reach(kinematics, h);
  find_pairs(kinematics, found);
}

const FoundContacts& ContactTracker::find(const IslandState& state) {
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

void ContactTracker::take_found(FoundContacts& found) {
  std::swap(found, found_);
}

/// Where it is placed, widened by a reach.
Bounds ContactTracker::calc_box(int shape, double reach) {
  Bounds box = calc_bounds(model_.system.contact.shapes[at(shape)].shape, narrow_.pose(shape));
  box.lower.array() -= reach;
  box.upper.array() += reach;
  return box;
}

/// Driven bodies move, but only in the islands that had them within reach.
bool ContactTracker::is_absent(int shape) const {
  const int body = model_.shape(shape).body;
  const std::vector<int>& present = at_state_.plan.moving;
  const std::vector<int>& moving = model_.plan.moving;
  return std::find(moving.begin(), moving.end(), body) != moving.end() &&
         std::find(present.begin(), present.end(), body) == present.end();
}

/// Pairs within reach from here, with shapes in the island and with those that belong to none.
void ContactTracker::add_pairs_of(int shape, double reach, const Kinematics& kinematics) {
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

void ContactTracker::allow_displacement(const Kinematics& kinematics) {
  for (const int shape : island_->shapes) {
    const double distance = model_.calc_distance(shape, kinematics, 1);
    if (distance > known_reach_[at(shape)]) add_pairs_of(shape, 2 * distance, kinematics);
  }
}

bool ContactTracker::extend(const Kinematics& kinematics, double h, FoundContacts& found) {
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

template <class T, class GetPlace>
const T* ContactTracker::find_place(const std::vector<T>& list, const Contact& contact, const GetPlace& get_place,
                                    std::size_t& next) const {
  // Contacts are mostly asked for in the list's own order: `next` is one beyond the last one found.
  if (next < list.size() && get_place(list[next]).same_place(contact)) return &list[next++];
  const auto before = [&](const T& entry, const Contact& other) { return get_place(entry).comes_before(other); };
  // It may be missing from the list, just here.
  const bool is_missing = next <= list.size() && (next == 0 || before(list[next - 1], contact)) &&
                          (next == list.size() || contact.comes_before(get_place(list[next])));
  const auto found = is_missing ? list.begin() + static_cast<std::ptrdiff_t>(next)
                                : std::lower_bound(list.begin(), list.end(), contact, before);
  next = static_cast<std::size_t>(found - list.begin());
  if (found != list.end() && get_place(*found).same_place(contact)) return &list[next++];
  // The nearest point of the pair.
  const auto same_pair = [&](const T& entry) {
    return get_place(entry).shape_a == contact.shape_a && get_place(entry).shape_b == contact.shape_b;
  };
  auto first = found;
  while (first != list.begin() && same_pair(*(first - 1))) --first;
  double nearest = model_.tolerances.same_place_part * model_.calc_size(contact);
  const T* result = nullptr;
  for (auto entry = first; entry != list.end() && same_pair(*entry); ++entry) {
    const double distance = (get_place(*entry).point_b - contact.point_b).norm();
    if (distance > nearest) continue;
    nearest = distance;
    result = &*entry;
  }
  return result;
}

const ContactMemory* ContactTracker::find_memory(const Contact& contact) const {
  return find_place(memory_, contact, place_of, next_memory_);
}

const ContactMemory* ContactTracker::find_start_guess(const Contact& contact) const {
  return find_place(guesses_, contact, place_of, next_guess_);
}

const Contact* ContactTracker::find_in(const std::vector<Contact>& list, const Contact& contact,
                                       std::size_t& next) const {
  return find_place(
      list, contact, [](const Contact& place) -> const Contact& { return place; }, next);
}

const Contact* ContactTracker::find_start(const Contact& contact) const {
  return find_in(start_.contacts, contact, next_start_);
}

bool ContactTracker::is_to_be_located(const Contact& contact) const {
  if (!model_.is_located(contact) || was_loaded(contact)) return false;
  const Contact* start = find_start(contact);
  return start == nullptr || !start_.touches[static_cast<std::size_t>(start - start_.contacts.data())];
}

double ContactTracker::calc_touching_gap(const Contact& contact, double speed) const {
  return model_.calc_closed_gap(contact) +
         model_.tolerances.located_part * model_.settings.step * std::max(0.0, -speed);
}

void ContactTracker::look_at_start(const IslandState& state) {
  start_.contacts = find(state).contacts;
  start_.arms.clear();
  start_.own_arms.clear();
  start_.speeds.clear();
  start_.touches.clear();
  const double step = model_.settings.step, slow = 0.5 * step * model_.system.gravity.norm();
  for (const Contact& contact : start_.contacts) {
    const double speed = model_.calc_normal_speed(contact, at_state_);
    const Transform &A = at_state_.X_WB[at(model_.shape(contact.shape_a).body)],
                    &B = at_state_.X_WB[at(model_.shape(contact.shape_b).body)];
    start_.arms.push_back({contact.point_a - A.p, contact.point_b - B.p});
    start_.own_arms.push_back({A.R.transpose() * start_.arms.back().a, B.R.transpose() * start_.arms.back().b});
    double touching = model_.calc_closed_gap(contact);
    // Contacts that close at less than h |g| / 2 touch as soon as the gap is no longer than what they close in a step:
    // bodies that rattle to rest hit at such speeds a dozen times in a step, and the impact acts h^2 |g| / 2 early at
    // most.
    if (model_.is_located(contact))
      touching = -speed < slow ? touching + step * std::max(0.0, -speed) : calc_touching_gap(contact, speed);
    start_.speeds.push_back(speed);
    start_.touches.push_back(contact.gap <= touching ? 1 : 0);
  }
  join_same_impact(model_, *this, start_);
  find_alone(*this, start_);
}

int ContactTracker::count_loaded() {
  for (const Island::Cluster& cluster : island_->clusters) {
    root_[at(cluster.index)] = cluster.index;
    loaded_[at(cluster.index)] = 0;
  }
  const auto cluster_of = [&](int shape) { return model_.shape(shape).cluster; };
  int largest = 0;
  for (const ContactMemory& memory : memory_) {
    const int a = cluster_of(memory.place.shape_a), b = cluster_of(memory.place.shape_b);
    if (memory.active && a >= 0 && b >= 0) root_[at(find_root(root_, a))] = find_root(root_, b);
  }
  for (const ContactMemory& memory : memory_) {
    const int cluster = std::max(cluster_of(memory.place.shape_a), cluster_of(memory.place.shape_b));
    if (memory.active) largest = std::max(largest, ++loaded_[at(find_root(root_, cluster))]);
  }
  return largest;
}

}  // namespace stiction
