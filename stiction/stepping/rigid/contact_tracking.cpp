#include "stiction/stepping/rigid/contact_tracking.h"

#include <algorithm>

#include "stiction/base/disjoint_sets.h"
#include "stiction/base/index.h"

namespace stiction {
namespace {

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

ContactTracker::ContactTracker(const RigidModel& model, ContactSearch& search)
    : model_(model), search_(search), root_(model.parts.size()), loaded_(model.parts.size()) {}

void ContactTracker::begin(const Island& island) {
  island_ = &island;
  memory_ = island.memory;
  const auto is_before = [](const ContactMemory& x, const ContactMemory& y) { return x.comes_before(y); };
  if (!std::is_sorted(memory_.begin(), memory_.end(), is_before)) std::sort(memory_.begin(), memory_.end(), is_before);
  guesses_.clear();
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

void ContactTracker::look_at_start(const IslandState& state) {
  start_.contacts = search_.find(state).contacts;
  const Kinematics& kinematics = search_.at_state();
  start_.arms.clear();
  start_.own_arms.clear();
  start_.speeds.clear();
  start_.touches.clear();
  const double step = model_.settings.step, slow = 0.5 * step * model_.system.gravity.norm();
  for (const Contact& contact : start_.contacts) {
    const double speed = model_.calc_normal_speed(contact, kinematics);
    const Transform &A = kinematics.X_WB[at(model_.shape(contact.shape_a).body)],
                    &B = kinematics.X_WB[at(model_.shape(contact.shape_b).body)];
    start_.arms.push_back({contact.point_a - A.p, contact.point_b - B.p});
    start_.own_arms.push_back({A.R.transpose() * start_.arms.back().a, B.R.transpose() * start_.arms.back().b});
    double touching = model_.calc_closed_gap(contact);
    // Contacts that close at less than h |g| / 2 touch as soon as the gap is no longer than what they close in a step:
    // bodies that rattle to rest hit at such speeds a dozen times in a step, and the impact acts h^2 |g| / 2 early at
    // most.
    if (model_.is_located(contact) && -speed < slow) touching += step * std::max(0.0, -speed);
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
