#include "stiction/results/event_pairing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace stiction {
namespace {

/// Index of the entry of `times` (ascending, not empty) that is nearest to t; of two as near the first.
std::size_t find_nearest(const std::vector<double>& times, double t) {
  const auto after = std::lower_bound(times.begin(), times.end(), t);
  if (after == times.begin()) return 0;
  const auto index = static_cast<std::size_t>(after - times.begin());
  if (after == times.end()) return index - 1;
  return t - times[index - 1] <= times[index] - t ? index - 1 : index;
}

/// The rows of one kind and element, in order of time.
class Group {
 public:
  Group(std::string kind, std::string name, std::size_t runs)
      : kind_(std::move(kind)), name_(std::move(name)), runs_(runs) {}

  void add(std::size_t run, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    std::vector<double> known;
    for (const EventRow& row : rows_) known.push_back(row.first_time());
    for (std::size_t i = 0; i < times.size(); ++i) {
      const bool paired = !known.empty() && find_nearest(times, known[find_nearest(known, times[i])]) == i;
      if (paired) {
        rows_[find_nearest(known, times[i])].times[run] = times[i];
      } else {
        EventRow row{kind_, name_, std::vector<std::optional<double>>(runs_)};
        row.times[run] = times[i];
        rows_.push_back(std::move(row));
      }
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const EventRow& a, const EventRow& b) { return a.first_time() < b.first_time(); });
  }

  void take(std::vector<EventRow>& rows) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].number = static_cast<int>(i) + 1;
      rows.push_back(std::move(rows_[i]));
    }
  }

 private:
  std::string kind_, name_;
  std::size_t runs_;
  std::vector<EventRow> rows_;
};

}  // namespace

double EventRow::first_time() const {
  double first = std::numeric_limits<double>::infinity();
  for (const auto& t : times)
    if (t) first = std::min(first, *t);
  return first;
}

bool EventRow::is_complete() const {
  return std::all_of(times.begin(), times.end(), [](const auto& t) { return t.has_value(); });
}

double EventRow::calc_spread() const {
  double last = -std::numeric_limits<double>::infinity();
  for (const auto& t : times)
    if (t) last = std::max(last, *t);
  return last - first_time();
}

std::vector<EventRow> pair_events(const std::vector<std::vector<StepEvent>>& runs) {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, Group> groups;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::map<Key, std::vector<double>> times;
    for (const StepEvent& event : runs[run])
      if (std::isfinite(event.t)) times[{event.kind, event.name}].push_back(event.t);
    for (auto& [key, of_key] : times)
      groups.try_emplace(key, key.first, key.second, runs.size()).first->second.add(run, std::move(of_key));
  }
  std::vector<EventRow> rows;
  for (auto& [key, group] : groups) group.take(rows);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const EventRow& a, const EventRow& b) { return a.first_time() < b.first_time(); });
  return rows;
}

}  // namespace stiction
