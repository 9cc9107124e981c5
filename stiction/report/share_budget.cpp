#include "stiction/report/share_budget.h"

#include <algorithm>
#include <map>
#include <string>

namespace stiction {

std::size_t share_budget(std::vector<std::size_t> counts, std::size_t budget) {
  std::sort(counts.begin(), counts.end());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    // From the least: whoever needs no more than an equal share of what is left gets it all.
    const std::size_t share = budget / (counts.size() - i);
    if (counts[i] > share) return share;
    budget -= counts[i];
  }
  return counts.empty() ? 0 : counts.back();
}

std::vector<StepEvent> thin_events(const std::vector<StepEvent>& events, std::size_t most) {
  if (events.size() <= most) return events;
  struct Kind {
    std::size_t count = 0, seen = 0;
  };
  std::map<std::string, Kind> kinds;
  for (const StepEvent& event : events) ++kinds[event.kind].count;
  std::vector<std::size_t> counts;
  for (const auto& [name, kind] : kinds) counts.push_back(kind.count);
  const std::size_t share = share_budget(counts, most);

  std::vector<StepEvent> kept;
  for (const StepEvent& event : events) {
    Kind& kind = kinds[event.kind];
    const std::size_t room = std::min(share, kind.count), j = kind.seen++;
    // j room / count, rounded down, takes each of 0 ... room - 1: the first event of each is kept.
    const bool first = j == 0 || j * room / kind.count != (j - 1) * room / kind.count;
    if (room > 0 && first) kept.push_back(event);
  }
  return kept;
}

}  // namespace stiction
