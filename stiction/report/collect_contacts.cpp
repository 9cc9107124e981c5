#include "stiction/report/collect_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "stiction/report/share_budget.h"

namespace stiction {
namespace {

constexpr std::size_t most_at_once = 20'000;  // more can neither be drawn in time nor told apart

// Contacts by frame, and the pairs they belong to in the order of their first contact.
class Collector {
 public:
  Collector(const RunReader& run, const std::vector<double>& times) : shapes_(run.contact_shapes()), times_(times) {
    page.frames.resize(times.size());
  }

  void add(const ContactSample& sample) {
    ++page.recorded;
    look_at(sample);
    const double impulse = sample.contact.impulse.norm();
    if (impulse > page.peak_impulse && std::isfinite(impulse)) page.peak_impulse = impulse;
    // Samples come in order of time: the frame is the last one or a later one.
    while (frame_ < times_.size() && times_[frame_] < sample.t) ++frame_;
    if (frame_ == times_.size() || times_[frame_] != sample.t) return;
    page.frames[frame_].push_back({find_pair(sample.contact), sample.contact});
  }

  PageContacts page;

 private:
  // Every number of every recorded contact, also of those that are not drawn.
  void look_at(const ContactSample& sample) {
    const ContactRecord& c = sample.contact;
    const bool finite = c.position.allFinite() && c.normal.allFinite() && c.impulse.allFinite() && c.slip.allFinite() &&
                        std::isfinite(c.gap) && c.moment_impulse.allFinite() && std::isfinite(c.volume) &&
                        std::isfinite(c.area) && c.extent.allFinite();
    const bool ascends = sample.t >= last_time_;
    if (ascends) last_time_ = sample.t;
    if ((finite && ascends) || !page.fault.empty()) return;
    page.fault = fmt::format("the contact {}/{} {}", name_of_shape(c.shape_a), name_of_shape(c.shape_b),
                             !finite                   ? "is not finite"
                             : std::isfinite(sample.t) ? "is recorded after later ones"
                                                       : "has no time");
    page.fault_time = std::isfinite(sample.t) ? sample.t : last_time_;
  }

  int find_pair(const ContactRecord& contact) {
    const auto [found, is_new] =
        pairs_.try_emplace({contact.shape_a, contact.shape_b}, static_cast<int>(page.pairs.size()));
    if (is_new) page.pairs.push_back({.a = name_of_shape(contact.shape_a), .b = name_of_shape(contact.shape_b)});
    return found->second;
  }

  std::string name_of_shape(int shape) const {
    const auto index = static_cast<std::size_t>(shape);
    return shape >= 0 && index < shapes_.size() ? shapes_[index] : "unknown shape";
  }

  std::vector<std::string> shapes_;
  const std::vector<double>& times_;
  std::size_t frame_ = 0;
  double last_time_ = std::numeric_limits<double>::lowest();
  std::map<std::pair<int, int>, int> pairs_;
};

// What is not finite comes first: it must be seen.
double calc_rank(const ContactRecord& contact) {
  const double impulse = contact.impulse.norm();
  return std::isfinite(impulse) ? impulse : std::numeric_limits<double>::infinity();
}

// The largest ones by impulse, in the order they were recorded in; of equals the first.
void keep_largest(std::vector<PageContact>& contacts, std::size_t most) {
  if (contacts.size() <= most) return;
  if (most == 0) return contacts.clear();
  std::vector<double> ranks;
  ranks.reserve(contacts.size());
  for (const PageContact& contact : contacts) ranks.push_back(calc_rank(contact.record));
  std::vector<double> sorted = ranks;
  const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
  const double least = *last;
  auto room_for_equals = static_cast<std::ptrdiff_t>(most) -
                         std::count_if(ranks.begin(), ranks.end(), [&](double rank) { return rank > least; });
  std::vector<PageContact> kept;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (ranks[i] > least || (ranks[i] == least && room_for_equals-- > 0)) kept.push_back(contacts[i]);
  }
  contacts = std::move(kept);
}

}  // namespace

PageContacts collect_contacts(const RunReader& run, const std::vector<double>& frame_times, const PageLimits& limits) {
  Collector collector(run, frame_times);
  for (int part = 0; part < run.part_count(); ++part) {
    for (const ContactSample& sample : run.contacts(part)) collector.add(sample);
  }
  PageContacts page = std::move(collector.page);
  std::vector<std::size_t> counts;
  for (const auto& contacts : page.frames) counts.push_back(std::min(contacts.size(), most_at_once));
  const std::size_t most = share_budget(counts, static_cast<std::size_t>(limits.contacts));
  for (auto& contacts : page.frames) {
    page.at_frames += static_cast<std::int64_t>(contacts.size());
    keep_largest(contacts, most);
    page.shown += static_cast<std::int64_t>(contacts.size());
  }
  if (page.recorded == 0) page.frames.clear();
  return page;
}

double find_peak_time(const RunReader& run) {
  double peak = 0, time = -1;
  for (int part = 0; part < run.part_count(); ++part) {
    for (const ContactSample& sample : run.contacts(part)) {
      const double impulse = sample.contact.impulse.squaredNorm();
      if (impulse > peak) peak = impulse, time = sample.t;
    }
  }
  return time;
}

}  // namespace stiction
