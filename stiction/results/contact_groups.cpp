#include "stiction/results/contact_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/fault.h"
#include "stiction/results/signal_match.h"

namespace stiction {
namespace {

bool names_a_pair(const std::string& pattern) {
  return pattern.starts_with("contact.") && pattern.find('/') != std::string::npos;
}

const ContactShape& shape_of(const ContactModel& model, int shape) {
  return model.shapes[static_cast<std::size_t>(shape)];
}

}  // namespace

ContactGroups::ContactGroups(const ContactModel& model, const std::vector<std::string>& patterns)
    : model_(model), pair_names_(model) {
  if (!model.in_use) return;
  bool has_default = false;
  for (const ContactRule& rule : model.rules) {
    if (!rule.touches) continue;
    if (rule.a.empty()) has_default = true;
    if (!rule.a.empty() && !rule.b.empty()) add(rule.a + "/" + rule.b);
  }
  if (!has_default) return;
  add_default_pairs();
  if (!is_by_body_) return;
  for (const ContactShape& shape : model.shapes) add(shape.body_name);
  add_requested_pairs(patterns);
}

int ContactGroups::find_group(const std::string& name) const {
  const auto found = index_of_.find(name);
  return found == index_of_.end() ? -1 : found->second;
}

int ContactGroups::add(const std::string& name) {
  const auto [found, is_new] = index_of_.try_emplace(name, size());
  if (is_new) names_.push_back(name);
  return found->second;
}

bool ContactGroups::is_default(int rule) const {
  return rule >= 0 && model_.rules[static_cast<std::size_t>(rule)].a.empty();
}

std::string ContactGroups::name_of_bodies(int shape_a, int shape_b) const {
  return shape_of(model_, shape_a).body_name + "/" + shape_of(model_, shape_b).body_name;
}

// All of them, or, where they are too many, none.
void ContactGroups::add_default_pairs() {
  const int n = static_cast<int>(model_.shapes.size()), tables = size();
  is_by_body_ = n > most_counted_shapes;
  for (int a = 0; a < n && !is_by_body_; ++a) {
    for (int b = a + 1; b < n && !is_by_body_; ++b) {
      if (is_default(model_.find_rule(a, b))) add(name_of_bodies(a, b));
      is_by_body_ = size() - tables > most_default_pairs;
    }
  }
  if (!is_by_body_) return;
  for (int i = tables; i < size(); ++i) index_of_.erase(names_[static_cast<std::size_t>(i)]);
  names_.resize(static_cast<std::size_t>(tables));
}

void ContactGroups::add_requested_pairs(const std::vector<std::string>& patterns) {
  std::vector<std::string> wanted;
  std::copy_if(patterns.begin(), patterns.end(), std::back_inserter(wanted), names_a_pair);
  if (wanted.empty()) return;
  const auto matches = [&](const std::string& name) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& pattern) {
      for (const char* suffix :
           {".force",      ".friction", ".depth",    ".impulse",    ".impulse.x", ".impulse.y",  ".impulse.z",
            ".peak_force", ".stick",    ".dwell",    ".deflection", ".shear",     ".core_force", ".volume",
            ".normal.x",   ".normal.y", ".normal.z", ".moment.x",   ".moment.y",  ".moment.z"}) {
        if (matches_signal("contact." + name + suffix, pattern)) return true;
      }
      return false;
    });
  };
  const int n = static_cast<int>(model_.shapes.size()), before = size();
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      const std::string name = name_of_bodies(a, b);
      if (index_of_.contains(name) || !matches(name) || !is_default(model_.find_rule(a, b))) continue;
      add(name);
      if (size() - before > most_requested_pairs)
        throw InputError(
            fmt::format("more than {} pairs of bodies under [contact.default] match", most_requested_pairs),
            "name fewer of them, or record the contacts of each body: \"contact.BODY.*\"");
    }
  }
}

const ContactGroups::Shares& ContactGroups::find(int shape_a, int shape_b) {
  const std::uint64_t key = (static_cast<std::uint64_t>(shape_a) << 32) | static_cast<std::uint32_t>(shape_b);
  const auto found = found_.find(key);
  return found != found_.end() ? found->second : found_.emplace(key, calc_shares(shape_a, shape_b)).first->second;
}

ContactGroups::Shares ContactGroups::calc_shares(int shape_a, int shape_b) const {
  Shares shares;
  const int rule = model_.find_rule(shape_a, shape_b);
  if (rule < 0) return shares;
  if (!is_default(rule)) {
    const ContactRule& table = model_.rules[static_cast<std::size_t>(rule)];
    shares[0] = {find_group(table.a + "/" + table.b), pair_names_.is_reversed(shape_a, shape_b) ? -1.0 : 1.0};
    return shares;
  }
  const bool ascends = shape_a < shape_b;
  shares[0] = {find_group(ascends ? name_of_bodies(shape_a, shape_b) : name_of_bodies(shape_b, shape_a)),
               ascends ? 1.0 : -1.0};
  if (!is_by_body_) return shares;
  shares[1] = {find_group(shape_of(model_, shape_a).body_name), -1};
  shares[2] = {find_group(shape_of(model_, shape_b).body_name), 1};
  return shares;
}

}  // namespace stiction
