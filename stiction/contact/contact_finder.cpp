#include "stiction/contact/contact_finder.h"

#include <algorithm>

#include "stiction/base/index.h"

namespace stiction {

NarrowPhase::NarrowPhase(const ContactModel& model)
    : model_(model), X_WS_(model.shapes.size()), placed_(model.shapes.size(), 0) {
  for (const ContactShape& shape : model.shapes) bounds_.push_back(calc_shape_bound(shape.shape));
}

void NarrowPhase::place(const std::vector<Transform>& X_WB) {
  X_WB_ = &X_WB;
  ++call_;
}

const Transform& NarrowPhase::pose(int shape) {
  if (placed_[at(shape)] != call_) {
    X_WS_[at(shape)] = (*X_WB_)[at(model_.shapes[at(shape)].body)] * model_.shapes[at(shape)].X_BS;
    placed_[at(shape)] = call_;
  }
  return X_WS_[at(shape)];
}

bool NarrowPhase::is_planar(int shape) const {
  return model_.shapes[at(shape)].planar || !model_.shapes[at(shape)].moves_freely;
}

void NarrowPhase::add_pair(int a, int b, int rule, double margin, bool keep_empty, FoundContacts& found) {
  points_.clear();
  bool certified = true;
  const Shape &A = model_.shapes[at(a)].shape, &B = model_.shapes[at(b)].shape;
  if (!(calc_bounding_gap({A, bounds_[at(a)], pose(a)}, {B, bounds_[at(b)], pose(b)}) > margin))
    certified = calc_contact_points(A, pose(a), B, pose(b), margin, points_);
  if (points_.empty() && certified && !keep_empty) return;
  std::vector<Contact>& contacts = found.contacts;
  const auto first = static_cast<std::ptrdiff_t>(contacts.size());
  const bool planar = is_planar(a) && is_planar(b) && (model_.shapes[at(a)].planar || model_.shapes[at(b)].planar);
  for (const ContactPoint& point : points_) {
    Contact contact{.shape_a = a,
                    .shape_b = b,
                    .point = point.id,
                    .rule = rule,
                    .point_a = point.point_a,
                    .point_b = point.point_b,
                    .normal = point.normal,
                    .gap = point.gap,
                    .certified = point.certified};
    if (planar) {
      // Front and back of a body are one: the deeper counts.
      contact.normal.z() = 0;
      contact.normal.normalize();
      contact.point_a.z() = contact.point_b.z() = 0;
      const auto same = std::find_if(contacts.begin() + first, contacts.end(), [&](const Contact& other) {
        const double size = std::max(1e-9, 1e-6 * margin);
        return (other.point_b - contact.point_b).head<2>().norm() <= size;
      });
      if (same != contacts.end()) {
        if (contact.gap < same->gap) same->gap = contact.gap, same->certified = contact.certified;
        continue;
      }
    }
    contacts.push_back(contact);
  }
  std::sort(contacts.begin() + first, contacts.end(),
            [](const Contact& x, const Contact& y) { return x.comes_before(y); });
  found.pairs.push_back({a, b, rule, margin, static_cast<int>(first), static_cast<int>(contacts.size()), certified});
}

ContactFinder::ContactFinder(const ContactModel& model) : model_(model), narrow_(model), boxes_(model.shapes.size()) {}

void ContactFinder::give_known(const FoundContacts& found) {
  for (const FoundPair& pair : found.pairs) known_.push_back({&pair, &found});
}

/// Known contacts ascend as pairs do.
bool ContactFinder::copy_known(int a, int b, double margin, std::size_t& next) {
  while (next < known_.size() && std::pair(known_[next].pair->a, known_[next].pair->b) < std::pair(a, b)) ++next;
  if (next == known_.size()) return false;
  const auto& [pair, from] = known_[next];
  if (pair->a != a || pair->b != b || pair->margin != margin) return false;
  if (pair->begin == pair->end && pair->certified) return true;
  FoundPair own = *pair;
  own.begin = static_cast<int>(found_.contacts.size());
  found_.contacts.insert(found_.contacts.end(), from->contacts.begin() + pair->begin,
                         from->contacts.begin() + pair->end);
  own.end = static_cast<int>(found_.contacts.size());
  found_.pairs.push_back(own);
  return true;
}

const FoundContacts& ContactFinder::update(const std::vector<Transform>& X_WB, const std::vector<double>& reach) {
  narrow_.place(X_WB);
  const auto reach_of = [&](int shape) { return std::max(0.0, reach[at(shape)]); };
  for (int i = 0; i < static_cast<int>(boxes_.size()); ++i) {
    boxes_[at(i)] = calc_bounds(model_.shapes[at(i)].shape, narrow_.pose(i));
    boxes_[at(i)].lower.array() -= reach_of(i);
    boxes_[at(i)].upper.array() += reach_of(i);
  }
  found_.clear();
  without_rule_.clear();
  known_rules_.swap(pairs_);
  pairs_.clear();
  const auto is_before = [](const Known& x, const Known& y) { return x.pair->comes_before(*y.pair); };
  if (!std::is_sorted(known_.begin(), known_.end(), is_before)) std::sort(known_.begin(), known_.end(), is_before);
  std::size_t next_known = 0;
  // Lists ascend: the rules of pairs that were near before are taken over.
  auto rule_of = known_rules_.begin();
  const auto is_dormant = [&](int shape) { return reach[at(shape)] == dormant; };
  for (const auto& [a, b] : broadphase_.update(boxes_)) {
    if (is_dormant(a) && is_dormant(b)) continue;
    while (rule_of != known_rules_.end() && std::pair(rule_of->a, rule_of->b) < std::pair(a, b)) ++rule_of;
    const bool is_known = rule_of != known_rules_.end() && rule_of->a == a && rule_of->b == b;
    const int rule = is_known ? rule_of->rule : model_.find_rule(a, b);
    pairs_.push_back({a, b, rule});
    if (rule == never_touch) continue;
    const double margin = reach_of(a) + reach_of(b);
    if (copy_known(a, b, margin, next_known)) continue;
    narrow_.add_pair(a, b, rule, margin, false, found_);
    if (rule == no_rule && !found_.pairs.empty() && found_.pairs.back().a == a && found_.pairs.back().b == b) {
      if (found_.pairs.back().begin < found_.pairs.back().end) without_rule_.emplace_back(a, b);
      found_.contacts.resize(at(found_.pairs.back().begin));
      found_.pairs.pop_back();
    }
  }
  known_.clear();
  return found_;
}

}  // namespace stiction
