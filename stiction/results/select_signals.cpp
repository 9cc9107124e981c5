#include "stiction/results/select_signals.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "stiction/base/text.h"
#include "stiction/results/signal_match.h"

namespace stiction {
namespace {

/// "contact signals: contact.{ball/floor, box/floor}.{force, friction}": what there is of them.
std::string describe_contact_signals(const std::vector<SignalInfo>& signals) {
  constexpr std::size_t most_listed = 8;
  const std::string prefix = "contact.";
  std::vector<std::string> groups, quantities;
  std::unordered_set<std::string> known;
  const auto add = [&](std::vector<std::string>& list, const std::string& word, const char* what) {
    if (known.insert(what + word).second) list.push_back(word);
  };
  for (const SignalInfo& signal : signals) {
    if (!signal.name.starts_with(prefix)) continue;
    // Components of a vector: impulse.x
    std::size_t end = signal.name.rfind('.');
    if (end + 2 == signal.name.size() && end > 0) end = signal.name.rfind('.', end - 1);
    add(groups, signal.name.substr(prefix.size(), end - prefix.size()), "group ");
    add(quantities, signal.name.substr(end + 1), "quantity ");
  }
  if (groups.empty())
    return "there are no contact signals: the method has no contact, nothing can touch, or record.signals leaves them "
           "out";
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), most_listed); ++i) text += (i > 0 ? ", " : "") + groups[i];
  if (groups.size() > most_listed) text += fmt::format(", ... {} more", groups.size() - most_listed);
  return fmt::format("contact signals: contact.{{{}}}.{{{}}}", text, fmt::join(quantities, ", "));
}

Fault make_fault(const std::string& message, const std::string& name, const std::vector<SignalInfo>& signals) {
  if (name.starts_with("contact.")) {
    Fault fault;
    fault.message = message;
    fault.hint = describe_contact_signals(signals);
    return fault;
  }
  std::vector<std::string> names;
  for (const SignalInfo& signal : signals) names.push_back(signal.name);
  const std::string nearest = find_nearest_word(name, names);
  Fault fault;
  fault.message = message;
  fault.hint = nearest.empty() ? "signals are called ball.position.z, contact.ball/floor.force, energy.total: see "
                                 "stiction explain signal"
                               : fmt::format("did you mean \"{}\"?", nearest);
  return fault;
}

}  // namespace

std::vector<std::size_t> select_signals(const std::vector<SignalInfo>& signals, const std::vector<std::string>& globs) {
  std::vector<bool> chosen(signals.size(), false);
  std::vector<std::size_t> selected;
  std::vector<Fault> faults;
  for (const std::string& glob : globs) {
    bool any = false;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (!matches_signal(signals[i].name, glob)) continue;
      any = true;
      if (!chosen[i]) selected.push_back(i);
      chosen[i] = true;
    }
    if (!any) faults.push_back(make_fault(fmt::format("no signal matches \"{}\"", glob), glob, signals));
  }
  if (!faults.empty()) throw InputError(std::move(faults));
  return selected;
}

std::optional<std::size_t> find_signal(const std::vector<SignalInfo>& signals, const std::string& name) {
  const std::string swapped = swap_pair(name);
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (signals[i].name == name || signals[i].name == swapped) return i;
  return {};
}

InputError make_unknown_signal_error(const std::string& name, const std::vector<SignalInfo>& signals) {
  return InputError({make_fault(fmt::format("there is no signal \"{}\"", name), name, signals)});
}

}  // namespace stiction
