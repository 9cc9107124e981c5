#include "stiction/results/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/stepping/ode/integrators.h"

namespace stiction {
namespace {

/// Energy by which the rounding of a total is told from an error, as a part of that total.
constexpr double rounding_part = 1e-9;
/// Where nothing moves: lifting all bodies by a millionth of the smallest one's size is no motion.
constexpr double rest_part = 1e-6;
/// Passes where there is no scale [SI].
constexpr double tiny = 1e-9;

bool is_in_scope(MeasureScope scope, const RunDescription& run) {
  switch (scope) {
    case MeasureScope::every_run:
      return true;
    case MeasureScope::contact:
      return run.rigid_contact || run.compliant_contact;
    case MeasureScope::rigid_contact:
      return run.rigid_contact;
    case MeasureScope::compliant_contact:
      return run.compliant_contact;
    case MeasureScope::limits:
      return run.limits;
    case MeasureScope::constraints:
      return run.constraints;
  }
  return true;
}

double calc_scale(const MeasureInfo& info, double own, const Exchanged& exchanged, const RunDescription& run,
                  bool at_a_step) {
  const double size = run.smallest_size > 0 ? run.smallest_size : 1;
  switch (info.scale) {
    case MeasureScale::one:
      return 1;
    case MeasureScale::steps:
      return std::max(exchanged.steps, 1.0);
    case MeasureScale::smallest_body:
      return size;
    case MeasureScale::thinnest_body:
      return run.thickness > 0 ? run.thickness : size;
    case MeasureScale::thinner_of_pair:
      return own > 0 ? own : size;
    case MeasureScale::largest_impulse:
      return exchanged.impulse;
    case MeasureScale::body_impulse:
      return size * exchanged.impulse;
    case MeasureScale::joint:
      return own > 0 ? own : 1;
    case MeasureScale::energy:
      break;
  }
  const double rest = (at_a_step ? 1 : rest_part) * run.weight_energy;
  return std::max({exchanged.energy, rounding_part * exchanged.total, rest});
}

Trust judge_value(const MeasureInfo& info, double value, double scale) {
  if (!std::isfinite(value)) return Trust::do_not_trust;
  if (!(scale > 0)) return value <= tiny ? Trust::trustworthy : Trust::do_not_trust;
  if (value <= info.look_closer * scale) return Trust::trustworthy;
  return value <= info.do_not_trust * scale ? Trust::look_closer : Trust::do_not_trust;
}

std::string describe_scale(const MeasureInfo& info, double scale, const RunDescription& run) {
  const std::string size = run.smallest_size > 0 ? fmt::format("the size of the smallest body ({}, {} m)",
                                                               run.smallest_shape, format_digits(scale, 3))
                                                 : std::string("1 m, as nothing has a size");
  switch (info.scale) {
    case MeasureScale::one:
      return "1";
    case MeasureScale::steps:
      return fmt::format("{:.0f} steps", scale);
    case MeasureScale::smallest_body:
      return size;
    case MeasureScale::thinnest_body:
      return run.thickness > 0 ? fmt::format("the thickness of the thinnest body ({}, {} m)", run.thinnest_shape,
                                             format_digits(scale, 3))
                               : size;
    case MeasureScale::thinner_of_pair:
      return fmt::format("the thickness of the thinner shape ({} m)", format_digits(scale, 3));
    case MeasureScale::largest_impulse:
      return fmt::format("the largest contact impulse ({} N s)", format_digits(scale, 3));
    case MeasureScale::body_impulse:
      return fmt::format("the smallest body's size times the largest contact impulse ({} N m s)",
                         format_digits(scale, 3));
    case MeasureScale::joint:
      return scale == 1 ? std::string("1 rad") : size;
    case MeasureScale::energy:
      break;
  }
  return fmt::format("the energy exchanged ({} J)", format_digits(scale, 3));
}

std::string describe_value(const MeasureInfo& info, const Judgement& judged, double scale, const RunDescription& run) {
  if (!std::isfinite(judged.value)) return "not a finite number";
  const std::string value = format_judged_value(judged);
  if (info.look_closer == 0)
    return value + (info.scale == MeasureScale::steps ? " in " + describe_scale(info, scale, run) : "");
  const std::string limits = std::isfinite(info.do_not_trust)
                                 ? fmt::format("look closer beyond {}, do not trust beyond {}",
                                               format_number(info.look_closer), format_number(info.do_not_trust))
                                 : fmt::format("look closer beyond {}", format_number(info.look_closer));
  if (!(scale > 0)) return fmt::format("{} where nothing moves", value);
  if (info.scale == MeasureScale::one) return fmt::format("{} ({})", value, limits);
  const double share = is_noise(judged) ? 0 : judged.value / scale;
  return fmt::format("{}, {} of {} ({})", value, format_digits(share, 2), describe_scale(info, scale, run), limits);
}

bool has_fixed_steps(const RunDescription& run) {
  const IntegratorInfo* integrator = find_integrator(run.integrator);
  return !integrator || !integrator->adaptive;
}

Judgement judge_status(const RunSummary& summary) {
  Judgement judged{.measure = "status", .time = summary.time, .text = "the run reached its end"};
  switch (summary.status) {
    case RunStatus::completed:
      break;
    case RunStatus::running:
    case RunStatus::limit:
    case RunStatus::interrupted:
      judged.trust = Trust::look_closer;
      judged.text = "the run has not reached its end";
      judged.remedy = "Continue it with `stiction resume`";
      break;
    case RunStatus::diverged:
    case RunStatus::failed:
      if (summary.message.starts_with(strict_prefix)) {
        judged.trust = Trust::look_closer;
        judged.text = "method.strict does not accept the run";
        judged.remedy = "Fix the cause listed here, or run without --strict";
        break;
      }
      judged.trust = Trust::do_not_trust;
      judged.text = name_of(summary.status) + (summary.message.empty() ? "" : ": " + summary.message);
      judged.remedy = "The run stopped before its end: do what the message says, and run it again";
  }
  return judged;
}

}  // namespace

const char* word_of(Trust trust) {
  return trust_names[static_cast<std::size_t>(trust)].word;
}

const char* words_of(Trust trust) {
  return trust_names[static_cast<std::size_t>(trust)].words;
}

std::vector<Judgement> Verdict::reasons() const {
  std::vector<Judgement> list;
  for (const Judgement& judgement : judgements)
    if (judgement.trust != Trust::trustworthy) list.push_back(judgement);
  std::stable_sort(list.begin(), list.end(), [](const Judgement& a, const Judgement& b) { return a.trust > b.trust; });
  return list;
}

void Verdict::add(Judgement judgement) {
  trust = std::max(trust, judgement.trust);
  judgements.push_back(std::move(judgement));
}

std::string find_remedy(TrustMeasure measure, const RunDescription& description) {
  const std::string& method = description.method;
  const bool fixed = has_fixed_steps(description);
  if (!fixed && (measure == TrustMeasure::energy || measure == TrustMeasure::energy_rise))
    return "Take a smaller method.relative_tolerance and method.absolute_tolerance";
  const std::string remedy = info_of(measure).remedy;
  if (measure != TrustMeasure::energy) return remedy;
  if (!description.integrator.empty()) return remedy + "; or take an adaptive method.integrator";
  const std::string damps = remedy + "; this method damps in proportion to the step";
  if (method == "stewart_trinkle" || method == "anitescu_potra" || method == "berard")
    return damps + ", method.type = \"cone\" less";
  if (method == "geometric_implicit") return damps + ", method.type = \"cone\" (for scenes without layers) less";
  return remedy;
}

Judgement judge_measure(TrustMeasure measure, const MeasuredWorst& worst, const Exchanged& exchanged,
                        const RunDescription& description, bool at_a_step) {
  const MeasureInfo& info = info_of(measure);
  const double scale = calc_scale(info, worst.scale, exchanged, description, at_a_step);
  Judgement judged{.measure = info.name, .value = worst.value, .time = worst.time, .place = worst.place};
  judged.unit = worst.unit.empty() ? info.unit : worst.unit;
  judged.limit = info.look_closer * scale;
  judged.trust = judge_value(info, worst.value, scale);
  judged.text = describe_value(info, judged, scale, description);
  if (judged.trust != Trust::trustworthy) judged.remedy = find_remedy(measure, description);
  return judged;
}

Verdict judge(const RunSummary& summary, const RunDescription& description) {
  Verdict verdict;
  verdict.add(judge_status(summary));
  if (!description.unmodelled.empty()) {
    verdict.add({.measure = "scene",
                 .trust = Trust::look_closer,
                 .text = description.unmodelled,
                 .remedy = "Take a method that models it, or remove it from the scene"});
  }
  for (const MeasureInfo& info : trust_measures) {
    if (!is_in_scope(info.scope, description)) continue;
    const auto found = summary.measures.worst.find(info.name);
    if (found == summary.measures.worst.end()) {
      verdict.add({.measure = info.name,
                   .trust = Trust::look_closer,
                   .text = "was not measured",
                   .remedy = "Run the scene again with this program"});
    } else {
      verdict.add(judge_measure(info.measure, found->second, summary.measures.exchanged, description));
    }
  }
  return verdict;
}

std::optional<TrustMeasure> find_cause(const Extremes& extremes, const RunDescription& description) {
  for (const MeasureInfo& info : trust_measures) {
    if (!info.at_a_step || !is_in_scope(info.scope, description)) continue;
    const Extreme& worst = extremes.of(info.measure);
    const double scale = calc_scale(info, worst.scale, extremes.exchanged(), description, true);
    if (judge_value(info, worst.value, scale) != Trust::trustworthy) return info.measure;
  }
  return std::nullopt;
}

std::string format_judgement(const Judgement& judgement) {
  std::string text = judgement.measure;
  if (judgement.time >= 0 && judgement.measure != "status") text += fmt::format(" at {:.6g} s", judgement.time);
  if (!judgement.place.empty()) text += ", " + judgement.place;
  return text + ": " + judgement.text;
}

}  // namespace stiction
