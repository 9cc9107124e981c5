#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/plot/line_plot.h"
#include "stiction/solvers/performance_profile.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/solve_files.h"

namespace stiction::cli {
namespace {

using Json = nlohmann::ordered_json;

// Factors of the best time at which the table shows the curves.
constexpr std::array<double, 6> shown_factors{1, 2, 5, 10, 100, 1000};

// All files of one kind, and the time of every method on each.
struct Contest {
  std::vector<std::string> files, methods;
  std::vector<std::vector<double>> seconds;  // [method][file], NaN: not solved
};

// The least of several runs where they are short: the first one also pays for cold memory.
double measure(const Problem& problem, const std::string& method, const ProblemOptions& options) {
  constexpr double enough = 0.02;
  constexpr int most_runs = 10;
  double least = std::numeric_limits<double>::infinity(), total = 0;
  for (int run = 0; run < most_runs && total < enough; ++run) {
    const TimedResult timed = solve_timed(problem, method, options);
    if (!timed.result.solved()) return std::numeric_limits<double>::quiet_NaN();
    least = std::min(least, timed.seconds);
    total += timed.seconds;
  }
  return least;
}

// Everything is read before anything is solved: faults show at once. Files without a problem are reported and left out.
int read_all(const SolveOptions& options, std::vector<std::string>& files, std::vector<Problem>& problems) {
  int code = exit_ok;
  for (const auto& file : options.files) {
    try {
      Problem problem = read_problem(file);
      for (const std::string& method : options.methods) check_method(problem, method);
      problems.push_back(std::move(problem));
      files.push_back(file.string());
    } catch (const std::runtime_error&) {
      const Refusal refusal = describe_refusal(file);
      print_error(refusal.message);
      code = find_graver(code, refusal.code);
    }
  }
  return code;
}

std::map<std::string, Contest> run_contests(const SolveOptions& options, const std::vector<std::string>& files,
                                            const std::vector<Problem>& problems) {
  std::map<std::string, Contest> contests;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    const Problem& problem = problems[p];
    Contest& contest = contests[std::string(name_kind(problem))];
    contest.methods = options.methods.empty() ? name_methods(problem) : options.methods;
    contest.seconds.resize(contest.methods.size());
    contest.files.push_back(files[p]);
    for (std::size_t s = 0; s < contest.methods.size(); ++s) {
      contest.seconds[s].push_back(measure(problem, contest.methods[s], options.solver));
    }
  }
  return contests;
}

std::string format_profile(const std::string& kind, const PerformanceProfile& profile) {
  std::string text = fmt::format("{}, {} problem{}: part solved within a factor of the best time\n{:<24}", kind,
                                 profile.problems, profile.problems == 1 ? "" : "s", "method");
  for (const double factor : shown_factors) text += fmt::format(" {:>6}", factor);
  text += fmt::format(" {:>8}\n", "solved");
  for (std::size_t s = 0; s < profile.methods.size(); ++s) {
    text += fmt::format("{:<24}", profile.methods[s]);
    for (const double factor : shown_factors) text += fmt::format(" {:>6.3f}", profile.calc_rho(s, factor));
    text += fmt::format(" {:>8}\n", profile.solved(s));
  }
  return text;
}

Json make_json(const std::string& kind, const Contest& contest, const PerformanceProfile& profile) {
  Json json{{"kind", kind}, {"files", contest.files}, {"factors", shown_factors}, {"methods", Json::array()}};
  for (std::size_t s = 0; s < profile.methods.size(); ++s) {
    std::vector<double> rho;
    rho.reserve(std::size(shown_factors));
    for (const double factor : shown_factors) rho.push_back(profile.calc_rho(s, factor));
    json["methods"].push_back({{"method", profile.methods[s]},
                               {"solved", profile.solved(s)},
                               {"profile", rho},
                               {"seconds", contest.seconds[s]}});
  }
  return json;
}

// rho as a step curve from factor 1 to `end`: level until the next ratio, then up.
Series trace_steps(const std::string& label, const PerformanceProfile& profile, std::size_t method, double end) {
  Series series{.label = label, .x = {1}, .y = {profile.calc_rho(method, 1)}};
  for (const double ratio : profile.ratios[method]) {
    if (ratio <= 1) continue;
    series.x.insert(series.x.end(), {ratio, ratio});
    series.y.insert(series.y.end(), {series.y.back(), profile.calc_rho(method, ratio)});
  }
  series.x.push_back(end);
  series.y.push_back(series.y.back());
  return series;
}

// A panel for each kind of problem: methods of different kinds do not compete.
std::string draw(const std::map<std::string, PerformanceProfile>& profiles) {
  std::vector<LinePlot> panels;
  for (const auto& [kind, profile] : profiles) {
    LinePlot& plot = panels.emplace_back();
    plot.title = "Performance profile: " + kind;
    plot.x_label = "time, as a factor of the best [-]";
    plot.y_label = "part of the problems solved [-]";
    plot.log_x = true;
    plot.y_range = {0, 1};
    const double end = std::max(10.0, 1.5 * profile.calc_largest_ratio());
    for (std::size_t s = 0; s < profile.methods.size(); ++s) {
      plot.series.push_back(trace_steps(profile.methods[s], profile, s, end));
    }
  }
  return panels.size() == 1 ? draw_line_plot(panels.front()) : draw_line_plots(panels);
}

bool has_solved(const PerformanceProfile& profile) {
  for (std::size_t s = 0; s < profile.methods.size(); ++s) {
    if (profile.solved(s) > 0) return true;
  }
  return false;
}

}  // namespace

int profile_files(const SolveOptions& options) {
  std::map<std::string, PerformanceProfile> profiles;
  std::string text;
  Json list = Json::array();
  std::vector<std::string> files;
  std::vector<Problem> problems;
  int code = read_all(options, files, problems);
  if (problems.empty()) return code;
  bool solved = false;
  for (const auto& [kind, contest] : run_contests(options, files, problems)) {
    const PerformanceProfile& profile = profiles[kind] = make_performance_profile(contest.methods, contest.seconds);
    solved = solved || has_solved(profile);
    text += (text.empty() ? "" : "\n") + format_profile(kind, profile);
    list.push_back(make_json(kind, contest, profile));
  }
  if (!options.out.empty()) {
    write_file(options.out, draw(profiles));
    text += fmt::format("wrote {}\n", options.out.string());
  }
  print(options.json ? list.dump(2) + "\n" : text);
  if (!solved) code = find_graver(code, exit_limit);
  return code;
}

}  // namespace stiction::cli
