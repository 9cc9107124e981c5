#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/plot/line_plot.h"
#include "stiction/results/select_signals.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/report.h"

namespace stiction::cli {
namespace {

struct PlotOptions {
  std::vector<std::string> words;
  std::vector<std::filesystem::path> outs;
  std::string against;  // signal of the x axis; empty: time
  std::string log;      // x, y or xy
  std::string events;   // glob of kinds; empty: none
  bool split = false;
};

struct OpenRun {
  std::string name;  // as the legend shows it
  std::unique_ptr<RunReader> reader;
};

// One curve to draw.
struct Choice {
  const OpenRun* run = nullptr;
  SignalInfo signal;
};

bool is_run(const std::string& word) {
  return std::filesystem::exists(std::filesystem::path(word) / "run.sqlite");
}

// Runs by the last part of their folder; by the whole path where two of those are the same.
std::vector<OpenRun> open_runs(const std::vector<std::string>& folders) {
  const auto short_name = [](const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
  };
  std::vector<OpenRun> runs;
  for (const std::string& folder : folders) {
    const bool unique = std::count_if(folders.begin(), folders.end(), [&](const std::string& other) {
                          return short_name(other) == short_name(folder);
                        }) == 1;
    runs.push_back({unique ? short_name(folder) : folder, RunReader::open(folder)});
  }
  return runs;
}

// A word with a slash that is neither a run nor a signal was meant as a run; one that begins as a contact signal was
// not.
void check_folders(const std::vector<OpenRun>& runs, const std::vector<std::string>& globs) {
  const std::vector<SignalInfo>& signals = runs.front().reader->signals();
  for (const std::string& glob : globs) {
    const auto matches = [&](const SignalInfo& signal) { return matches_glob(signal.name, glob); };
    if (glob.starts_with("contact.")) continue;
    if (glob.find('/') != std::string::npos && std::none_of(signals.begin(), signals.end(), matches)) {
      throw InputError(fmt::format("{} is neither a run folder nor a signal", glob));
    }
  }
}

std::vector<Choice> choose_signals(const std::vector<OpenRun>& runs, const std::vector<std::string>& globs) {
  std::vector<Choice> choices;
  for (const OpenRun& run : runs) {
    const std::vector<SignalInfo>& signals = run.reader->signals();
    try {
      for (const std::size_t i : select_signals(signals, globs)) choices.push_back({&run, signals[i]});
    } catch (const InputError& error) {
      std::vector<Fault> faults = error.faults();
      for (Fault& fault : faults) fault.message = fmt::format("run {}: {}", run.name, fault.message);
      throw InputError(std::move(faults));
    }
  }
  return choices;
}

// One panel for each unit, or for each signal, in the order in which they were named.
std::vector<std::vector<Choice>> make_panels(const std::vector<Choice>& choices, bool split) {
  std::vector<std::vector<Choice>> panels;
  for (const Choice& choice : choices) {
    const auto fits = [&](const std::vector<Choice>& panel) {
      return split ? panel.front().signal.name == choice.signal.name : panel.front().signal.unit == choice.signal.unit;
    };
    const auto found = std::find_if(panels.begin(), panels.end(), fits);
    if (found != panels.end()) {
      found->push_back(choice);
    } else {
      panels.push_back({choice});
    }
  }
  return panels;
}

std::vector<std::string> split_name(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// What all names have in common, at the front and at the end: a.position.x and b.position.x share position.x.
std::string find_common_name(const std::vector<Choice>& choices) {
  std::vector<std::string> common = split_name(choices.front().signal.name);
  std::size_t front = common.size(), back = common.size();
  for (const Choice& choice : choices) {
    const std::vector<std::string> parts = split_name(choice.signal.name);
    const auto same_front = std::mismatch(common.begin(), common.end(), parts.begin(), parts.end()).first;
    const auto same_back = std::mismatch(common.rbegin(), common.rend(), parts.rbegin(), parts.rend()).first;
    front = std::min(front, static_cast<std::size_t>(same_front - common.begin()));
    back = std::min(back, static_cast<std::size_t>(same_back - common.rbegin()));
  }
  if (front == common.size()) return choices.front().signal.name;
  common.erase(common.begin() + static_cast<std::ptrdiff_t>(front), common.end() - static_cast<std::ptrdiff_t>(back));
  return fmt::format("{}", fmt::join(common, "."));
}

std::string label_with_unit(const std::string& name, const std::string& unit) {
  return fmt::format("{}{}[{}]", name, name.empty() ? "" : " ", unit == "1" ? "-" : unit);
}

// Events of all runs, each time and kind once.
std::vector<PlotMark> collect_marks(const std::vector<OpenRun>& runs, const std::string& kinds) {
  std::vector<PlotMark> marks;
  if (kinds.empty()) return marks;
  for (const OpenRun& run : runs) {
    for (const StepEvent& event : run.reader->events()) {
      const bool is_new = marks.empty() || marks.back().x != event.t || !marks.back().label.starts_with(event.kind);
      if (matches_glob(event.kind, kinds) && is_new) marks.push_back({event.t, event.kind + " " + event.name});
    }
  }
  std::stable_sort(marks.begin(), marks.end(), [](const PlotMark& a, const PlotMark& b) { return a.x < b.x; });
  return marks;
}

SignalInfo find_signal(const OpenRun& run, const std::string& name) {
  const std::vector<SignalInfo>& signals = run.reader->signals();
  if (const auto found = stiction::find_signal(signals, name)) return signals[*found];
  throw make_unknown_signal_error(name, signals);
}

LinePlot make_plot(const std::vector<OpenRun>& runs, const std::vector<Choice>& choices, const PlotOptions& options) {
  LinePlot plot;
  plot.y_label = label_with_unit(find_common_name(choices), choices.front().signal.unit);
  plot.x_label = "time [s]";
  if (!options.against.empty())
    plot.x_label = label_with_unit(options.against, find_signal(runs.front(), options.against).unit);
  plot.log_x = options.log.find('x') != std::string::npos;
  plot.log_y = options.log.find('y') != std::string::npos;
  const bool one_signal = std::all_of(choices.begin(), choices.end(), [&](const Choice& choice) {
    return choice.signal.name == choices.front().signal.name;
  });
  for (const Choice& choice : choices) {
    const std::string label = runs.size() == 1 ? choice.signal.name
                              : one_signal     ? choice.run->name
                                               : choice.run->name + ": " + choice.signal.name;
    const RunReader& reader = *choice.run->reader;
    std::vector<double> x = options.against.empty() ? reader.times() : reader.read(options.against);
    plot.series.push_back({.label = label, .x = std::move(x), .y = reader.read(choice.signal.name)});
  }
  return plot;
}

void check_outs(const PlotOptions& options) {
  for (const std::filesystem::path& out : options.outs) {
    const std::string ending = out.extension().string();
    // A folder is answered when it is written to.
    if (ending == ".svg" || ending == ".png" || std::filesystem::is_directory(out)) continue;
    throw InputError(fmt::format("--out: a plot must be named .svg or .png, got {}", out.string()));
  }
  if (!options.against.empty() && !options.events.empty()) {
    throw InputError("--events and --against cannot be combined: events are marked on a time axis",
                     "remove one of them");
  }
}

std::vector<LinePlot> make_plots(const std::vector<OpenRun>& runs, const std::vector<Choice>& choices,
                                 const PlotOptions& options) {
  const std::vector<PlotMark> marks = collect_marks(runs, options.events);
  std::vector<LinePlot> plots;
  for (const std::vector<Choice>& panel : make_panels(choices, options.split)) {
    plots.push_back(make_plot(runs, panel, options));
    plots.back().marks = marks;
  }
  // Panels over time show the same time.
  if (options.against.empty() && plots.size() > 1) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const OpenRun& run : runs) {
      const std::vector<double> times = run.reader->times();
      if (!times.empty()) low = std::min(low, times.front()), high = std::max(high, times.back());
    }
    for (LinePlot& plot : plots) {
      if (low < high) plot.x_range = {low, high};
    }
  }
  if (runs.size() == 1) plots.front().title = runs.front().reader->description().title;
  if (plots.size() > 1) {
    for (LinePlot& plot : plots) plot.height = 300;
  }
  return plots;
}

// How many points have no place on a logarithmic axis, because they are not > 0.
std::string describe_left_out_points(const std::vector<LinePlot>& plots) {
  std::size_t all = 0, left_out = 0;
  for (const LinePlot& plot : plots) {
    for (const Series& series : plot.series) {
      for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
        ++all;
        left_out += (plot.log_x && series.x[i] <= 0) || (plot.log_y && series.y[i] <= 0);
      }
    }
  }
  if (left_out == 0) return {};
  return fmt::format("{} of {} points are not drawn: a logarithmic axis has no place for values <= 0\n", left_out, all);
}

// Where no event is of the kinds that are to be marked: those there are.
std::string describe_missing_events(const std::vector<OpenRun>& runs, const PlotOptions& options) {
  std::vector<std::string> kinds;
  for (const OpenRun& run : runs) {
    for (const StepEvent& event : run.reader->events()) {
      if (matches_glob(event.kind, options.events)) return {};
      if (std::find(kinds.begin(), kinds.end(), event.kind) == kinds.end()) kinds.push_back(event.kind);
    }
  }
  return fmt::format("no event is marked: {}\n", kinds.empty() ? "none was recorded"
                                                               : fmt::format("none is of kind {}, there are {}",
                                                                             quote(options.events), join_words(kinds)));
}

int plot_runs(const PlotOptions& options) {
  check_outs(options);
  std::vector<std::string> folders, globs;
  for (const std::string& word : options.words) (is_run(word) ? folders : globs).push_back(word);
  if (folders.empty()) {
    throw InputError(fmt::format("none of {} is a run folder", join_words(options.words, " or ")),
                     "stiction plot RUN... SIGNAL... -o x.svg; stiction run makes a run folder");
  }
  if (globs.empty()) {
    throw InputError("no signal is given", fmt::format("stiction info {} --signals lists them", folders.front()));
  }
  const std::vector<OpenRun> runs = open_runs(folders);
  check_folders(runs, globs);
  const std::vector<Choice> choices = choose_signals(runs, globs);
  const std::vector<LinePlot> plots = make_plots(runs, choices, options);
  for (const std::filesystem::path& out : options.outs) {
    write_file(out, out.extension() == ".png" ? draw_line_plots_png(plots) : draw_line_plots(plots));
    const std::string panels = plots.size() == 1 ? "" : fmt::format(" in {} panels", plots.size());
    print(
        fmt::format("wrote {} ({} curve{}{})\n", out.string(), choices.size(), choices.size() == 1 ? "" : "s", panels));
  }
  print_error(describe_left_out_points(plots));
  if (!options.events.empty()) print_error(describe_missing_events(runs, options));
  return exit_ok;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = app.add_subcommand("plot", "Plot signals of one or several runs over time or against each other");
  command
      ->add_option("RUN... SIGNAL", options->words,
                   "Run folders, then signals; * matches any characters, ? one character")
      ->required()
      ->type_name(" ");
  command->add_option("-o,--out", options->outs, "SVG or PNG file; may be repeated")
      ->required()
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--against", options->against, "Signal for the x axis instead of time")->type_name("SIGNAL");
  command->add_option("--log", options->log, "Logarithmic axes: x, y or xy")
      ->check(CLI::IsMember({"x", "y", "xy"}))
      ->type_name("AXES");
  command->add_option("--events", options->events, "Mark events of this kind; '*' for all")->type_name("KIND");
  command->add_flag("--split", options->split, "One panel per signal (default: one per unit)");
  command->footer(
      "Example: stiction plot runs/pendulum a.position.x b.position.x -o x.svg -o x.png\n"
      "         stiction plot runs/pendulum hinge.velocity --against hinge.position -o phase.svg");
  command->callback([options, &action] { action = [options] { return plot_runs(*options); }; });
}

}  // namespace stiction::cli
