#include "stiction/report/collect_contact_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "stiction/report/collect_signals.h"

namespace stiction {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t measures = 4;
constexpr std::array<const char*, measures> labels = {"normal force", "friction force", "gap", "slip speed"};
constexpr std::array<double, measures> without_contact = {0, 0, none, none};

// Of the samples of an interval the least and the greatest number, in their order.
void append_extremes(const std::vector<double>& samples, std::vector<double>& thinned) {
  std::size_t low = 0, high = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i] < samples[low] || std::isnan(samples[low])) low = i;
    if (samples[i] > samples[high] || std::isnan(samples[high])) high = i;
  }
  thinned.push_back(samples[std::min(low, high)]);
  thinned.push_back(samples[std::max(low, high)]);
}

// One group of contacts: all, or those of a pair. Holds the samples of one interval at a time.
class Group {
 public:
  // The samples of the next interval, of which nothing is known yet.
  void begin(std::size_t samples) {
    for (std::size_t k = 0; k < measures; ++k) current_[k].assign(samples, without_contact[k]);
  }
  void add(std::size_t i, const ContactRecord& contact, double per_step) {
    const double normal = contact.impulse.dot(contact.normal);
    current_[0][i] += normal * per_step;
    current_[1][i] += (contact.impulse - normal * contact.normal).norm() * per_step;
    current_[2][i] = std::fmin(current_[2][i], contact.gap);
    current_[3][i] = std::fmax(current_[3][i], contact.slip.norm());
  }
  void end(bool thinned) {
    for (std::size_t k = 0; k < measures; ++k) {
      if (thinned) {
        append_extremes(current_[k], values[k]);
      } else {
        values[k] = current_[k];
      }
    }
  }

  std::array<std::vector<double>, measures> values;

 private:
  std::array<std::vector<double>, measures> current_;
};

// Pairs by the impulses that are drawn of them, the largest first.
std::vector<std::size_t> rank_pairs(const PageContacts& contacts) {
  std::vector<double> weights(contacts.pairs.size(), 0.0);
  for (const auto& frame : contacts.frames) {
    for (const PageContact& contact : frame) {
      const double impulse = contact.record.impulse.norm();
      if (std::isfinite(impulse)) weights[static_cast<std::size_t>(contact.pair)] += impulse;
    }
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  return order;
}

// Goes through the recorded contacts once, interval by interval of the samples.
class Adder {
 public:
  Adder(const std::vector<double>& times, std::size_t intervals, double per_step)
      : times_(times), intervals_(intervals), per_step_(per_step) {}

  // Group 0 counts all; `groups` leads from two shapes to their group.
  std::vector<Group> add(const RunReader& run, std::size_t count,
                         const std::unordered_map<std::string, std::size_t>& groups) {
    groups_.resize(count);
    begin();
    const std::vector<std::string> shapes = run.contact_shapes();
    for (int part = 0; part < run.part_count(); ++part) {
      for (const ContactSample& sample : run.contacts(part)) {
        if (!go_to(sample.t)) continue;
        const std::size_t i = at_ - sample_interval(interval_, intervals_, times_.size()).begin;
        groups_[0].add(i, sample.contact, per_step_);
        const auto found = groups.find(name_pair(shapes, sample.contact));
        if (found != groups.end()) groups_[found->second].add(i, sample.contact, per_step_);
      }
    }
    while (interval_ < intervals_) next();
    return std::move(groups_);
  }

 private:
  static std::string name_pair(const std::vector<std::string>& shapes, const ContactRecord& contact) {
    const auto name = [&](int shape) -> const std::string& {
      static const std::string unknown = "unknown shape";
      const auto index = static_cast<std::size_t>(shape);
      return shape >= 0 && index < shapes.size() ? shapes[index] : unknown;
    };
    return name(contact.shape_a) + " / " + name(contact.shape_b);
  }
  void begin() {
    if (interval_ == intervals_) return;
    const Interval now = sample_interval(interval_, intervals_, times_.size());
    for (Group& group : groups_) group.begin(now.end - now.begin);
  }
  void next() {
    for (Group& group : groups_) group.end(intervals_ > 1);
    ++interval_;
    begin();
  }
  // To the sample at that time; false if there is none from here on.
  bool go_to(double t) {
    while (at_ < times_.size() && times_[at_] < t) ++at_;
    if (at_ == times_.size() || times_[at_] != t) return false;
    while (sample_interval(interval_, intervals_, times_.size()).end <= at_) next();
    return true;
  }

  const std::vector<double>& times_;
  std::size_t intervals_ = 1;
  double per_step_ = 1;
  std::size_t at_ = 0, interval_ = 0;
  std::vector<Group> groups_;
};

}  // namespace

PageSignals collect_contact_sums(const RunReader& run, const std::vector<double>& times, const PageContacts& contacts,
                                 double step, const PageLimits& limits) {
  PageSignals page;
  if (contacts.shown == contacts.recorded || times.empty()) return page;
  // First fewer points for each pair, then fewer pairs.
  const auto room = static_cast<std::size_t>(limits.contact_sum_numbers);
  const std::size_t most = std::clamp<std::size_t>(room / (measures * (contacts.pairs.size() + 1)), 1024, 8192);
  const std::size_t points = std::min(most, times.size());
  page.times = thin_times(times, most);
  page.thinned = times.size() > most;

  std::vector<std::string> names = {"all contacts"};
  std::unordered_map<std::string, std::size_t> groups;
  for (const std::size_t pair : rank_pairs(contacts)) {
    if (measures * points * (names.size() + 1) > room) break;
    const std::string name = contacts.pairs[pair].a + " / " + contacts.pairs[pair].b;
    if (groups.try_emplace(name, names.size()).second) names.push_back(name);
  }
  Adder adder(times, page.thinned ? most / 2 : 1, step > 0 ? 1 / step : 1);
  std::vector<Group> sums = adder.add(run, names.size(), groups);
  const char* force = step > 0 ? "N" : "N s";
  const std::array<const char*, measures> units = {force, force, "m", "m/s"};
  for (std::size_t g = 0; g < sums.size(); ++g) {
    for (std::size_t k = 0; k < measures; ++k)
      page.signals.push_back(
          {{"contact:" + names[g] + ":" + labels[k], units[k], "output"}, std::move(sums[g].values[k])});
  }
  return page;
}

}  // namespace stiction
