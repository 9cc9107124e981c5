#include "apps/cli/run_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/base/fault.h"
#include "stiction/base/noise.h"
#include "stiction/base/text.h"
#include "stiction/plot/line_plot.h"
#include "stiction/results/event_pairing.h"
#include "stiction/results/pair_names.h"
#include "stiction/results/run_model.h"
#include "stiction/results/select_signals.h"

#include "apps/cli/compared_forces.h"
#include "apps/cli/comparison_table.h"
#include "apps/cli/console.h"
#include "apps/cli/first_difference.h"
#include "apps/cli/report.h"
#include "apps/cli/report_verdict.h"

namespace stiction::cli {
namespace {

constexpr std::size_t most_events = 20, most_signals = 6;

/// Paired by kind, element and time: an event that only one run has leaves the others in their places.
std::string format_events(const std::vector<ComparedRun>& runs) {
  std::vector<std::vector<StepEvent>> events;
  for (const ComparedRun& run : runs) events.push_back(run.events);
  double step = 0;
  for (const ComparedRun& run : runs) step = std::max(step, run.step);
  const std::vector<EventRow> rows = pair_events(events, step);
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), most_events); ++i)
    text += format_row(fmt::format("{} {} {}", rows[i].kind, rows[i].name, rows[i].number), runs, rows[i].times);
  if (rows.size() > most_events) text += fmt::format("  and {} more\n", rows.size() - most_events);
  return text;
}

double end_of(const ComparedRun& run) {
  return run.reader->times().empty() ? 0 : run.reader->times().back();
}

/// The largest energy of the runs [J].
double find_largest_energy(const std::vector<ComparedRun>& runs) {
  double scale = 0;
  for (const ComparedRun& run : runs) scale = std::max(scale, calc_energy_scale(run.reader->summary()));
  return scale;
}

}  // namespace

bool ComparedRun::has_signal(const std::string& signal) const {
  const auto& signals = reader->signals();
  return std::any_of(signals.begin(), signals.end(), [&](const SignalInfo& info) { return info.name == signal; });
}

std::string ComparedRun::unit_of(const std::string& signal) const {
  const auto& infos = reader->signals();
  const auto info = std::find_if(infos.begin(), infos.end(), [&](const SignalInfo& i) { return i.name == signal; });
  return info == infos.end() ? "" : info->unit;
}

ComparedRun open_compared(const std::filesystem::path& folder) {
  ComparedRun run;
  run.reader = RunReader::open(folder);
  run.name = folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string();
  const RunDescription description = run.reader->description();
  run.method = description.method;
  if (!description.integrator.empty()) run.method += ", " + description.integrator;
  run.step = description.step;
  run.events = run.reader->events();
  const RunModel model = run.reader->model();
  const PairNames names(model.contact);
  for (StepEvent& event : run.events) event.name = names.arrange(event.name);
  read_forces(model.contact, run);
  return run;
}

std::vector<std::string> choose_compared(const std::vector<ComparedRun>& runs, const std::vector<std::string>& globs) {
  const RunReader& first = *runs.front().reader;
  const std::vector<std::string> wanted = globs.empty() ? std::vector<std::string>{"*.position*"} : globs;
  std::vector<std::string> names;
  std::vector<double> ways;  // how far each goes in any run
  for (const std::size_t i : select_signals(first.signals(), wanted)) {
    const std::string& name = first.signals()[i].name;
    if (!std::all_of(runs.begin(), runs.end(), [&](const ComparedRun& run) { return run.has_signal(name); })) continue;
    double way = 0;
    for (const ComparedRun& run : runs) {
      const std::vector<double> values = run.reader->read(name);
      if (values.empty()) continue;
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      way = std::max(way, *high - *low);
    }
    if (globs.empty() && !(way > 1e-12)) continue;
    names.push_back(name);
    ways.push_back(way);
  }
  if (names.empty() && !globs.empty()) {
    throw InputError("no signal of that name is in all runs", "stiction info RUN --signals lists those of a run");
  }
  // Those that go farthest, in their order.
  while (globs.empty() && names.size() > most_signals) {
    const auto least = std::min_element(ways.rbegin(), ways.rend()).base() - 1 - ways.begin();
    names.erase(names.begin() + least);
    ways.erase(ways.begin() + least);
  }
  return names;
}

std::string format_comparison(const std::vector<ComparedRun>& runs, const std::vector<std::string>& signals) {
  std::string text;
  std::size_t width = 20;
  for (const ComparedRun& run : runs) width = std::max(width, run.name.size());
  for (const ComparedRun& run : runs) {
    const RunSummary summary = run.reader->summary();
    const double scale = calc_energy_scale(summary);
    const auto format = [&](double energy, int digits) { return format_digits(drop_noise(energy, scale), digits); };
    text +=
        fmt::format("{:<{}} {} ({} at {:.9g} s, {} steps, energy {} -> {} J, worst residual {} J)\n", run.name, width,
                    run.method, status_word(*run.reader), end_of(run), summary.steps, format(summary.energy_first, 6),
                    format(summary.energy_last, 6), format(summary.energy_worst_residual, 2));
    text += format_verdict(judge(*run.reader), run.reader->description());
  }
  const double end = find_common_end(runs);
  // Times are sums of steps: the same end may differ in the last place.
  const auto ends_alike = [&](const ComparedRun& run) { return end_of(run) <= end * (1 + 1e-12); };
  const bool alike = std::all_of(runs.begin(), runs.end(), ends_alike);
  if (!alike)
    text +=
        paint(fmt::format("the runs end at different times: signals are compared at {:.9g} s, the end of the shortest",
                          end),
              Color::yellow) +
        "\n";
  text += "\n" + format_first_difference(runs, signals);
  const std::string events = format_events(runs);
  if (!events.empty()) text += "\n" + format_heading("events [s]", runs) + events;
  text += "\n" + format_heading(alike ? "at the end" : fmt::format("at {:.9g} s", end), runs);
  std::vector<std::string> shown = signals;
  for (const char* name : {"energy.total", "energy.friction", "energy.impact"})
    if (std::find(shown.begin(), shown.end(), name) == shown.end()) shown.push_back(name);
  for (const std::string& name : shown) {
    std::vector<std::optional<double>> values;
    double scale = name.starts_with("energy.") ? find_largest_energy(runs) : 0;
    for (const ComparedRun& run : runs) {
      if (run.has_signal(name)) {
        const std::vector<double> samples = run.reader->read(name);
        values.emplace_back(interpolate_signal(run.reader->times(), samples, end));
        scale = std::max(scale, find_largest_size(samples));
      } else {
        values.emplace_back();
      }
    }
    text += format_row(name, runs, values, scale);
  }
  return text + format_forces(runs);
}

std::string draw_comparison(const std::vector<ComparedRun>& runs, const std::vector<std::string>& signals) {
  std::vector<LinePlot> plots;
  const auto label_of = [](const ComparedRun& run) { return fmt::format("{} ({})", run.name, run.method); };
  const auto add = [&](const std::string& label) -> LinePlot& {
    LinePlot plot;
    plot.x_label = "time [s]";
    plot.y_label = label;
    plot.height = 300;
    plots.push_back(std::move(plot));
    return plots.back();
  };
  const auto add_signal = [&](const std::string& name) {
    const std::string unit = runs.front().unit_of(name);
    LinePlot& plot = add(fmt::format("{} [{}]", name, unit == "1" ? "-" : unit));
    for (const ComparedRun& run : runs)
      plot.series.push_back({label_of(run), run.reader->times(), run.reader->read(name)});
  };
  for (const std::string& name : signals) add_signal(name);
  if (std::any_of(runs.begin(), runs.end(), [](const ComparedRun& run) { return !run.forces.empty(); })) {
    LinePlot& normal = add("normal force of all contacts [N]");
    for (const ComparedRun& run : runs) normal.series.push_back({label_of(run), run.force_times, run.total_normal});
    LinePlot& friction = add("friction force of all contacts [N]");
    for (const ComparedRun& run : runs) friction.series.push_back({label_of(run), run.force_times, run.total_friction});
  }
  const auto has_energy = [](const ComparedRun& run) { return run.has_signal("energy.total"); };
  if (plots.empty() && std::all_of(runs.begin(), runs.end(), has_energy)) add_signal("energy.total");
  if (plots.empty()) throw InputError("there is nothing to plot", "give signals that all runs have: --signals");
  return draw_line_plots(plots);
}

}  // namespace stiction::cli
