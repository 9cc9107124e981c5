#include "stiction/report/collect_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

struct RecordFault {
  std::string words;
  double time = -1;
};

RecordFault find_fault(const RunReader& run, const std::vector<double>& times, const PageData& page) {
  for (const SignalInfo& signal : run.signals()) {
    const std::vector<double> samples = run.read(signal.name);
    const auto found = std::find_if(samples.begin(), samples.end(), [](double value) { return !std::isfinite(value); });
    if (found == samples.end()) continue;
    const auto index = static_cast<std::size_t>(found - samples.begin());
    return {signal.name + " is not finite", index < times.size() ? times[index] : -1};
  }
  if (!page.contacts.fault.empty()) return {page.contacts.fault, page.contacts.fault_time};
  for (const StepEvent& event : run.events()) {
    if (!std::isfinite(event.t)) return {fmt::format("the event {} {} has no time", event.kind, event.name), -1};
  }
  return {};
}

}  // namespace

void add_faults(const RunReader& run, const std::vector<double>& times, PageData& page) {
  const RecordFault fault = find_fault(run, times, page);
  if (fault.words.empty()) return;
  page.verdict.add({.measure = "record",
                    .trust = Trust::do_not_trust,
                    .time = fault.time,
                    .text = fault.words,
                    .remedy = "Take a smaller time.step; where the run ended well, its file was changed"});
}

}  // namespace stiction
