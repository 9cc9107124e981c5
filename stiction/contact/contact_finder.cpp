#include "stiction/contact/contact_finder.h"

#include <algorithm>

namespace stiction {

ContactFinder::ContactFinder(const ContactModel& model)
    : model_(model), X_WS_(model.shapes.size()), boxes_(model.shapes.size()) {}

const std::vector<Contact>& ContactFinder::update(const std::vector<Transform>& X_WB, const std::vector<double>& reach,
                                                  bool planar) {
  for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
    const ContactShape& shape = model_.shapes[i];
    X_WS_[i] = X_WB[static_cast<std::size_t>(shape.body)] * shape.X_BS;
    boxes_[i] = calc_bounds(shape.shape, X_WS_[i]);
    boxes_[i].lower.array() -= std::max(0.0, reach[i]);
    boxes_[i].upper.array() += std::max(0.0, reach[i]);
  }
  contacts_.clear();
  without_rule_.clear();
  known_.swap(pairs_);
  pairs_.clear();
  // Both lists ascend: the rules of pairs that were near before are taken over.
  auto known = known_.begin();
  const auto is_dormant = [&](int shape) { return reach[static_cast<std::size_t>(shape)] == dormant; };
  const auto reach_of = [&](int shape) { return std::max(0.0, reach[static_cast<std::size_t>(shape)]); };
  for (const auto& [a, b] : broadphase_.update(boxes_)) {
    if (is_dormant(a) && is_dormant(b)) continue;
    while (known != known_.end() && std::pair(known->a, known->b) < std::pair(a, b)) ++known;
    const bool is_known = known != known_.end() && known->a == a && known->b == b;
    const int rule = is_known ? known->rule : model_.find_rule(a, b);
    pairs_.push_back({a, b, rule});
    if (rule == never_touch) continue;
    add_pair(a, b, rule, reach_of(a) + reach_of(b), X_WS_, planar);
  }
  return contacts_;
}

void ContactFinder::add_pair(int a, int b, int rule, double margin, const std::vector<Transform>& X_WS, bool planar) {
  const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
  points_.clear();
  calc_contact_points(model_.shapes[i].shape, X_WS[i], model_.shapes[j].shape, X_WS[j], margin, points_);
  if (points_.empty()) return;
  if (rule == no_rule) {
    without_rule_.emplace_back(a, b);
    return;
  }
  const std::size_t first = contacts_.size();
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
      const auto same = std::find_if(contacts_.begin() + static_cast<std::ptrdiff_t>(first), contacts_.end(),
                                     [&](const Contact& other) {
                                       const double size = std::max(1e-9, 1e-6 * margin);
                                       return (other.point_b - contact.point_b).head<2>().norm() <= size;
                                     });
      if (same != contacts_.end()) {
        if (contact.gap < same->gap) same->gap = contact.gap, same->certified = contact.certified;
        continue;
      }
    }
    contacts_.push_back(contact);
  }
  std::sort(contacts_.begin() + static_cast<std::ptrdiff_t>(first), contacts_.end(),
            [](const Contact& x, const Contact& y) { return x.comes_before(y); });
}

}  // namespace stiction
