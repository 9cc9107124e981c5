#include "stiction/results/pair_names.h"

#include <algorithm>

namespace stiction {
namespace {

bool names(const std::string& side, const ContactShape& shape) {
  return side == shape.name || side == shape.body_name || (!shape.material.empty() && side == shape.material);
}

}  // namespace

PairNames::PairNames(const ContactModel& model) : model_(model) {
  has_tables_ =
      std::any_of(model.rules.begin(), model.rules.end(), [](const ContactRule& rule) { return !rule.a.empty(); });
  for (std::size_t i = 0; i < model.shapes.size(); ++i) index_of_.emplace(model.shapes[i].name, static_cast<int>(i));
}

bool PairNames::is_reversed(int shape_a, int shape_b) const {
  const int n = static_cast<int>(model_.shapes.size());
  if (!has_tables_ || shape_a < 0 || shape_b < 0 || shape_a >= n || shape_b >= n) return false;
  const int index = model_.find_rule(shape_a, shape_b);
  if (index < 0) return false;
  const ContactRule& rule = model_.rules[static_cast<std::size_t>(index)];
  if (rule.a.empty()) return false;
  return !(names(rule.a, model_.shapes[static_cast<std::size_t>(shape_a)]) &&
           names(rule.b, model_.shapes[static_cast<std::size_t>(shape_b)]));
}

std::string PairNames::arrange(const std::string& name) const {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return name;
  const auto first = index_of_.find(name.substr(0, slash)), second = index_of_.find(name.substr(slash + 1));
  if (first == index_of_.end() || second == index_of_.end()) return name;
  const auto [a, b] = std::minmax(first->second, second->second);
  const auto name_of = [&](int shape) { return model_.shapes[static_cast<std::size_t>(shape)].name; };
  return is_reversed(a, b) ? name_of(b) + "/" + name_of(a) : name_of(a) + "/" + name_of(b);
}

std::string order_pair(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return name;
  const std::string first = name.substr(0, slash), second = name.substr(slash + 1);
  return first <= second ? name : second + "/" + first;
}

}  // namespace stiction
