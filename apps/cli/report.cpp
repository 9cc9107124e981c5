#include "apps/cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/results/audit.h"
#include "stiction/results/deepest_contact.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/notices.h"
#include "stiction/scene/read/read_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

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
  if (!summary.message.empty()) text += ": " + summary.message;
  return text;
}

std::string format_wall_time(const RunSummary& summary) {
  std::string text = format_duration(summary.wall_seconds);
  if (summary.wall_seconds > 0) text += fmt::format(" ({:.3g}x real time)", summary.time / summary.wall_seconds);
  return text;
}

std::string format_audit(const RunSummary& summary) {
  std::vector<std::string> words;
  for (const auto& entry : summary.audit) {
    const auto same = [&](const AuditField& field) { return entry.first == field.name && field.is_index; };
    if (std::none_of(std::begin(audit_fields), std::end(audit_fields), same))
      words.push_back(fmt::format("{} {:.3g}", entry.first, entry.second));
  }
  return join_words(words, ", ");
}

std::string format_deepest(const DeepestContact& contact) {
  return fmt::format("{}/{}, {:.3g} m deep at {} s", contact.a, contact.b, contact.penetration,
                     format_number(contact.time));
}

// Contact problems that were not solved, if any.
std::string format_unconverged(const RunSummary& summary) {
  const auto found = summary.audit.find("unconverged");
  if (found == summary.audit.end() || found->second == 0) return {};
  return "some contact problems were not solved to method.solver_tolerance or method.nonlinear_tolerance: see "
         "audit.unconverged, audit.residual and audit.nonlinear_change (--strict stops at the first)";
}

double find_largest(const RunReader& run, const std::string& signal) {
  double largest = 0;
  for (const double value : run.read(signal)) largest = std::max(largest, std::abs(value));
  return largest;
}

// An energy residual that is no longer small beside the energy that changed hands, if it is.
std::string format_open_ledger(const RunReader& run, const RunSummary& summary) {
  constexpr double allowed = 0.1;
  const auto has = [&](const std::string& name) {
    return std::any_of(run.signals().begin(), run.signals().end(), [&](const SignalInfo& s) { return s.name == name; });
  };
  double exchanged = 0;
  for (const char* signal : {"energy.kinetic", "energy.input", "energy.dissipated"}) {
    if (!has(signal)) return {};
    exchanged = std::max(exchanged, find_largest(run, signal));
  }
  // Where nothing moves there is nothing but the rounding of the total.
  exchanged = std::max(exchanged, 1e-9 * std::abs(summary.energy_first));
  const double residual = summary.energy_worst_residual;
  if (std::isfinite(residual) && residual <= allowed * exchanged) return {};
  return fmt::format(
      "{:.2g} J of energy do not add up, where {:.2g} J changed hands: do not trust this motion; take shorter steps "
      "(`stiction check` says what damping asks for) or an adaptive integrator",
      residual, exchanged);
}

// What the scene is warned of, and what went wrong.
std::vector<std::string> list_warnings(const RunReader& run, const RunSummary& summary) {
  std::vector<std::string> warnings;
  try {
    const Scene scene = read_scene(run.scene());
    warnings = list_warnings(scene, compile(scene));
  } catch (const InputError&) {
    // A scene that this version no longer understands.
  }
  if (summary.status == RunStatus::running) return warnings;
  for (const std::string& warning : {format_unconverged(summary), format_open_ledger(run, summary)})
    if (!warning.empty()) warnings.push_back(warning);
  return warnings;
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

nlohmann::ordered_json make_report(const RunReader& run, const std::filesystem::path& folder) {
  const RunSummary summary = run.summary();
  nlohmann::ordered_json report;
  report["folder"] = folder.string();
  report["version"] = run.program_version();
  report["status"] = status_word(run);
  report["message"] = summary.message;
  report["time"] = summary.time;
  report["steps"] = summary.steps;
  report["evaluations"] = summary.evaluations;
  report["hash"] = summary.hash;
  report["wall_seconds"] = summary.wall_seconds;
  report["audit"] = summary.audit;
  report["warnings"] = list_warnings(run, summary);
  if (const auto deepest = find_deepest_contact(run)) {
    report["deepest_contact"] = {
        {"a", deepest->a}, {"b", deepest->b}, {"penetration", deepest->penetration}, {"time", deepest->time}};
  }
  report["energy"] = {{"first", summary.energy_first},
                      {"last", summary.energy_last},
                      {"worst_residual", summary.energy_worst_residual}};
  report["events"] = nlohmann::ordered_json::array();
  for (const StepEvent& event : run.events()) {
    report["events"].push_back({{"time", event.t}, {"kind", event.kind}, {"name", event.name}});
  }
  report["signals"] = nlohmann::ordered_json::array();
  for (const SignalInfo& signal : run.signals()) {
    report["signals"].push_back({{"name", signal.name}, {"unit", signal.unit}});
  }
  return report;
}

std::string format_report(const RunReader& run, const std::filesystem::path& folder) {
  const RunSummary summary = run.summary();
  const std::string title = read_title(run);
  std::string text = paint(title.empty() ? folder.filename().string() : title, Color::bold) + "\n";
  text += format_line("status", format_status(run, summary));
  text += format_line("simulated", fmt::format("{:.9g} s in {} steps", summary.time, summary.steps));
  if (summary.status != RunStatus::running) {
    text += format_line("wall time", format_wall_time(summary));
    text +=
        format_line("energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end; worst residual {:.2g} J",
                                          summary.energy_first, summary.energy_last, summary.energy_worst_residual));
    if (!summary.audit.empty()) text += format_line("audit", format_audit(summary));
    if (const auto deepest = find_deepest_contact(run)) text += format_line("deepest", format_deepest(*deepest));
  }
  for (const std::string& warning : list_warnings(run, summary))
    text += format_line("warning", paint(warning, Color::yellow));
  text += format_line("hash", summary.hash);
  if (const auto events = run.events(); !events.empty()) text += format_events(events);
  text += format_line("signals", std::to_string(run.signals().size()));
  text += format_line("results", folder.string());
  return text;
}

std::string format_signals(const RunReader& run) {
  std::size_t width = 0;
  for (const SignalInfo& signal : run.signals()) width = std::max(width, signal.name.size());
  std::string text;
  for (const SignalInfo& signal : run.signals()) text += fmt::format("{:<{}}  {}\n", signal.name, width, signal.unit);
  return text;
}

std::string read_title(const RunReader& run) {
  try {
    return read_scene(run.scene()).title;
  } catch (const InputError&) {
    return {};
  }
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
