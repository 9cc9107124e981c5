#include "stiction/results/select_signals.h"

#include <fmt/format.h>

#include "stiction/base/text.h"

namespace stiction {
namespace {

Fault make_fault(const std::string& message, const std::string& name, const std::vector<SignalInfo>& signals) {
  std::vector<std::string> names;
  for (const SignalInfo& signal : signals) names.push_back(signal.name);
  const std::string nearest = find_nearest_word(name, names);
  Fault fault;
  fault.message = message;
  if (!nearest.empty()) fault.hint = fmt::format("did you mean \"{}\"?", nearest);
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
      if (!matches_glob(signals[i].name, glob)) continue;
      any = true;
      if (!chosen[i]) selected.push_back(i);
      chosen[i] = true;
    }
    if (!any) faults.push_back(make_fault(fmt::format("no signal matches \"{}\"", glob), glob, signals));
  }
  if (!faults.empty()) throw InputError(std::move(faults));
  return selected;
}

InputError make_unknown_signal_error(const std::string& name, const std::vector<SignalInfo>& signals) {
  return InputError({make_fault(fmt::format("there is no signal \"{}\"", name), name, signals)});
}

}  // namespace stiction
