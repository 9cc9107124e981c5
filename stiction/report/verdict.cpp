#include "stiction/report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "stiction/base/text.h"
#include "stiction/results/deepest_contact.h"

namespace stiction {
namespace {

using Level = PageCheck::Level;

struct Limits {
  double good = 0, bad = 0;  // of the share [-]
};

struct Peak {
  double value = 0;  // NaN if any sample is not finite
  std::size_t index = 0;
};

Peak find_peak(const std::vector<double>& samples) {
  Peak peak;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double size = std::abs(samples[i]);
    if (!std::isfinite(size)) return {std::numeric_limits<double>::quiet_NaN(), i};
    if (size > peak.value) peak = {size, i};
  }
  return peak;
}

class Judge {
 public:
  Judge(const RunReader& run, const PageData& page) : run_(run), page_(page), times_(run.times()) {
    smallest_ = page.size;
    for (const PageBody& body : page.bodies) {
      if (body.radius > 0) smallest_ = std::min(smallest_, body.radius);
    }
  }

  std::vector<PageCheck> judge() {
    add_status();
    add_finite();
    add_energy();
    using Size = std::function<double(const ContactRecord&)>;
    const Size depth = [](const ContactRecord& c) { return -c.gap; };
    const Size product = [](const ContactRecord& c) { return std::abs(c.gap * c.impulse.dot(c.normal)); };
    const Size tangent = [](const ContactRecord& c) { return (c.impulse - c.normal * c.impulse.dot(c.normal)).norm(); };
    const double impulse = page_.contacts.peak_impulse;
    add_measure("penetration", "m", smallest_, "the smallest body's radius", {1e-3, 1e-2}, depth);
    if (is_compliant() && checks_.back().name == "penetration" && std::isfinite(checks_.back().worst)) {
      checks_.back().level = Level::good;
      checks_.back().reason = fmt::format("{:.2g} of {}: compliant contact is pressed in, by its law",
                                          checks_.back().share, checks_.back().scale);
    }
    add_measure("complementarity", "N m s", smallest_ * impulse, "that radius times the largest contact impulse",
                {1e-2, 1e-1}, product);
    add_measure("cone", "N s", impulse, "the largest contact impulse", {1e-6, 1e-3}, tangent);
    add_unconverged();
    add_iterations();
    add_measure("drift", "m", smallest_, "the smallest body's radius", {1e-6, 1e-3}, {});
    return std::move(checks_);
  }

 private:
  bool is_compliant() const { return page_.parameters.contains("method.type") && method() == "compliant"; }
  bool has_contact_audit() const { return page_.parameters.contains("method.type") && method() != "smooth"; }
  const std::string& method() const { return page_.parameters.at("method.type"); }

  void add_missing(const std::string& name, const std::string& unit) {
    checks_.push_back({.name = name, .unit = unit, .level = Level::doubtful, .reason = "not recorded"});
  }

  // Every number of the run, drawn or not: a report of some that are not finite trusts none.
  void add_finite() {
    PageCheck check{.name = "finite", .unit = ""};
    check.reason = "every recorded number is finite";
    const auto blame = [&](const std::string& what, double time) {
      check.level = Level::bad;
      check.reason = what;
      check.time = time;
      checks_.push_back(check);
    };
    for (const SignalInfo& signal : run_.signals()) {
      const Peak peak = find_peak(run_.read(signal.name));
      if (!std::isfinite(peak.value)) return blame(signal.name + " is not finite", time_of(peak.index));
    }
    if (!page_.contacts.fault.empty()) return blame(page_.contacts.fault, page_.contacts.fault_time);
    for (const StepEvent& event : run_.events()) {
      if (!std::isfinite(event.t)) return blame(fmt::format("the event {} {} has no time", event.kind, event.name), -1);
    }
    checks_.push_back(std::move(check));
  }

  bool has(const std::string& signal) const {
    const auto& signals = run_.signals();
    return std::any_of(signals.begin(), signals.end(), [&](const SignalInfo& info) { return info.name == signal; });
  }

  double time_of(std::size_t index) const { return index < times_.size() ? times_[index] : -1; }

  void add_status() {
    PageCheck check{.name = "status", .unit = ""};
    const RunSummary& summary = page_.summary;
    check.time = summary.time;
    switch (summary.status) {
      case RunStatus::completed:
        check.reason = "the run reached its end";
        break;
      case RunStatus::running:
      case RunStatus::limit:
      case RunStatus::interrupted:
        check.level = Level::doubtful;
        check.reason = "the run has not reached its end: " + page_.status;
        break;
      case RunStatus::diverged:
      case RunStatus::failed:
        check.level = Level::bad;
        check.reason = page_.status + (summary.message.empty() ? "" : ": " + summary.message);
    }
    checks_.push_back(std::move(check));
  }

  // The level of a worst value against its scale.
  void rate(PageCheck& check, double scale, const Limits& limits) const {
    if (!std::isfinite(check.worst)) {
      check.level = Level::bad;
      check.share = check.worst;
      check.reason = "not a finite number";
      return;
    }
    if (!(scale > 0)) {
      // Without a scale only what is tiny in itself passes.
      check.level = check.worst <= 1e-9 ? Level::good : Level::bad;
      check.reason = fmt::format("{:.2g} {} where {} is zero", check.worst, check.unit, check.scale);
      return;
    }
    check.share = check.worst / scale;
    check.level = check.share <= limits.good ? Level::good : check.share <= limits.bad ? Level::doubtful : Level::bad;
    check.reason = fmt::format("{:.2g} of {} (good up to {:g}, bad above {:g})", check.share, check.scale, limits.good,
                               limits.bad);
  }

  void add_energy() {
    if (!has("energy.residual")) return add_missing("energy", "J");
    const Peak peak = find_peak(run_.read("energy.residual"));
    double scale = 0;
    for (const char* part : {"kinetic", "input", "dissipated"}) {
      const std::string name = std::string("energy.") + part;
      if (!has(name)) continue;
      const double value = find_peak(run_.read(name)).value;
      if (std::isfinite(value)) scale = std::max(scale, value);
    }
    // Where nothing moves what does not add up is the rounding of the energy that is there.
    if (has("energy.total")) {
      const double total = find_peak(run_.read("energy.total")).value;
      if (std::isfinite(total)) scale = std::max(scale, 1e-9 * total);
    }
    PageCheck check{.name = "energy", .unit = "J", .worst = peak.value, .scale = "the energy that changed hands"};
    rate(check, scale, {1e-3, 5e-2});
    check.time = time_of(peak.index);
    checks_.push_back(std::move(check));
  }

  // The contact recorded at that time for which `size` is largest.
  std::string find_contact(double time, const std::function<double(const ContactRecord&)>& size) const {
    const auto found = std::lower_bound(page_.times.begin(), page_.times.end(), time);
    const auto frame = static_cast<std::size_t>(found - page_.times.begin());
    if (found == page_.times.end() || *found != time || frame >= page_.contacts.frames.size()) return {};
    const PageContact* worst = nullptr;
    for (const PageContact& contact : page_.contacts.frames[frame]) {
      if (!worst || size(contact.record) > size(worst->record)) worst = &contact;
    }
    if (!worst || !(size(worst->record) > 0)) return {};
    const PagePair& pair = page_.contacts.pairs[static_cast<std::size_t>(worst->pair)];
    return pair.a + "/" + pair.b;
  }

  void add_measure(const std::string& name, const std::string& unit, double scale, const std::string& words,
                   const Limits& limits, const std::function<double(const ContactRecord&)>& size) {
    const auto known = page_.summary.audit.find(name);
    const bool recorded = has("audit." + name);
    if (!recorded && known == page_.summary.audit.end()) {
      // Runs without contact have no measures of it.
      if (has_contact_audit() && size) add_missing(name, unit);
      return;
    }
    PageCheck check{.name = name, .unit = unit, .scale = words};
    if (recorded) {
      const Peak peak = find_peak(run_.read("audit." + name));
      check.worst = peak.value;
      if (peak.value != 0) check.time = time_of(peak.index);
      if (size && check.time >= 0) check.contact = find_contact(check.time, size);
      if (name == "penetration") name_deepest(check);
    }
    // The summary knows of steps after the last sample too.
    if (known != page_.summary.audit.end() && std::isfinite(check.worst) && !(known->second <= check.worst))
      check.worst = known->second;
    rate(check, scale, limits);
    checks_.push_back(std::move(check));
  }

  // Between two samples there may have been a deeper contact than any that was recorded at them.
  void name_deepest(PageCheck& check) const {
    if (const auto deepest = find_deepest_contact(run_)) check.contact = deepest->a + "/" + deepest->b;
  }

  // Told, not judged: how hard the contact problems were.
  void add_iterations() {
    if (!has("audit.iterations")) return;
    const Peak peak = find_peak(run_.read("audit.iterations"));
    PageCheck check{.name = "iterations", .unit = "1", .worst = peak.value};
    check.reason = "of the solver, most between two samples; told, not judged";
    if (!std::isfinite(peak.value)) check.level = Level::bad, check.reason = "not a finite number";
    if (peak.value != 0) check.time = time_of(peak.index);
    checks_.push_back(std::move(check));
  }

  void add_unconverged() {
    if (!has("audit.unconverged") || !has("audit.residual")) return;
    const std::vector<double> missed = run_.read("audit.unconverged");
    const Peak peak = find_peak(run_.read("audit.residual"));
    double count = 0;
    for (const double m : missed) count += std::isfinite(m) ? m : 1;
    PageCheck check{.name = "residual", .unit = "1", .worst = peak.value, .time = time_of(peak.index)};
    check.share = count;
    const auto steps = static_cast<double>(std::max<std::int64_t>(page_.summary.steps, 1));
    check.level = count == 0 ? Level::good : count <= 0.01 * steps ? Level::doubtful : Level::bad;
    if (!std::isfinite(peak.value)) check.level = Level::bad;
    check.reason = count == 0 ? "every contact problem was solved to its tolerance"
                              : fmt::format("{} contact problems were not solved to their tolerance", count);
    if (peak.value == 0) check.time = -1;
    checks_.push_back(std::move(check));
  }

  const RunReader& run_;
  const PageData& page_;
  std::vector<double> times_;
  double smallest_ = 1;
  std::vector<PageCheck> checks_;
};

}  // namespace

std::vector<PageCheck> judge_run(const RunReader& run, const PageData& page) {
  return Judge(run, page).judge();
}

Verdict sum_up(const std::vector<PageCheck>& checks) {
  Verdict verdict;
  for (const PageCheck& check : checks) verdict.level = std::max(verdict.level, check.level);
  if (verdict.level == Level::good) {
    verdict.reason = "every measure of the audit is within its limit";
    return verdict;
  }
  // Each reason once, with all that it holds for, in their order.
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const PageCheck& check : checks) {
    if (check.level != verdict.level) continue;
    const auto same = [&](const auto& reason) { return reason.first == check.reason; };
    auto found = std::find_if(reasons.begin(), reasons.end(), same);
    if (found == reasons.end()) found = reasons.insert(reasons.end(), {check.reason, {}});
    found->second.push_back(check.name);
  }
  for (const auto& [reason, names] : reasons)
    verdict.reason += (verdict.reason.empty() ? "" : "; ") + join_words(names) + ": " + reason;
  return verdict;
}

const char* name_of(PageCheck::Level level) {
  return level == Level::good ? "good" : level == Level::doubtful ? "doubtful" : "bad";
}

}  // namespace stiction
