#include "apps/cli/first_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "stiction/base/text.h"
#include "stiction/results/event_pairing.h"

#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

/// Of a signal's range: what a plot of both runs would show.
constexpr double visible_part = 1e-3;
/// Of the largest value among the signals of a unit: less is not seen in six digits. Keeps rounding, as in the height
/// of a body that lies still, from being called a difference.
constexpr double printed_part = 1e-6;

std::optional<EventRow> find_first_event(const ComparedRun& a, const ComparedRun& b, double end) {
  const double step = std::max(a.step, b.step);
  for (const EventRow& row : pair_events({a.events, b.events}, step)) {
    if (row.first_time() > end) break;
    if (!row.is_complete() || row.calc_spread() > step) return row;
  }
  return {};
}

struct SignalDifference {
  std::string name, unit;
  double t = 0, value_a = 0, value_b = 0;
};

/// The largest value of each unit among the signals of both runs.
std::map<std::string, double> find_largest(const ComparedRun& a, const ComparedRun& b,
                                           const std::vector<std::string>& signals) {
  std::map<std::string, double> largest;
  for (const std::string& name : signals) {
    double& of_unit = largest[a.unit_of(name)];
    of_unit = std::max({of_unit, find_largest_size(a.reader->read(name)), find_largest_size(b.reader->read(name))});
  }
  return largest;
}

std::optional<SignalDifference> find_first_signal(const ComparedRun& a, const ComparedRun& b, double end,
                                                  const std::vector<std::string>& signals) {
  std::optional<SignalDifference> first;
  const std::vector<double>&times_a = a.reader->times(), &times_b = b.reader->times();
  const std::vector<double>& times = times_a.size() <= times_b.size() ? times_a : times_b;
  const std::map<std::string, double> largest = find_largest(a, b, signals);
  for (const std::string& name : signals) {
    const std::vector<double> in_a = a.reader->read(name), in_b = b.reader->read(name);
    if (in_a.empty() || in_b.empty()) continue;
    const auto [low_a, high_a] = std::minmax_element(in_a.begin(), in_a.end());
    const auto [low_b, high_b] = std::minmax_element(in_b.begin(), in_b.end());
    const double range = std::max(*high_a, *high_b) - std::min(*low_a, *low_b);
    const double bound = std::max(visible_part * range, printed_part * largest.at(a.unit_of(name)));
    for (const double t : times) {
      if (t > end || (first && t >= first->t)) break;
      const double of_a = interpolate_signal(times_a, in_a, t), of_b = interpolate_signal(times_b, in_b, t);
      if (!(std::abs(of_a - of_b) > bound)) continue;
      first = {name, a.unit_of(name), t, of_a, of_b};
      break;
    }
  }
  return first;
}

std::string format_event_time(const ComparedRun& run, const std::optional<double>& t) {
  return t ? fmt::format("at {:.9g} s in {}", *t, run.name) : "not in " + run.name;
}

}  // namespace

double find_largest_size(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

double interpolate_signal(const std::vector<double>& times, const std::vector<double>& values, double t) {
  const auto after = std::lower_bound(times.begin(), times.end(), t);
  if (after == times.end()) return values.back();
  const auto i = static_cast<std::size_t>(after - times.begin());
  if (i == 0 || *after == t) return values[i];
  const double part = (t - times[i - 1]) / (times[i] - times[i - 1]);
  return values[i - 1] + part * (values[i] - values[i - 1]);
}

double find_common_end(const std::vector<ComparedRun>& runs) {
  double end = std::numeric_limits<double>::infinity();
  for (const ComparedRun& run : runs) end = std::min(end, run.reader->times().empty() ? 0 : run.reader->times().back());
  return end;
}

std::string format_first_difference(const std::vector<ComparedRun>& runs, const std::vector<std::string>& signals) {
  const ComparedRun& a = runs.front();
  std::string text;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const ComparedRun& b = runs[i];
    const double end = std::min(a.reader->times().empty() ? 0 : a.reader->times().back(),
                                b.reader->times().empty() ? 0 : b.reader->times().back());
    text += paint(fmt::format("first difference, {} from {}", b.name, a.name), Color::bold) + "\n";
    if (const auto event = find_first_event(a, b, end)) {
      text += fmt::format("  event   {} {}: {}, {}\n", event->kind, event->name, format_event_time(a, event->times[0]),
                          format_event_time(b, event->times[1]));
    } else {
      text += fmt::format("  event   none: the same events, at times that differ by at most a step ({} s)\n",
                          format_number(std::max(a.step, b.step)));
    }
    if (const auto signal = find_first_signal(a, b, end, signals)) {
      text += fmt::format("  signal  {} at {:.9g} s: {:.6g} in {}, {:.6g} in {}{}\n", signal->name, signal->t,
                          signal->value_a, a.name, signal->value_b, b.name,
                          signal->unit == "1" ? "" : " [" + signal->unit + "]");
    } else if (!signals.empty()) {
      text += "  signal  none: those compared differ by less than 0.1 % of their range, or by rounding\n";
    }
  }
  return text;
}

}  // namespace stiction::cli
