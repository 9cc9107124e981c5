#include "apps/cli/report_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/noise.h"
#include "stiction/base/text.h"
#include "stiction/results/audit.h"
#include "stiction/results/wrap_lines.h"

namespace stiction::cli {
namespace {

using Json = nlohmann::ordered_json;

// Below the name of a line of the report.
constexpr std::size_t indent = 13;

std::string format_when(const Judgement& judged) {
  if (!is_measured(judged) || judged.time < 0 || is_noise(judged)) return "";
  return fmt::format("at {:.6g} s{}{}", judged.time, judged.place.empty() ? "" : ", ", judged.place);
}

Json encode(const Judgement& judged) {
  Json json = {{"measure", judged.measure}, {"trust", word_of(judged.trust)},
               {"value", judged.value},     {"unit", judged.unit},
               {"limit", judged.limit},     {"time", nullptr},
               {"place", judged.place},     {"text", judged.text},
               {"remedy", judged.remedy}};
  if (judged.time >= 0) json["time"] = round_time(judged.time);
  return json;
}

}  // namespace

Color color_of(Trust trust) {
  return trust == Trust::trustworthy ? Color::green : trust == Trust::look_closer ? Color::yellow : Color::red;
}

Verdict judge(const RunReader& run) {
  return stiction::judge(run.summary(), run.description());
}

std::string format_verdict(const Verdict& verdict, const RunDescription& description) {
  std::string text =
      fmt::format("  {:<{}}{}\n", "verdict", indent - 2, paint(words_of(verdict.trust), color_of(verdict.trust)));
  for (const Judgement& reason : verdict.reasons()) {
    text += wrap_lines(format_judgement(reason), indent);
    text += wrap_lines(reason.remedy, indent + 5, std::string(indent + 2, ' ') + "-> ");
  }
  if (!description.because.empty())
    text += wrap_lines(fmt::format("expected by the scene: {}, because {}", description.expected, description.because),
                       indent);
  return text;
}

std::string format_measures(const Verdict& verdict) {
  std::string text;
  for (const Judgement& judged : verdict.judgements) {
    if (!is_measured(judged)) continue;
    const std::string word = judged.trust == Trust::trustworthy ? "ok" : words_of(judged.trust);
    const std::string when = format_when(judged);
    // Padded before it is painted: colours have no width.
    text += fmt::format("  {:<{}}{:<16}  {:<20}{}{}\n", text.empty() ? "audit" : "", indent - 2, judged.measure,
                        format_judged_value(judged),
                        paint(when.empty() ? word : fmt::format("{:<13}", word), color_of(judged.trust)), when);
  }
  return text;
}

std::string format_audit(const RunSummary& summary) {
  std::string text;
  for (const AuditField& field : audit_fields) {
    const auto found = summary.audit.find(field.name);
    if (found == summary.audit.end() || field.is_index) continue;
    text += fmt::format("  {:<22}{}{}{}\n", field.name, format_digits(found->second, 6),
                        std::string_view(field.unit) == "1" ? "" : " ",
                        std::string_view(field.unit) == "1" ? "" : field.unit);
  }
  return text;
}

void add_verdict(const Verdict& verdict, const RunDescription& description, nlohmann::ordered_json& report) {
  report["verdict"] = word_of(verdict.trust);
  report["reasons"] = Json::array();
  for (const Judgement& reason : verdict.reasons()) report["reasons"].push_back(encode(reason));
  if (!description.because.empty())
    report["expected"] = {{"verdict", description.expected}, {"because", description.because}};
  report["measures"] = Json::array();
  for (const Judgement& judged : verdict.judgements) report["measures"].push_back(encode(judged));
}

}  // namespace stiction::cli
