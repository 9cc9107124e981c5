#include "stiction/results/contact_gaps.h"

#include <limits>
#include <unordered_map>
#include <utility>

#include "stiction/results/pair_names.h"

namespace stiction {

ContactGaps::ContactGaps(const System& system) : system_(system) {
  const ContactModel& model = system.contact;
  if (!model.in_use) return;
  const PairNames pair_names(model);
  std::unordered_map<std::string, std::size_t> index_of;
  const int n = static_cast<int>(model.shapes.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      const int index = model.find_rule(a, b);
      if (index < 0) continue;
      const ContactRule& rule = model.rules[static_cast<std::size_t>(index)];
      const auto body_of = [&](int shape) { return model.shapes[static_cast<std::size_t>(shape)].body_name; };
      const std::string name = rule.a.empty() ? body_of(a) + "/" + body_of(b) : rule.a + "/" + rule.b;
      const auto [found, is_new] = index_of.try_emplace(name, pairs_.size());
      if (is_new) pairs_.push_back({name, {}});
      pairs_[found->second].shapes.push_back({a, b, pair_names.is_reversed(a, b)});
    }
  }
}

ClosestPoints ContactGaps::calc_closest_points(int pair, const std::vector<Transform>& X_WB) const {
  ClosestPoints smallest;
  smallest.gap = std::numeric_limits<double>::infinity();
  for (const auto& [first, second, is_reversed] : pairs_[static_cast<std::size_t>(pair)].shapes) {
    const ContactShape& a = system_.contact.shapes[static_cast<std::size_t>(first)];
    const ContactShape& b = system_.contact.shapes[static_cast<std::size_t>(second)];
    const Transform X_WA = X_WB[static_cast<std::size_t>(a.body)] * a.X_BS;
    const Transform X_WS = X_WB[static_cast<std::size_t>(b.body)] * b.X_BS;
    const ClosestPoints found = calc_closest(a.shape, X_WA, b.shape, X_WS);
    if (!(found.gap < smallest.gap)) continue;
    smallest = found;
    if (!is_reversed) continue;
    std::swap(smallest.point_a, smallest.point_b);
    smallest.normal = -smallest.normal;
  }
  return smallest;
}

}  // namespace stiction
