#include "stiction/results/event_pairing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "stiction/results/pair_names.h"

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

/// For each of `times` the entry of `known` it belongs to, or nothing. Both ascending; so are the entries.
using Partners = std::vector<std::optional<std::size_t>>;

/// Those at most `resolution` apart, in order: the greatest number of such pairs.
Partners pair_within(const std::vector<double>& known, const std::vector<double>& times, double resolution) {
  Partners partners(times.size());
  for (std::size_t i = 0, k = 0; i < times.size() && k < known.size();) {
    if (std::abs(times[i] - known[k]) <= resolution) {
      partners[i++] = k++;
    } else if (times[i] < known[k]) {
      ++i;
    } else {
      ++k;
    }
  }
  return partners;
}

/// Entries [first, last) of both lists: those that are the nearest to each other.
struct Stretch {
  std::size_t first_time, last_time, first_known, last_known;
};
void pair_nearest(const std::vector<double>& known, const std::vector<double>& times, const Stretch& at,
                  Partners& partners) {
  if (at.first_time == at.last_time || at.first_known == at.last_known) return;
  const auto part = [](const std::vector<double>& all, std::size_t first, std::size_t last) {
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(first),
                               all.begin() + static_cast<std::ptrdiff_t>(last));
  };
  const std::vector<double> old = part(known, at.first_known, at.last_known),
                            added = part(times, at.first_time, at.last_time);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const std::size_t nearest = find_nearest(old, added[i]);
    if (find_nearest(added, old[nearest]) == i) partners[at.first_time + i] = at.first_known + nearest;
  }
}

Partners find_partners(const std::vector<double>& known, const std::vector<double>& times, double resolution) {
  Partners partners = pair_within(known, times, resolution);
  const Partners near = partners;
  Stretch rest{0, 0, 0, 0};
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!near[i]) continue;
    rest.last_time = i, rest.last_known = *near[i];
    pair_nearest(known, times, rest, partners);
    rest.first_time = i + 1, rest.first_known = *near[i] + 1;
  }
  rest.last_time = times.size(), rest.last_known = known.size();
  pair_nearest(known, times, rest, partners);
  return partners;
}

/// The rows of one kind and element, in order of time.
class Group {
 public:
  Group(std::string kind, std::string name, std::size_t runs)
      : kind_(std::move(kind)), name_(std::move(name)), runs_(runs) {}

  void add(std::size_t run, std::vector<double> times, double resolution) {
    std::sort(times.begin(), times.end());
    std::vector<double> known;
    for (const EventRow& row : rows_) known.push_back(row.first_time());
    const Partners partners = find_partners(known, times, resolution);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (partners[i]) {
        rows_[*partners[i]].times[run] = times[i];
      } else {
        EventRow row{kind_, name_, std::vector<std::optional<double>>(runs_)};
        row.times[run] = times[i];
        rows_.push_back(std::move(row));
      }
    }
    sort_rows();
  }

  /// Which row has the n-th event of a run, in order of its times?
  std::vector<std::size_t> list_rows(std::size_t run) const {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].times[run]) list.push_back(i);
    std::stable_sort(list.begin(), list.end(),
                     [&](std::size_t a, std::size_t b) { return *rows_[a].times[run] < *rows_[b].times[run]; });
    return list;
  }

  /// The time of one run in a row that belongs to a beginning (its row, and how many ends it had before).
  void add_end(std::size_t run, std::pair<std::size_t, std::size_t> beginning, double t) {
    const auto [found, is_new] =
        ends_.try_emplace(beginning, EventRow{kind_, name_, std::vector<std::optional<double>>(runs_)});
    found->second.times[run] = t;
  }

  void take(std::vector<EventRow>& rows) {
    for (auto& [beginning, row] : ends_) rows_.push_back(std::move(row));
    sort_rows();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].number = static_cast<int>(i) + 1;
      rows.push_back(std::move(rows_[i]));
    }
  }

 private:
  void sort_rows() {
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const EventRow& a, const EventRow& b) { return a.first_time() < b.first_time(); });
  }

  std::string kind_, name_;
  std::size_t runs_;
  std::vector<EventRow> rows_;
  std::map<std::pair<std::size_t, std::size_t>, EventRow> ends_;
};

/// What an event of this kind ends, or "".
std::string find_beginning(const std::string& kind) {
  static const std::map<std::string, std::string> beginnings = {
      {"release", "impact"}, {"core_left", "core_reached"}, {"slack", "taut"}, {"wake", "sleep"}};
  const auto found = beginnings.find(kind);
  return found == beginnings.end() ? std::string() : found->second;
}

using Key = std::pair<std::string, std::string>;  ///< kind, element

/// The events of one run by kind and element.
struct RunEvents {
  /// An event that ends the n-th beginning of its element.
  struct End {
    Key key, beginning;
    std::size_t index = 0, repetition = 0;
    double t = 0;
  };
  std::map<Key, std::vector<double>> times;  ///< but for ends
  std::map<Key, std::string> names;
  std::vector<End> ends;
};

RunEvents sort_events(std::vector<StepEvent> events) {
  std::stable_sort(events.begin(), events.end(), [](const StepEvent& a, const StepEvent& b) { return a.t < b.t; });
  RunEvents sorted;
  std::map<Key, std::size_t> repetitions;  // ends since the last beginning
  for (const StepEvent& event : events) {
    if (!std::isfinite(event.t)) continue;
    const std::string element = order_pair(event.name);
    const Key key{event.kind, element}, beginning{find_beginning(event.kind), element};
    sorted.names[key] = event.name;
    const auto begun = sorted.times.find(beginning);
    if (beginning.first.empty() || begun == sorted.times.end()) {
      sorted.times[key].push_back(event.t);
      repetitions[key] = 0;
    } else {
      sorted.ends.push_back({key, beginning, begun->second.size() - 1, repetitions[beginning]++, event.t});
    }
  }
  return sorted;
}

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

std::vector<EventRow> pair_events(const std::vector<std::vector<StepEvent>>& runs, double resolution) {
  std::map<Key, Group> groups;
  const auto group_of = [&](const RunEvents& events, const Key& key) -> Group& {
    return groups.try_emplace(key, key.first, events.names.at(key), runs.size()).first->second;
  };
  std::vector<RunEvents> sorted;
  for (const std::vector<StepEvent>& events : runs) sorted.push_back(sort_events(events));
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const auto& [key, times] : sorted[run].times) group_of(sorted[run], key).add(run, times, resolution);
  // The rows of the beginnings are known: ends follow them.
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::map<Key, std::vector<std::size_t>> rows_of;
    for (const RunEvents::End& end : sorted[run].ends) {
      const auto [rows, is_new] = rows_of.try_emplace(end.beginning);
      if (is_new) rows->second = groups.at(end.beginning).list_rows(run);
      group_of(sorted[run], end.key).add_end(run, {rows->second[end.index], end.repetition}, end.t);
    }
  }
  std::vector<EventRow> rows;
  for (auto& [key, group] : groups) group.take(rows);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const EventRow& a, const EventRow& b) { return a.first_time() < b.first_time(); });
  return rows;
}

}  // namespace stiction
