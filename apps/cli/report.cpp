#include "apps/cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/noise.h"
#include "stiction/base/text.h"
#include "stiction/results/deepest_contact.h"
#include "stiction/results/verdict.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/report_verdict.h"

namespace stiction::cli {
namespace {

/// Of the smallest body's size: a depth below it is rounding.
constexpr double noise_depth = 1e-12;

std::string format_line(std::string_view name, std::string_view text) {
  return fmt::format("  {:<11}{}\n", name, text);
}

Color color_of(RunStatus status) {
  switch (status) {
    case RunStatus::completed:
      return Color::green;
    case RunStatus::running:
    case RunStatus::limit:
    case RunStatus::interrupted:
      return Color::yellow;
    case RunStatus::diverged:
    case RunStatus::failed:
      break;
  }
  return Color::red;
}

std::string format_status(const RunReader& run, const RunSummary& summary) {
  std::string text = paint(status_word(run), color_of(summary.status));
  // The cause of a strict run is a reason of the verdict, and stands there.
  const bool strict = summary.message.starts_with(strict_prefix);
  if (!summary.message.empty())
    text += ": " + (strict ? std::string("not accepted by method.strict") : summary.message);
  return text;
}

std::string format_wall_time(const RunSummary& summary) {
  std::string text = format_duration(summary.wall_seconds);
  if (summary.wall_seconds > 0)
    text += fmt::format(" ({}x real time)", format_digits(summary.time / summary.wall_seconds, 3));
  return text;
}

std::string format_energy(const RunSummary& summary) {
  const double scale = calc_energy_scale(summary);
  const auto format = [&](double energy, int digits) { return format_digits(drop_noise(energy, scale), digits); };
  return fmt::format("{} J at the start, {} J at the end; worst residual {} J", format(summary.energy_first, 6),
                     format(summary.energy_last, 6), format(summary.energy_worst_residual, 2));
}

// Where penetration is judged, the audit names its place.
std::string format_deepest(const RunReader& run, const Verdict& verdict, double smallest_size) {
  const auto judges_depth = [](const Judgement& judged) { return judged.measure == "penetration"; };
  if (std::any_of(verdict.judgements.begin(), verdict.judgements.end(), judges_depth)) return "";
  const auto deepest = find_deepest_contact(run);
  if (!deepest || deepest->penetration <= noise_depth * smallest_size) return "";
  return format_line("deepest", fmt::format("{}/{}, {:.3g} m deep at {:.9g} s", deepest->a, deepest->b,
                                            deepest->penetration, deepest->time));
}

// The first events, and how many more there are.
std::string format_events(const std::vector<StepEvent>& events) {
  constexpr std::size_t shown = 10;
  std::string text = format_line("events", std::to_string(events.size()));
  for (std::size_t i = 0; i < std::min(events.size(), shown); ++i) {
    text += format_line("", fmt::format("{:.9g} s  {}  {}", events[i].t, events[i].kind, events[i].name));
  }
  if (events.size() > shown)
    text += format_line("", fmt::format("and {} more (--json lists all)", events.size() - shown));
  return text;
}

}  // namespace

std::string status_word(const RunReader& run) {
  const RunStatus status = run.summary().status;
  if (status != RunStatus::running) return name_of(status);
  return run.is_being_written() ? "running" : "killed";
}

nlohmann::ordered_json run_as_json(const RunReader& run, const std::filesystem::path& folder) {
  const RunSummary summary = run.summary();
  nlohmann::ordered_json report;
  report["folder"] = folder.string();
  report["version"] = run.program_version();
  report["status"] = status_word(run);
  report["message"] = summary.message;
  const RunDescription description = run.description();
  add_verdict(stiction::judge(summary, description), description, report);
  report["time"] = round_time(summary.time);
  report["steps"] = summary.steps;
  report["evaluations"] = summary.evaluations;
  report["hash"] = summary.hash;
  report["wall_seconds"] = summary.wall_seconds;
  report["audit"] = summary.audit;
  report["warnings"] = description.warnings;
  if (const auto deepest = find_deepest_contact(run)) {
    report["deepest_contact"] = {{"a", deepest->a},
                                 {"b", deepest->b},
                                 {"penetration", deepest->penetration},
                                 {"time", round_time(deepest->time)}};
  }
  report["energy"] = {{"first", summary.energy_first},
                      {"last", summary.energy_last},
                      {"worst_residual", summary.energy_worst_residual}};
  report["events"] = nlohmann::ordered_json::array();
  for (const StepEvent& event : run.events()) {
    report["events"].push_back({{"time", round_time(event.t)}, {"kind", event.kind}, {"name", event.name}});
  }
  report["signals"] = nlohmann::ordered_json::array();
  for (const SignalInfo& signal : run.signals()) {
    report["signals"].push_back({{"name", signal.name}, {"unit", signal.unit}});
  }
  return report;
}

std::string format_report(const RunReader& run, const std::filesystem::path& folder) {
  const RunSummary summary = run.summary();
  const RunDescription description = run.description();
  const Verdict verdict = stiction::judge(summary, description);
  const std::string& title = description.title;
  std::string text = paint(title.empty() ? folder.filename().string() : title, Color::bold) + "\n";
  text += format_verdict(verdict, description);
  text += format_line("status", format_status(run, summary));
  text += format_line("simulated", fmt::format("{:.9g} s in {} steps", summary.time, summary.steps));
  if (summary.status != RunStatus::running) {
    text += format_line("wall time", format_wall_time(summary));
    text += format_line("energy", format_energy(summary));
    text += format_measures(verdict);
    text += format_deepest(run, verdict, description.smallest_size);
  }
  for (const std::string& warning : description.warnings) text += format_line("warning", paint(warning, Color::yellow));
  text += format_line("hash", summary.hash);
  if (const auto events = run.events(); !events.empty()) text += format_events(events);
  text += format_line("signals", std::to_string(run.signals().size()));
  text += format_line("results", folder.string());
  return text;
}

double calc_energy_scale(const RunSummary& summary) {
  const Exchanged& exchanged = summary.measures.exchanged;
  return std::max({std::abs(summary.energy_first), std::abs(summary.energy_last), exchanged.energy, exchanged.total});
}

std::string format_signals(const RunReader& run) {
  std::size_t width = 0;
  for (const SignalInfo& signal : run.signals()) width = std::max(width, signal.name.size());
  std::string text;
  for (const SignalInfo& signal : run.signals()) text += fmt::format("{:<{}}  {}\n", signal.name, width, signal.unit);
  return text;
}

int exit_code_of(RunStatus status) {
  switch (status) {
    case RunStatus::running:
    case RunStatus::completed:
      return exit_ok;
    case RunStatus::limit:
      return exit_limit;
    case RunStatus::interrupted:
      return exit_interrupted;
    case RunStatus::diverged:
    case RunStatus::failed:
      break;
  }
  return exit_diverged;
}

}  // namespace stiction::cli
