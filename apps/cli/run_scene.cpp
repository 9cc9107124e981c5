#include "apps/cli/run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "stiction/report/report_page.h"
#include "stiction/results/verdict.h"
#include "stiction/run/simulate.h"
#include "stiction/scene/describe/method_keys.h"
#include "stiction/stepping/stepper.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/interrupt_watch.h"
#include "apps/cli/live_view.h"
#include "apps/cli/problem_dump.h"
#include "apps/cli/progress_display.h"
#include "apps/cli/report.h"
#include "apps/cli/view_run.h"

namespace stiction::cli {
namespace {

std::filesystem::path choose_folder(const std::string& name, const std::filesystem::path& out) {
  if (!out.empty()) {
    if (holds_run(out)) {
      throw InputError(fmt::format("--out: {} already holds a run", out.string()),
                       "name another folder, or continue that run with stiction resume");
    }
    return out;
  }
  std::filesystem::path folder = std::filesystem::path("runs") / name;
  for (int number = 2; std::filesystem::exists(folder); ++number) {
    folder = std::filesystem::path("runs") / fmt::format("{}-{}", name, number);
  }
  return folder;
}

// A signal worth a first look: of a body or joint if there is one, and one that changes if that is found soon.
std::string choose_signal(const RunReader& run) {
  constexpr int most_looked_at = 50;
  std::string first;
  int looked_at = 0;
  for (const SignalInfo& signal : run.signals()) {
    const std::string table = signal.name.substr(0, signal.name.find('.'));
    if (table == "energy" || table == "momentum" || table == "audit") continue;
    if (first.empty()) first = signal.name;
    if (++looked_at > most_looked_at) break;
    const std::vector<double> values = run.read(signal.name);
    if (std::any_of(values.begin(), values.end(), [&](double value) { return value != values.front(); }))
      return signal.name;
  }
  return first.empty() && !run.signals().empty() ? run.signals().front().name : first;
}

std::string format_next_steps(const RunReader& run, const std::filesystem::path& folder) {
  const std::string name = quote_for_shell(folder.string());
  std::string text = fmt::format("\nNext: stiction info {} --signals\n", name);
  if (const std::string signal = choose_signal(run); !signal.empty()) {
    text += fmt::format("      stiction plot {} {} -o plot.svg\n", name, signal);
    if (has_report_page()) text += fmt::format("      stiction view {} --open\n", name);
  }
  const RunStatus status = run.summary().status;
  if (status == RunStatus::limit || status == RunStatus::interrupted)
    text += fmt::format("      stiction resume {}\n", name);
  return text;
}

void show_report(const std::filesystem::path& folder) {
  const std::filesystem::path report = folder / "report.html";
  write_report({folder}, report);
  const std::string path = std::filesystem::absolute(report).lexically_normal().string();
  print_error(fmt::format("report: {}\n        open it in any browser: file://{}\n", report.string(), path));
  if (has_screen()) open_in_browser(path);
}

// Shows how a run ended and turns it into an exit code.
int conclude(const std::filesystem::path& folder, const ShowOptions& options) {
  const auto run = RunReader::open(folder);
  const RunSummary summary = run->summary();
  if (options.json) {
    print(run_as_json(*run, folder).dump(2) + "\n");
  } else if (!options.quiet) {
    print(format_report(*run, folder) + format_next_steps(*run, folder));
  }
  if (options.view) show_report(folder);
  const int code = exit_code_of(summary.status);
  // The report names the cause that stopped a strict run.
  const bool told = !options.json && !options.quiet && summary.message.starts_with(strict_prefix);
  const std::string why = told ? "not accepted by method.strict, for the reasons above" : summary.message;
  if (code != exit_ok) print_error(fmt::format("error: {}: {}\n", name_of(summary.status), why));
  return code;
}

std::string format_profile(const RunProfile& profile) {
  const double steps = static_cast<double>(std::max<std::int64_t>(1, profile.step_count));
  double known = 0;
  for (const double seconds : profile.steps.seconds()) known += seconds;
  // Parts of several threads add up to more than the clock shows.
  const double all = std::max(profile.stepping, known) + profile.recording;
  std::string text = fmt::format("profile: {:.3g} s, {} step{}\n", profile.total, profile.step_count,
                                 profile.step_count == 1 ? "" : "s");
  const auto add = [&](const char* name, double seconds) {
    text += fmt::format("  {:<11}{:>6.1f} %{:>12.3f} us a step\n", name, all > 0 ? 100 * seconds / all : 0.0,
                        1e6 * seconds / steps);
  };
  if (known > 0) {
    for (std::size_t i = 0; i < step_part_count; ++i)
      add(name_of(static_cast<StepPart>(i)), profile.steps.seconds()[i]);
    add("between", std::max(0.0, profile.stepping - known));
  } else {
    add("stepping", profile.stepping);
  }
  add("recording", profile.recording);
  return text;
}

// Tells the notes and calls `work` with options that show its progress; the display is gone before the summary appears.
template <class Work>
void run_with_progress(const std::filesystem::path& folder, const ShowOptions& options,
                       const std::vector<std::string>& notes, const Work& work) {
  const InterruptWatch watch;
  LiveView live(folder);
  {
    ProgressDisplay display(ProgressDisplay::choose_mode(options.progress, options.quiet));
    const auto warn = [&](const std::vector<std::string>& warnings) {
      for (const std::string& warning : warnings) display.tell("warning", warning);
    };
    for (const std::string& note : notes)
      if (!options.quiet) display.tell("note", note);
    work(RunOptions{.folder = folder,
                    .on_warnings = options.quiet ? std::function<void(const std::vector<std::string>&)>() : warn,
                    .on_progress = [&display](const Progress& progress) { display.update(progress); },
                    .on_sample = options.live ? [&live](const LiveSample& sample) { live.add(sample); }
                                              : std::function<void(const LiveSample&)>(),
                    .threads = options.threads,
                    .on_problem = {},
                    .on_profile = {},
                    .max_steps = options.max_steps,
                    .is_interrupted = InterruptWatch::was_interrupted});
  }
  live.finish();
}

}  // namespace

void add_show_options(CLI::App& command, ShowOptions& options) {
  command.add_flag("-q,--quiet", options.quiet, "Show nothing but errors");
  command.add_flag("--json", options.json, "Print the summary as one JSON object");
  command.add_option("--progress", options.progress, "How to show progress (default auto)")
      ->check(CLI::IsMember({"auto", "plain", "json", "none"}))
      ->type_name("MODE");
  command.add_option("--max-steps", options.max_steps, "Stop after so many steps (exit code 3)")
      ->check([](const std::string& text) {
        std::int64_t steps = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), steps).ptr;
        const bool whole = end == text.data() + text.size() && steps > 0;
        return whole ? std::string() : fmt::format("expected a whole number of steps, at least 1, got {}", text);
      })
      ->type_name("N");
  command.add_option("--threads", options.threads, "Threads, instead of method.threads")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
}

void add_view_options(CLI::App& command, ShowOptions& options) {
  command.add_flag("--view", options.view, "Write report.html into the run folder and open it in the browser");
  command.add_flag("--live", options.live, "Show the run in the browser as it goes, on this machine only");
}

void add_dump_option(CLI::App& command, ShowOptions& options) {
  command
      .add_option("--dump-problems", options.dump_problems,
                  "Write contact problems into RUN/problems for stiction solve: all, every=N, unconverged, worst=N or "
                  "t=T1,T2,...")
      ->type_name("WHEN");
}

void add_profile_option(CLI::App& command, ShowOptions& options) {
  command.add_flag("--profile", options.profile, "Show where the time goes: finding contacts, solving, recording, ...");
}

void add_set_option(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "Override a field of the scene: --set time.duration=2; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY.PATH=VALUE");
}

void add_strict_option(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_flag_callback(
      "--strict", [&overrides] { overrides.emplace_back("method.strict=true"); },
      "Stop at the first step that is not trustworthy, and say why (exit code 4)");
}

void add_out_option(CLI::App& command, std::filesystem::path& out) {
  command.add_option("--out", out, "Run folder (default runs/NAME)")
      ->check([](const std::string& text) { return text.empty() ? "expected a folder, got nothing" : ""; })
      ->type_name("DIR");
}

int run_scene(const Scene& scene, const std::string& name, const std::filesystem::path& out,
              const ShowOptions& options) {
  const std::filesystem::path folder = choose_folder(name, out);
  if ((options.view || options.live) && !has_report_page()) throw make_no_page_error();
  if (!options.dump_problems.empty() && uses_integrator(scene.method.type))
    throw InputError(fmt::format("method \"{}\" has no contact problems to write", scene.method.type),
                     "use a rigid method, or remove --dump-problems");
  std::optional<ProblemDump> dump;
  if (!options.dump_problems.empty()) dump.emplace(options.dump_problems, folder / "problems");
  std::optional<RunProfile> profile;
  std::vector<std::string> notes;
  for (const UnusedKey& unused : list_unused_keys(scene)) notes.push_back(format_unused_key(unused));
  run_with_progress(folder, options, notes, [&](const RunOptions& given) {
    RunOptions run = given;
    if (dump) run.on_problem = [&](const SolvedProblem& problem) { dump->add(problem, scene.time.step); };
    if (options.profile) run.on_profile = [&](const RunProfile& found) { profile = found; };
    (void)simulate(scene, run);
  });
  if (profile) print_error(format_profile(*profile));
  if (dump) {
    const int files = dump->finish();
    if (!options.quiet) print_error(fmt::format("problems: {} written to {}\n", files, (folder / "problems").string()));
  }
  return conclude(folder, options);
}

int resume_run(const std::filesystem::path& folder, const ShowOptions& options) {
  run_with_progress(folder, options, {}, [&](const RunOptions& run) { (void)resume(folder, run); });
  return conclude(folder, options);
}

}  // namespace stiction::cli
