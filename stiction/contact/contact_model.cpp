#include "stiction/contact/contact_model.h"

#include <algorithm>

namespace stiction {
namespace {

/// How specifically a side names a shape: 3 itself, 2 its body, 1 its material; 0 not at all.
int calc_rank(const std::string& side, const ContactShape& shape) {
  if (side == shape.name && side != shape.body_name) return 3;
  if (side == shape.body_name) return 2;
  return !shape.material.empty() && side == shape.material ? 1 : 0;
}

struct Fit {
  int total = -1;         ///< -1: the rule is for others
  bool by_names = false;  ///< names both as shapes or bodies
};

Fit calc_fit(const ContactRule& rule, const ContactShape& a, const ContactShape& b) {
  if (rule.a.empty()) return {0, false};
  const int first = calc_rank(rule.a, a), second = calc_rank(rule.b, b);
  if (first == 0 || second == 0) return {};
  return {first + second, first >= 2 && second >= 2};
}

Fit calc_best_fit(const ContactRule& rule, const ContactShape& a, const ContactShape& b) {
  const Fit straight = calc_fit(rule, a, b), swapped = calc_fit(rule, b, a);
  return swapped.total > straight.total ? swapped : straight;
}

}  // namespace

int ContactModel::find_rule(int shape_a, int shape_b) const {
  const ContactShape &a = shapes[static_cast<std::size_t>(shape_a)], &b = shapes[static_cast<std::size_t>(shape_b)];
  if (a.body == b.body || (!a.moves_freely && !b.moves_freely)) return never_touch;
  const bool are_joined =
      std::binary_search(joined.begin(), joined.end(), std::minmax(a.body, b.body),
                         [](const auto& x, const auto& y) { return std::pair<int, int>(x) < std::pair<int, int>(y); });
  int best = are_joined ? never_touch : no_rule, best_total = -1;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Fit fit = calc_best_fit(rules[i], a, b);
    if (fit.total < 0 || fit.total < best_total || (are_joined && !fit.by_names)) continue;
    best = rules[i].touches ? static_cast<int>(i) : never_touch;
    best_total = fit.total;
  }
  return best;
}

PairLayers ContactModel::find_layers(int shape_a, int shape_b, int rule) const {
  const ContactShape &a = shapes[static_cast<std::size_t>(shape_a)], &b = shapes[static_cast<std::size_t>(shape_b)];
  PairLayers found;
  if (const auto& own = rules[static_cast<std::size_t>(rule)].layer) {
    found.count = 1;
    found.layer[0] = &*own;
    found.body[0] = a.moves_freely && !b.moves_freely ? b.body : a.body;
    return found;
  }
  for (const ContactShape* shape : {&a, &b}) {
    if (!shape->layer) continue;
    const auto i = static_cast<std::size_t>(found.count++);
    found.layer[i] = &*shape->layer;
    found.body[i] = shape->body;
  }
  return found;
}

bool ContactModel::has_layers() const {
  return std::any_of(rules.begin(), rules.end(), [](const ContactRule& rule) { return rule.layer.has_value(); }) ||
         std::any_of(shapes.begin(), shapes.end(), [](const ContactShape& shape) { return shape.layer.has_value(); });
}

}  // namespace stiction
