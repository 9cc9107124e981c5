#include <fmt/format.h>

#include <algorithm>
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

struct Options {
  std::vector<std::string> words;
  std::filesystem::path out;
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

// A word with a slash that is neither a run nor a signal was meant as a run.
void check_folders(const std::vector<OpenRun>& runs, const std::vector<std::string>& globs) {
  const std::vector<SignalInfo>& signals = runs.front().reader->signals();
  for (const std::string& glob : globs) {
    const auto matches = [&](const SignalInfo& signal) { return matches_glob(signal.name, glob); };
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

void check_units(const std::vector<Choice>& choices) {
  const SignalInfo& first = choices.front().signal;
  for (const Choice& choice : choices) {
    if (choice.signal.unit == first.unit) continue;
    throw InputError(fmt::format("{} is in {} and {} is in {}: they do not share an axis", first.name, first.unit,
                                 choice.signal.name, choice.signal.unit),
                     "make one plot for each unit");
  }
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

LinePlot make_plot(const std::vector<OpenRun>& runs, const std::vector<Choice>& choices) {
  LinePlot plot;
  if (runs.size() == 1) plot.title = read_title(*runs.front().reader);
  const std::string unit = choices.front().signal.unit == "1" ? "-" : choices.front().signal.unit;
  const std::string common = find_common_name(choices);
  plot.x_label = "time [s]";
  plot.y_label = fmt::format("{}{}[{}]", common, common.empty() ? "" : " ", unit);
  const bool one_signal = std::all_of(choices.begin(), choices.end(), [&](const Choice& choice) {
    return choice.signal.name == choices.front().signal.name;
  });
  for (const Choice& choice : choices) {
    const std::string label = runs.size() == 1 ? choice.signal.name
                              : one_signal     ? choice.run->name
                                               : choice.run->name + ": " + choice.signal.name;
    const RunReader& reader = *choice.run->reader;
    plot.series.push_back({.label = label, .x = reader.times(), .y = reader.read(choice.signal.name)});
  }
  return plot;
}

int plot_runs(const Options& options) {
  std::vector<std::string> folders, globs;
  for (const std::string& word : options.words) (is_run(word) ? folders : globs).push_back(word);
  if (folders.empty()) {
    throw InputError(fmt::format("none of {} is a run folder", join_words(options.words, " or ")),
                     "stiction plot RUN... SIGNAL... -o x.svg; stiction run makes a run folder");
  }
  if (globs.empty()) {
    throw InputError("no signal is named", fmt::format("stiction info {} --signals lists them", folders.front()));
  }
  const std::vector<OpenRun> runs = open_runs(folders);
  check_folders(runs, globs);
  const std::vector<Choice> choices = choose_signals(runs, globs);
  check_units(choices);
  write_file(options.out, draw_line_plot(make_plot(runs, choices)));
  print(fmt::format("wrote {} ({} curve{})\n", options.out.string(), choices.size(), choices.size() == 1 ? "" : "s"));
  return exit_ok;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("plot", "Draw signals of one or several runs over time");
  command->add_option("RUN... SIGNAL", options->words, "Run folders, then signals (* and ? stand for any characters)")
      ->required()
      ->type_name(" ");
  command->add_option("-o,--out", options->out, "SVG file")->required()->type_name("FILE");
  command->footer("Example: stiction plot runs/pendulum a.position.x b.position.x -o x.svg");
  command->callback([options, &action] { action = [options] { return plot_runs(*options); }; });
}

}  // namespace stiction::cli
